import CloverCalendar
import CloverCore
import CloverExport
import CloverOutput
import CloverReports
import CloverSystem
import CloverTables

/// Reads the records of a report from a database that `clover export --for-reports` wrote.
///
/// The report has the shop as of the last export: of the earliest of the lists, where they were exported at different times.
struct ReportDatabase: ReportSource {
    let calendar: BusinessCalendar
    let currency: String
    let now: Int64
    private let address: DatabaseAddress
    private let request: ReportReadRequest
    /// As of when the lists are complete, in milliseconds since 1970.
    private let covered: Int64
    private(set) var incompleteness: ReportError?

    /// Opens the database, and checks that it has what the report needs.
    ///
    /// - Throws: `ReportError.notCovered` for a list that was not exported, or not with what reports need.
    init(_ address: DatabaseAddress, _ request: ReportReadRequest, now: Int64) async throws {
        self.address = address
        self.request = request
        self.now = now
        let (owner, coverages) = try await Self.reading { () throws(TableError) in
            try TableDatabase.read(address) { ($0.owner, try $0.coverages()) }
        }
        let zone: TimeZoneRules
        switch request.zone {
        case .utc: zone = .utc
        case .named(let name): zone = try .named(name)
        case .merchant, nil:
            guard let name = owner.zone else { throw ReportError.zoneUnknown(address.name) }
            zone = try .named(name)
        }
        calendar = BusinessCalendar(zone: zone, startMinute: request.startMinute)
        currency = owner.currency ?? ""
        var covered = Int64.max
        for list in ReportList.allCases where request.lists.contains(list) {
            guard let coverage = coverages[list.rawValue], coverage.expand.isSuperset(of: list.expand),
                // An older order of a payment has to be there, whatever the period.
                coverage.from == nil
            else { throw ReportError.notCovered(list: list.rawValue, database: address.name) }
            covered = min(covered, coverage.to)
        }
        self.covered = covered
    }

    var remarks: [String] {
        ["From \(address.name), as of \(calendar.zone.text(milliseconds: covered)): the last export."]
    }

    /// Reads on a dedicated thread. Errors say that a report was to be read.
    private static func reading<Value: Sendable>(
        _ body: @escaping @Sendable () throws(TableError) -> Value
    ) async throws -> Value {
        do throws(TableError) {
            return try await DedicatedThread.run(body)
        } catch {
            throw ReportError.database(error)
        }
    }

    func names() async throws -> ReportNames {
        let lists = request.lists
        return try await Self.reading { [address] () throws(TableError) in
            try TableDatabase.read(address) { snapshot in
                var names = ReportNames()
                for list in ReportList.named where lists.contains(list) {
                    try snapshot.records(of: list.rawValue) { names.add($0, of: list) }
                }
                return names
            }
        }
    }

    /// Whether a payment exists is not known here: the database may lack those of other days.
    mutating func readRefunded(into run: inout ReportRun) async throws {}

    mutating func read<Records: ReportRecords & Sendable>(_ period: Period, into records: inout Records) async throws {
        let times = paymentTimes(period, usesServerClock: request.usesServerClock)
        let orderTimes = orderTimes(period)
        let (empty, lists) = (records, request.lists)
        records = try await Self.reading { [address] () throws(TableError) in
            // Read again from the start if the connection is lost.
            try TableDatabase.read(address) { snapshot in
                var records = empty
                try snapshot.records(of: "payments", created: times) { records.add(payment: $0) }
                if lists.contains(.refunds) { try snapshot.records(of: "refunds") { records.add(refund: $0) } }
                if lists.contains(.credits) { try snapshot.records(of: "credits") { records.add(credit: $0) } }
                // The same orders as from the service, so that the same is found.
                if records.missingOrderCount > 0 {
                    try snapshot.records(of: "orders", created: orderTimes) { records.add(keptOrder: $0) }
                }
                try snapshot.records(of: "orders", ids: records.missingOrders) { records.add(keptOrder: $0) }
                // Only an order that an export found deleted certainly has no sale.
                let missing = records.missingOrders
                let deleted = try snapshot.deleted(of: "orders", ids: missing)
                records.note(missing: missing.filter { !deleted.contains($0) })
                return records
            }
        }
        let (_, end) = bounds(of: period)
        // Of a day that is not over, there is what was exported of it.
        if incompleteness == nil, covered < min(end, calendar.start(of: today)) {
            incompleteness = .exportedBefore(
                covered: calendar.zone.text(milliseconds: covered), database: address.name)
        }
    }
}

extension ReportRecords {
    /// Adds an order of a database. Line items that its record lacks were not exported.
    fileprivate mutating func add(keptOrder record: UnsafeRawBufferPointer) {
        add(order: record)
        for id in linelessOrders.keys { add(.unavailable("the database has it without them"), ofOrder: id) }
    }
}
