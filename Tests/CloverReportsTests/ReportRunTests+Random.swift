import CloverCalendar
import CloverReports
import Testing

/// Reports of random shops, sound and damaged.
extension ReportRunTests {
    @Test("in random shops the invariants hold, and days add up to the whole period in every zone")
    func random() throws {
        var random = SystemRandomNumberGenerator()
        for zone in ["America/New_York", "Europe/Berlin", "Asia/Kolkata", "Pacific/Apia", "America/St_Johns"] {
            for start in [0, 240, 1320] {
                var shop = RandomShop(&random)
                shop.make(60)
                for report in ReportName.allCases {
                    for grouping in [nil] + report.groupings.map(Optional.some) {
                        let request = try Self.request(
                            report, by: grouping, "2026-10-20..2026-11-05", zone: zone, start: start)
                        let (table, findings) = try shop.shop.report(request)
                        #expect(findings.isEmpty, "\(report) \(zone): \(findings)")
                        guard report == .sales else { continue }
                        let whole = Self.sums(
                            try shop.shop.report(
                                try Self.request(.sales, "2026-10-20..2026-11-05", zone: zone, start: start)
                            ).table)
                        #expect(table.total == nil || Self.sums(table) == whole)
                        for (place, column) in table.columns.enumerated() where column.kind == .money {
                            let sum = table.rows.reduce(Int64(0)) {
                                if case .integer(let number) = $1[place] { $0 + number } else { $0 }
                            }
                            #expect(String(sum) == whole[column.name], "\(column.name)")
                        }
                    }
                }
            }
        }
    }

    /// The sums of a report as its readers make it: payments by the service's clock, then the orders that the report misses.
    ///
    /// - Parameter others: the orders that are read besides, by when they were made.
    private static func read(_ shop: Shop, _ request: ReportRequest, others: (Range<Int64>) -> Range<Int64>) -> [String:
        String]
    {
        func created(_ text: String) -> Int64? { text.firstMatch(of: /"createdTime":([0-9]+)/).flatMap { Int64($0.1) } }
        func id(_ text: String) -> String? { text.firstMatch(of: /"id":"([^"]+)"/).map { String($0.1) } }
        let (from, to) = (
            request.calendar.start(of: request.period.first), request.calendar.start(of: request.period.last + 1)
        )
        let time = from - 86_400_000..<to + 8 * 86_400_000
        var run = ReportRun([request])
        for text in shop.payments where created(text).map(time.contains) ?? false {
            Array(text.utf8).withUnsafeBytes { run.add(payment: $0) }
        }
        for text in shop.refunds { Array(text.utf8).withUnsafeBytes { run.add(refund: $0) } }
        for text in shop.credits { Array(text.utf8).withUnsafeBytes { run.add(credit: $0) } }
        let more = others(from - 86_400_000..<to)
        for text in shop.orders where created(text).map(more.contains) ?? false {
            Array(text.utf8).withUnsafeBytes { run.add(order: $0) }
        }
        let missing = Set(run.missingOrders)
        for text in shop.orders where id(text).map(missing.contains) ?? false {
            Array(text.utf8).withUnsafeBytes { run.add(order: $0) }
        }
        return sums(run.finish(names: ReportNames())[0].table)
    }

    @Test("in random shops with damaged records, no sum depends on which orders were read besides, and days add up")
    func damaged() throws {
        var random = SystemRandomNumberGenerator()
        for zone in ["America/New_York", "Pacific/Apia"] {
            for _ in 0..<12 {
                var shop = RandomShop(&random)
                shop.make(80)
                shop.damage()
                let whole = try Self.request(.sales, "2026-10-20..2026-11-05", zone: zone)
                let sums = Self.read(shop.shop, whole) { $0 }
                #expect(Self.read(shop.shop, whole) { $0.lowerBound..<$0.lowerBound } == sums, "none besides")
                #expect(Self.read(shop.shop, whole) { _ in 0..<Int64.max } == sums, "all orders")
                var added: [String: Int64] = [:]
                for date in whole.period.first...whole.period.last {
                    let text = CalendarDate.text(date)
                    let day = Self.read(shop.shop, try Self.request(.sales, text, zone: zone)) { $0 }
                    for (name, number) in day { added[name, default: 0] += Int64(number) ?? 0 }
                }
                #expect(added.mapValues(String.init) == sums)
            }
        }
    }

    /// The numbers of a report, and the ids that its findings name. Orders that are missing exist, as far as the report knows.
    private static func judged(_ shop: Shop, _ request: ReportRequest) -> (sums: [String: String], named: Set<String>) {
        var run = ReportRun([request])
        shop.add(to: &run)
        run.note(missing: run.missingOrders)
        let (table, findings) = run.finish(names: ReportNames())[0]
        return (sums(table), findings.reduce(into: []) { $0.formUnion($1.identifiers.values) })
    }

    /// Whether only a time of a payment's copy changed, and it is outside of the period before and after: a report of the period
    /// reads no list that has the payment.
    private static func isOutside(_ part: Shop, _ sound: Shop, _ period: Range<Int>) -> Bool {
        func times(_ shop: Shop) -> Set<Int> {
            Set(shop.orders.joined(separator: "").matches(of: /"createdTime":([0-9]+)/).compactMap { Int($0.1) })
        }
        let changed = times(part).symmetricDifference(times(sound))
        return !changed.isEmpty && !changed.contains { period.contains($0) }
    }

    @Test("in random shops whose copies differ, each order has its true numbers or is named, and no other one is")
    func contradictions() throws {
        var random = SystemRandomNumberGenerator()
        let request = try Self.request(.sales, "2026-10-20..2026-11-05")
        // From 2026-10-20 00:00 EDT to 2026-11-06 00:00 EST.
        let period = 1_792_468_800_000..<1_793_941_200_000
        for _ in 0..<40 {
            var shop = RandomShop(&random)
            shop.make(60)
            let sound = shop.parts
            let whole = try PlainSales.sums(of: shop.shop, in: period)
            #expect(Self.judged(shop.repeated(), request) == (whole, []), "records that come twice")
            let places = shop.contradict()
            let damaged = shop.repeated()
            let (sums, named) = Self.judged(damaged, request)
            #expect(sums == whole || !named.isEmpty)
            for (place, part) in shop.parts.enumerated() {
                let ids = Set("OPQRCN".map { "\($0)\(place)" })
                let isNamed = !named.isDisjoint(with: ids)
                if !places.contains(place) {
                    #expect(!isNamed, "\(part): \(named)")
                } else if !isNamed, !Self.isOutside(part, sound[place], period) {
                    let numbers = try PlainSales.sums(of: sound[place], in: period)
                    #expect(Self.judged(part, request).sums == numbers, "\(sound[place]) became \(part)")
                }
            }
        }
    }
}
