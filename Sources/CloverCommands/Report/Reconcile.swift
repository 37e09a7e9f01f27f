import ArgumentParser
import CloverAPI
import CloverAuth
import CloverCalendar
import CloverCore
import CloverJSON
import CloverOutput
import CloverPayments
import CloverRateLimit
import CloverReports

/// `clover reconcile`.
struct Reconcile: OwnRecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "reconcile",
        abstract: "Compare orders with payments, refunds, credits and our own charges, and name what does not add up",
        discussion: """
            Examples:
              clover reconcile
              clover reconcile --period last-month --format csv
              clover reconcile || mail -s 'the till does not add up' owner@example.com

            Made for cron: it compares yesterday, prints one finding a line, and nothing if all is well.

            Kinds of findings: \(ReportFinding.Kind.list). Charges are \
            those that 'clover charge' made on this machine and, with --ecommerce, all of the ecommerce API. 'clover \
            help reports' explains them. Pages of 'clover checkout' are not compared with the journal: that a page's \
            payment was refunded, voided or came late is shown by 'clover checkout wait'.

            Findings are no workbook: --format xlsx is for 'clover report'. Spreadsheets open --format csv.

            Exit statuses:
              0   every list was read completely, and nothing was found
              64  wrong usage: an unknown period or zone
              69  the service is unreachable or failed, even after retries
              76  a response is not JSON, or the service does not select by time
              77  not signed in, or not allowed to read a list
              79  a list is incomplete, or a record cannot be read; the findings so far were printed
              82  something was found; it was printed
              83  --max-time ran out
            """
    )

    @OptionGroup(title: "What to compare")
    var period: PeriodOptions

    @OptionGroup(title: "What to compare")
    var source: ReportSourceOptions

    @Flag(name: .customLong("ecommerce"), help: "Also compare the charges of the ecommerce API with the payments.")
    var comparesEcommerce = false

    @OptionGroup(title: "What to print")
    var output: RecordOutputOptions

    @OptionGroup(title: "What to print")
    var receipt: ReceiptOptions

    @OptionGroup(title: "Instead of comparing")
    var explanation: ReportExplainOptions

    @OptionGroup(title: "Limits")
    var limits: LimitOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var paging: PagingOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let environment = paging.applied(to: environment)
        let settings = try await environment.settings(for: connection.choice)
        var request = ReportReadRequest(command: "reconcile", connection: connection.choice)
        try limits.apply(to: &request, settings)
        request.pacing.pacingClass = .bulk
        request.pacing.command = request.command
        source.apply(to: &request)
        try period.apply(to: &request)
        request.lists = Set<ReportList>([.payments, .refunds, .credits, .orders]).subtracting(source.without)
        let records = try await output.records(messages, in: environment)
        request.zone = records.format.zone ?? records.format.defaults.zone
        if explanation.explain {
            return try await explanation.print(request, records.format, messages, in: environment)
        }
        let run = ReconcileCommandRun(
            request: request, comparesEcommerce: comparesEcommerce, receipt: receipt.receipt, records: records,
            environment: environment)
        return output.jq.ending(of: try await run.print(), in: environment)
    }
}

/// One run of `clover reconcile`.
struct ReconcileCommandRun: Sendable {
    let request: ReportReadRequest
    let comparesEcommerce: Bool
    let receipt: String?
    let records: RecordPrinting
    let environment: CommandEnvironment

    private struct Result {
        var findings: [ReportFinding]
        var counts: (orders: Int, payments: Int)
        var shop: ReportShop
        var period: String
        var problem: CoreError?
        var hasAll: Bool
    }

    func print() async throws -> FilterReport {
        let schema = try ReportFinding.schema()
        try records.check(schema, in: environment)
        let receipt = try await ReceiptWriter(
            receipt, path: request.command, startedAt: environment.clock.wall(), in: environment)
        receipt?.add(omitted: request.omitted.map(\.rawValue).sorted())
        let usage = ReportUsage()
        let start = environment.clock.boot()
        let isTable = try records.isTable(schema, in: environment)
        let (result, report): (Result, FilterReport)
        do {
            let read: Result = try await request.limited(since: start, usage, in: environment) {
                try await ProgressDisplay.during(in: environment) { try await self.read(usage, $0) }
            }
            var records = records
            records.settings = MerchantSettings(zone: read.shop.calendar.zone.name, currency: read.shop.currency)
            // A jq program may never end.
            report = try await request.limited(since: start, usage, in: environment) { [records] in
                guard !isTable || !read.findings.isEmpty else { return FilterReport() }
                return try await records.print(
                    read.findings.map { $0.json(currency: read.shop.currency) }, schema, merchant: ConnectionChoice(),
                    in: environment)
            }
            result = read
        } catch {
            receipt?.add(usage.summary, usage.statistics)
            try receipt?.finish(error, at: environment.clock.wall())
            throw error
        }
        for word in request.omitted.map(\.rawValue).sorted() {
            environment.diagnostics.notice("left out, as --without asks: \(word)")
        }
        let error: (any Error)? =
            result.problem ?? (result.hasAll ? nil : ReportError.unreadable(period: result.period))
            ?? (result.findings.isEmpty
                ? nil : ReportError.findings(result.findings.count, period: result.period))
        receipt?.add(usage.summary, usage.statistics)
        try receipt?.finish(error, at: environment.clock.wall())
        if let problem = result.problem { throw ReportError.incomplete(problem) }
        if let error { throw error }
        if isTable {
            environment.diagnostics.notice(
                "nothing found for \(result.period): \(result.counts.orders) orders and \(result.counts.payments) payments agree"
            )
        }
        return report
    }

    private func read(_ usage: ReportUsage, _ display: ProgressDisplay) async throws -> Result {
        let shop = try await ReportShop(request, usage, in: environment)
        let period = try shop.period(request.period)
        let report = ReportRequest(
            .sales, calendar: shop.calendar, period: period, currency: shop.currency,
            usesServerClock: request.usesServerClock, omitted: request.omitted)
        var reader = ReportReader(request, shop, display, in: environment)
        var run = ReconcileRun(report)
        try await reader.read(period, into: &run)
        for charge in try await charges(of: shop, reader.bounds(of: period)) { run.add(charge: charge) }
        try await reader.read(each: run.missingPayments, of: .payments, into: &run) { $0.add(payment: $1) }
        if comparesEcommerce {
            try await reader.charges(in: period, into: &run)
        }
        return Result(
            findings: run.finish(), counts: run.counts, shop: shop, period: report.periodText, problem: reader.problem,
            hasAll: run.hasAll)
    }

    /// The charges of the journal for the shop that were made, refunded or voided in the period.
    private func charges(
        of shop: ReportShop, _ bounds: (from: Int64, to: Int64)
    ) async throws -> [ReconcileRun.Charge] {
        guard let journal = try await environment.existingJournal() else { return [] }
        var charges: [ReconcileRun.Charge] = []
        let times = bounds.from..<bounds.to
        let made = try await journal.charges(limit: Int(Int32.max), times: times)
        for charge in try await made + journal.chargesGivenBack(in: times) {
            guard charge.merchantID == shop.merchantID, charge.environment == shop.connection.environment.name,
                !charge.rail.isHandedOff
            else { continue }
            let isPaid: Bool?
            switch charge.state {
            case .approved: isPaid = true
            case .declined, .cancelled, .failed: isPaid = false
            case .created, .sent, .unknown: isPaid = nil
            }
            let facts = ChargeTotals(charge, try await journal.followUps(of: charge.id))
            let approved = facts.isCaptured ? facts.captured : facts.held
            let isEcommerce = charge.rail == .ecommerce
            var compared = ReconcileRun.Charge(
                id: charge.id, paymentID: charge.outcome.paymentID, externalID: charge.externalID,
                amount: charge.state == .approved ? approved : charge.minorUnits, instant: charge.createdAt,
                isPaid: isPaid, isVoided: facts.isVoided, isListed: isEcommerce || charge.rail.hasDevice)
            compared.isInferred = isEcommerce
            compared.isOlder = charge.createdAt < bounds.from
            compared.orderID = isEcommerce ? charge.outcome.orderID : nil
            compared.refunded = facts.refunded
            compared.isHeld = !facts.isCaptured
            compared.released = facts.isCaptured ? max(0, facts.held - facts.captured) : 0
            if charge.outcome.acknowledged != nil, charge.outcome.contradiction == nil,
                let shown = charge.outcome.shownAmount
            {
                // A person has confirmed the charge, although Clover shows another amount of its payment.
                compared.amount = shown
                compared.paymentID = charge.outcome.paymentID ?? charge.outcome.candidates?.first
                compared.unapproved = max(0, (charge.minorUnits ?? 0) - shown)
            } else if charge.isPartial, !charge.isUnacceptedPart {
                compared.unapproved = (charge.minorUnits ?? 0) - (charge.outcome.amount ?? 0)
            }
            let first = charge.outcome.amount ?? charge.minorUnits ?? 0
            if compared.released > 0, first < facts.held { compared.releasedOfFirst = max(0, first - facts.captured) }
            charges.append(compared)
        }
        return charges
    }
}

extension ReconcileRun: ReportRecords {
    /// All refunds of a payment together may be above it.
    static var needsAllRefunds: Bool { true }
}

extension ReportFinding.Kind {
    /// All kinds of a reconciliation, for people.
    static var list: String {
        let names = ofReconciliation.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }
}

extension ReportFinding {
    /// The kinds of records that findings name, in the order of the columns.
    private static let kinds = ["order", "payment", "refund", "credit", "charge"]

    /// One line of JSON.
    ///
    /// - Parameter shop: the code of the shop's currency.
    func json(currency shop: String) -> String {
        var line = JSONLine()
        line.add("kind", kind)
        for kind in Self.kinds { line.add(kind, identifiers[kind]) }
        line.add("amount", amount)
        line.add("currency", amount == nil ? nil : currency ?? shop)
        line.add("sentence", sentence)
        return line.text
    }

    static func schema() throws -> RecordSchema {
        var columns = [RecordColumn(try FieldPath(parsing: "kind"), heading: "KIND", importance: .key)]
        for kind in kinds {
            columns.append(
                RecordColumn(
                    try FieldPath(parsing: kind), heading: kind.uppercased(),
                    importance: kind == "order" ? .usual : .optional))
        }
        let currency = RecordColumn(try FieldPath(parsing: "currency"), heading: "CURRENCY", importance: .optional)
        let amount = RecordColumn(
            try FieldPath(parsing: "amount"), kind: .money(currency: currency.path), heading: "AMOUNT")
        // The kind says the same, and the order says where to look.
        let sentence = RecordColumn(try FieldPath(parsing: "sentence"), heading: "WHAT", importance: .optional)
        return RecordSchema(
            columns: columns + [amount, currency, sentence], tableColumns: columns + [amount, sentence])
    }
}
