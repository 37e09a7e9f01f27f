import ArgumentParser
import CloverCalendar
import CloverCore
import CloverExport
import CloverJSON
import CloverOutput
import CloverRateLimit
import CloverReports

/// `clover report`.
struct Report: OwnRecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Show what a shop sold, in the shop's own days, with totals that check themselves",
        discussion: """
            Examples:
              clover report sales --period 2026-10 --by week
              clover report items --period last-week --format csv
              clover report sales --period this-month --compare last-year

            REPORT is \(ReportName.list).

            A period is today, yesterday, this-week, last-week, this-month, last-month, this-quarter, last-quarter, \
            this-year, last-year, a year, a quarter (2026-Q3), a month (2026-10), a day (2026-10-15), or two of these joined by '..', both included. Weeks begin on Monday. \
            Days are those of the shop's time zone.

            With --from, a report needs no sign-in and no network. It has the shop as of the last 'clover export \
            --for-reports' to the database, and ends with 79 if whole days of the period are missing.

            Amounts are in the currency's smallest unit in JSON, CSV and TSV, unless --money major is given; \
            --format xlsx writes a workbook. What each column means is in 'clover help reports'.

            Exit statuses:
              0   every list was read completely, and the report adds up
              64  wrong usage: an unknown report, grouping, period or zone
              65  --from: the file is not a database
              66  --from: there is no such database, or it lacks what reports need
              69  the service is unreachable or failed, even after retries
              75  --from: the database is locked, or its server is away
              76  a response is not JSON, or the service does not select by time
              77  not signed in, or not allowed to read a list
              79  a list may be incomplete, a record cannot be read, it is unknown whether
                  one counts, an order or payment contradicts itself or another record,
                  sums do not add up, or the database ends before the period; stderr
                  says what, the rest is printed
              82  with --profiles: some shops failed, the report has the others
              83  --max-time ran out
            """
    )

    @Argument(
        help: ArgumentHelp("What to report: \(ReportName.list).", valueName: "report"),
        completion: .list(ReportName.allCases.map(\.rawValue)))
    var report: ReportName

    @OptionGroup(title: "What to report")
    var period: PeriodOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "One row for each day, week, month or hour (sales); employee, tender, day, week or month (tips, refunds); month (taxes).",
            valueName: "unit"))
    var by: ReportGrouping?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also report the period before (previous), or the same dates a year before (last-year).",
            valueName: "period"))
    var compare: ReportComparison?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Report several shops: names from 'clover auth list', separated by commas, or all.", valueName: "names"))
    var profiles: String?

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp(
            """
            Read from a database instead of the service: sqlite:FILE or postgresql://HOST/DATABASE, which \
            'clover export --for-reports' wrote. The report has the shop as of the last export.
            """, valueName: "database"),
        completion: .file())
    var database: String?

    @OptionGroup(title: "What to report")
    var source: ReportSourceOptions

    @OptionGroup(title: "What to print")
    var output: RecordOutputOptions

    @OptionGroup(title: "What to print")
    var pictures: ReportPictureOptions

    @OptionGroup(title: "What to print")
    var receipt: ReceiptOptions

    @OptionGroup(title: "Instead of reporting")
    var explanation: ReportExplainOptions

    @OptionGroup(title: "Limits")
    var limits: LimitOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var paging: PagingOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func validate() throws {
        if let by, !report.groupings.contains(by) {
            let words = report.groupings.map(\.rawValue)
            let own = ReportName(rawValue: by.rawValue + "s").map { "; for that: clover report \($0.rawValue)" } ?? ""
            throw ValidationError(
                words.isEmpty
                    ? report.ungrouped + (own == "; for that: clover report \(report.rawValue)" ? "" : own)
                    : "'clover report \(report.rawValue)' has no --by \(by.rawValue); it has \(words.joined(separator: ", "))"
                        + own)
        }
        if report == .categories, source.without.contains(.items) {
            throw ValidationError(
                "'clover report categories' needs the items, which --without names excludes; for items: clover report items"
            )
        }
        if report == .refunds, source.without.contains(.refunds) {
            throw ValidationError(
                "'clover report refunds' needs the refunds, which --without excludes; for manual refunds alone: clover get "
                    + "credits")
        }
        try ExportMerchantOptions.check(profiles)
        if profiles != nil, connection.profile != nil || connection.merchant != nil {
            throw ValidationError("--profiles excludes --profile and --merchant")
        }
        if let database {
            guard try DatabaseAddress.parsed(database, of: "--from") != nil else {
                throw ValidationError(
                    "--from takes a database, as sqlite:FILE or postgresql://HOST/DATABASE, not '\(database)'; days are chosen "
                        + "with --period")
            }
            for (isGiven, name) in [
                (profiles != nil, "--profiles"), (connection.profile != nil, "--profile"),
                (connection.merchant != nil, "--merchant"), (explanation.explain, "--explain"),
            ] where isGiven { throw ValidationError("--from and \(name) exclude each other") }
        }
        if explanation.explain, profiles != nil || compare != nil {
            throw ValidationError("--explain and \(compare == nil ? "--profiles" : "--compare") exclude each other")
        }
        if profiles != nil, compare != nil { throw ValidationError("--profiles and --compare exclude each other") }
    }

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let environment = paging.applied(to: environment)
        let settings = try await environment.settings(for: connection.choice)
        var request = ReportReadRequest(command: "report \(report.rawValue)", connection: connection.choice)
        try limits.apply(to: &request, settings)
        request.pacing.pacingClass = .bulk
        request.pacing.command = request.command
        source.apply(to: &request)
        try period.apply(to: &request)
        request.lists = report.lists.subtracting(source.without)
        let records = try await output.records(messages, in: environment)
        request.zone = records.format.zone ?? records.format.defaults.zone
        // A day without sales does not tell whether prices contain tax.
        request.hasAllColumns = records.format.fields.contains { $0.text == "includedTax" }
        if explanation.explain {
            return try await explanation.print(request, records.format, messages, in: environment)
        }
        let printer = try ReportPrinter(
            records: records, chart: pictures.chart, page: pictures.html, environment: environment)
        try printer.check(
            ReportTable.allColumns(of: report, by: by, isCompared: compare != nil, hasShops: profiles != nil))
        let run = ReportCommandRun(
            report: report, grouping: by, compare: compare, profiles: profiles,
            database: try database.flatMap { try DatabaseAddress.parsed($0, of: "--from") }, request: request,
            receipt: receipt.receipt,
            environment: environment)
        return output.jq.ending(of: try await run.print(with: printer), in: environment)
    }
}

extension ReportName: ExpressibleByArgument {
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// Why it has no `--by`, if it has none.
    var ungrouped: String {
        let rows =
            switch self {
            case .hours: "a row for each hour of each weekday"
            case .items: "a row for each item"
            case .categories: "a row for each category"
            case .employees: "a row for each employee"
            case .tenders: "a row for each tender"
            case .discounts: "a row for each discount"
            case .sales, .tips, .refunds, .taxes: "rows"
            }
        return "'clover report \(rawValue)' has no --by: without it, there is \(rows)"
    }

    /// What there is none of when all its numbers are 0.
    var nothing: String {
        switch self {
        case .refunds: "no refunds"
        case .discounts: "no discounts"
        case .tips: "no tips"
        case .taxes: "no tax"
        case .sales, .items, .categories, .employees, .tenders, .hours: "no sales"
        }
    }

    /// The lists that the report needs.
    var lists: Set<ReportList> {
        var lists: Set<ReportList> = [.payments, .refunds, .credits, .orders]
        switch self {
        case .employees, .tips, .refunds: lists.insert(.employees)
        case .tenders: lists.insert(.tenders)
        case .categories: lists.insert(.items)
        case .sales, .items, .taxes, .discounts, .hours: break
        }
        return lists
    }
}

extension ReportGrouping: ExpressibleByArgument {}
extension ReportOmission: ExpressibleByArgument {}

/// `--explain` of reports.
struct ReportExplainOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: "Print which lists it would read, whose time zone its days are in, and how long it takes; read no list.")
    var explain = false

    func print(
        _ request: ReportReadRequest, _ format: FormatChoice, _ messages: MessageOptions,
        in environment: CommandEnvironment
    ) async throws -> Int32 {
        let explanation = try await ReportExplanation(request, format, in: environment)
        let isForPerson = environment.terminal.isOutputTerminal && !messages.json
        try await StandardOutput.print(isForPerson ? explanation.text : explanation.json, in: environment)
        return 0
    }
}

/// Reports as pictures.
struct ReportPictureOptions: ParsableArguments {
    @Flag(help: "Print a table with a chart below it, also into a pipe.")
    var chart = false

    @Option(
        name: .long,
        help: ArgumentHelp("Also write one page with charts and sortable tables to this file.", valueName: "file"),
        completion: .file())
    var html: String?
}

/// What a period is compared with.
enum ReportComparison: String, CaseIterable, ExpressibleByArgument {
    case previous
    case lastYear = "last-year"

    func period(of period: Period) -> Period {
        switch self {
        case .previous: period.previous
        case .lastYear: period.lastYear
        }
    }
}

/// The days of a report.
struct PeriodOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Days to report: yesterday, this-month, 2026-10, 2026-10-01..2026-10-15.",
            valueName: "period"))
    var period = "yesterday"

    @Option(
        name: .customLong("day-start"),
        help: ArgumentHelp("When the shop's day begins, such as 04:00 (default: 00:00).", valueName: "time"))
    var dayStart: String?

    func apply(to request: inout ReportReadRequest) throws {
        request.period = period
        // Refuse what is no period on any day before anything is sent.
        do throws(PeriodError) {
            _ = try Period(parsing: period, today: 50_000)
        } catch .malformed(let text) {
            throw ReportError.period(.malformed(text), today: nil)
        } catch {
            // Found when the shop's date is known.
        }
        guard let dayStart else { return }
        let parts = dayStart.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isASCIIDigit) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { throw ReportError.dayStart(dayStart) }
        request.startMinute = hour * 60 + minute
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

/// What a report is made from.
struct ReportSourceOptions: ParsableArguments {
    @Option(
        name: .customLong("without"), parsing: .singleValue,
        help: ArgumentHelp(
            "Leave out a list that must not be read: refunds, credits or names. What depends on it is empty.",
            valueName: "list"))
    var left: [ReportOmission] = []

    @Option(
        name: .customLong("clock"),
        help: ArgumentHelp(
            "Whose clock dates a record: client (default; offline sales count on the day they were made) or server.",
            valueName: "clock"))
    var clock = ReportClock.client

    enum ReportClock: String, CaseIterable, ExpressibleByArgument { case client, server }

    var without: Set<ReportList> {
        left.reduce(into: Set<ReportList>()) { lists, list in
            switch list {
            case .refunds: lists.insert(.refunds)
            case .credits: lists.insert(.credits)
            case .names: lists.formUnion([.employees, .tenders, .items])
            }
        }
    }

    func apply(to request: inout ReportReadRequest) {
        request.usesServerClock = clock == .server
        request.omitted = Set(left)
    }
}
