import CloverAPI
import CloverCalendar
import CloverCore
import CloverExport
import CloverOutput
import CloverReports
import CloverTables

/// Why a report cannot be made, or is not proved.
enum ReportError: Error {
    /// `today`: the shop's date, if it is known.
    case period(PeriodError, today: String?)
    case dayStart(String)
    /// A list or the shop's settings must not be read; `alternative`: how to do without, for people.
    case notAllowed(ErrorReport, alternative: String)
    /// The service does not select the days of a list.
    case unselected(ServiceError)
    /// A list is incomplete; the report of the rest was printed.
    case incomplete(CoreError)
    /// A database lacks a list that the report needs, or its records lack what reports need.
    case notCovered(list: String, database: String)
    /// A database was last exported to before the end of the period; the report of what it has was printed. `covered`: when.
    case exportedBefore(covered: String, database: String)
    /// The database cannot be read.
    case database(TableError)
    /// The shop's time zone is not in the database.
    case zoneUnknown(String)
    /// The report was printed, and does not add up.
    case doesNotAddUp([String])
    /// Shops could not be reported; the report of the others was printed.
    case shopsFailed([String])
    /// Records could not be read, and were not compared; the findings were printed, these records among them.
    case unreadable(period: String)
    /// The reconciliation found something.
    case findings(Int, period: String)
    /// A workbook is no text for a terminal.
    case workbookOnTerminal
    /// A workbook has the whole report.
    case notInWorkbook
    /// A chart stands below a table.
    case chartNeedsTable
    case workbook(ReportWorkbookError)
}

extension ReportError {
    /// Whether all that was asked for was printed. A report that lacks a shop is not all.
    var isPrinted: Bool {
        switch self {
        case .doesNotAddUp, .unreadable, .findings, .exportedBefore: true
        default: false
        }
    }

    /// Why a receipt does not name the run complete. Findings of a reconciliation are complete.
    var reasons: [String] {
        switch self {
        case .findings: []
        case .incomplete(let problem): ReceiptWriter.reasons(problem)
        case .doesNotAddUp(let findings): findings
        default: [ErrorReport(self).message]
        }
    }
}

extension ErrorReport {
    init(_ error: ReportError) {
        switch error {
        case .period(let error, let today):
            self.init(error, today: today)
        case .dayStart(let text):
            self.init(
                code: "bad_time", status: .usage,
                message: "--day-start takes a time from 00:00 to 23:59, not '\(text)'",
                hints: ["for days that begin at four in the morning: --day-start 04:00"])
        case .notAllowed(let report, let alternative):
            self = report
            hints.append(alternative)
        case .unselected(let error):
            self.init(error)
            hints.append(
                "a report cannot select its days without; the environment may be another service: clover auth status")
        case .incomplete(let problem):
            self.init(problem)
            // Options of 'get' are of no use here.
            outputFacts = ["everything else was read and is in the output"]
            hints = ["run it again, or with a shorter --period"]
        case .notCovered(let list, let database):
            self.init(
                code: "not_exported", status: .notFound,
                message: "\(database) has no whole export of \(list) with what reports need, or has lost rows of it",
                hints: ["export it: clover export --for-reports --full --to \(database)"])
        case .exportedBefore(let covered, let database):
            self.init(
                code: "exported_before", status: .incomplete,
                message: "\(database) has the shop as of \(covered), before the end of the period",
                hints: ["export what came since: clover export --for-reports --to \(database)"])
        case .database(let error):
            self.init(reading: error)
        case .zoneUnknown(let database):
            self.init(
                code: "no_time_zone", status: .usage, message: "\(database) does not say the shop's time zone",
                hints: ["name it: --zone America/New_York"])
        case .doesNotAddUp(let findings):
            let count = findings.count
            self.init(
                code: "does_not_add_up", status: .incomplete,
                message: "the report does not add up: \(count == 1 ? "1 finding" : "\(count) findings")",
                hints: ["to see more of the orders: clover reconcile with the same --period"])
        case .shopsFailed(let names):
            self.init(
                code: "some_failed", status: .partlyFailed,
                message: "\(names.joined(separator: ", ")) failed; the report has the other shops only")
        case .unreadable(let period):
            self.init(
                code: "unreadable_records", status: .incomplete,
                message: "some records of \(period) cannot be read, or lack their line items, and were not compared",
                hints: ["they are the findings of the kinds unreadable_record and line_items_missing"])
        case .findings(let count, let period):
            self.init(
                code: "findings", status: .partlyFailed,
                message: "\(count == 1 ? "1 finding" : "\(count) findings") for \(period)")
        case .workbookOnTerminal:
            self.init(
                code: "workbook_on_terminal", status: .usage, message: "--format xlsx needs a file to write to",
                hints: ["such as: clover report sales --format xlsx >sales.xlsx"])
        case .notInWorkbook:
            self.init(
                code: "bad_combination", status: .usage,
                message: "--format xlsx excludes --jq, --slurp, --fields and --chart: a workbook has the whole report")
        case .chartNeedsTable:
            self.init(
                code: "bad_combination", status: .usage,
                message: "--chart needs a table: it excludes --jq, --json and other formats")
        case .workbook(.libraryMissing(let detail)):
            self.init(
                code: "library_missing", status: .unavailable, message: "cannot write a workbook: \(detail)",
                hints: ["install it: sudo apt install libxlsxwriter4", "or use --format csv, which spreadsheets open"])
        case .workbook(.tooManyRows(let count)):
            self.init(
                code: "too_many_rows", status: .badData, message: "a sheet cannot hold \(count) rows",
                hints: ["use --format csv, or a shorter period"])
        case .workbook(.failed(let reason)):
            self.init(code: "workbook_failed", status: .cannotCreate, message: "cannot write the workbook: \(reason)")
        }
    }

    /// A database that a report cannot be read from: in the words of reading, not of an export that writes.
    private init(reading error: TableError) {
        self.init(error)
        let export = "a report reads what an export wrote: clover export --for-reports --to sqlite:FILE"
        switch error {
        case .notDatabase(let path):
            (status, code) = (.badData, "not_a_database")
            message = "\(path) is not an SQLite database, or is damaged"
            hints = [export]
        case .notFile(let path):
            (status, code) = (.badData, "not_a_database")
            message = "\(path) is not a regular file, and so no SQLite database"
            hints = [export]
        case .readOnly(let path):
            (status, code) = (.inputOutput, "cannot_read")
            message = "cannot open \(path) to read it: no permission"
            hints = ["let this user read the file, and write to its directory if an export is under way"]
        case .missing(let path) where !DatabaseAddress.isMeant(by: path):
            hints = ["export to it first: clover export --for-reports --to sqlite:\(path)"]
        case .missing(let path):
            hints = ["create it and export to it: createdb NAME, then clover export --for-reports --to \(path)"]
        case .newerVersion: hints = ["install the newer clover"]
        case .busy: hints = ["end the transaction there, and run the report again"]
        case .away: hints = ["run the report again when the server is there"]
        case .full(let path):
            message = "cannot read \(path): no space is left for SQLite's temporary files"
            hints = ["free some space in /var/tmp, or set SQLITE_TMPDIR, and run the report again"]
        case .failed(let path, _, let reason): message = "cannot read \(path): \(reason)"
        case .notAllowed:
            hints = ["a report reads tables: GRANT SELECT ON ALL TABLES IN SCHEMA ... TO ..."]
        case .interrupted, .noDirectory, .notExported, .refused, .notSecure, .libraryMissing, .badAddress,
            .temporaryFile, .foreignTable, .foreignColumn, .lostColumn, .numberedRows, .otherMerchant, .overtaken,
            .badStatement, .notQuery:
            break
        }
    }

    /// - Parameter today: the shop's date, if it is known.
    init(_ error: PeriodError, today: String?) {
        let message: String
        var hints: [String] = []
        switch error {
        case .malformed(let text):
            message = "'\(text)' is not a period"
            let near = NearestNames.of(text, among: Period.words)
            if !near.isEmpty { hints.append("did you mean \(near.joined(separator: " or "))?") }
            if let found = text.wholeMatch(of: /([0-9]{1,2})[\/.]([0-9]{4})/) {
                hints.append("did you mean \(found.2)-\(found.1.count == 1 ? "0" : "")\(found.1)?")
            }
            if let found = text.wholeMatch(of: /([0-9]{4})[-\/.]([0-9]{1,2})(?:[-\/.]([0-9]{1,2}))?/) {
                let parts = [found.1, found.2] + [found.3].compactMap(\.self)
                let meant = parts.map { $0.count == 1 ? "0\($0)" : "\($0)" }.joined(separator: "-")
                if Period.whole(meant, today: 0) != nil { hints.append("did you mean \(meant)?") }
            }
            hints += Self.yearHints(text)
            hints.append(
                "a period is \(Period.words.joined(separator: ", ")), 2026, 2026-Q3, 2026-10, 2026-10-15, or two joined by '..'"
            )
        case .reversed(let text):
            message = "the period '\(text)' ends before it begins"
        case .future(let text):
            message = "the period '\(text)' has not begun" + (today.map { ": today it is \($0) at the shop" } ?? "")
        }
        self.init(code: "bad_period", status: .usage, message: message, hints: hints)
    }

    /// How to write the quarter or the month that was meant by `q1`, `january` or `jan 2026`.
    private static func yearHints(_ text: String) -> [String] {
        if let quarter = text.wholeMatch(of: /[qQ]([1-4])/) {
            return ["a quarter is written with its year, such as 2026-Q\(quarter.1)"]
        }
        let names = [
            "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
            "november", "december",
        ]
        guard let found = text.lowercased().wholeMatch(of: /([a-z]{3,})\.?(?:[ -]?([0-9]{4}))?/),
            let month = names.firstIndex(where: { $0.hasPrefix(found.1) })
        else { return [] }
        let digits = (month < 9 ? "0" : "") + "\(month + 1)"
        return [
            found.2.map { "did you mean \($0)-\(digits)?" }
                ?? "a month is written with its year, such as 2026-\(digits)"
        ]
    }
}
