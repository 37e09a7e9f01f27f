import CloverAPI
import CloverCalendar
import CloverCore
import CloverOutput
import CloverReports

/// Why a report cannot be made, or is not proved.
enum ReportError: Error {
    /// `today`: the shop's date, if it is known.
    case period(PeriodError, today: String?)
    case dayStart(String)
    /// A record that cannot be read.
    case record(ReportRecordError)
    /// A list or the shop's settings must not be read; `alternative`: how to do without, for people.
    case notAllowed(ErrorReport, alternative: String)
    /// A list is incomplete; the report of the rest was printed.
    case incomplete(CoreError)
    /// The report was printed, and does not add up.
    case doesNotAddUp([String])
    /// Shops could not be reported; the report of the others was printed.
    case shopsFailed([String])
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
    /// Whether all that was asked for was printed.
    var isPrinted: Bool {
        switch self {
        case .doesNotAddUp, .shopsFailed, .findings: true
        default: false
        }
    }

    /// Why a receipt does not name the run complete. Findings of a reconciliation are complete.
    var reasons: [String] {
        switch self {
        case .findings: []
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
        case .record(let error):
            let name = "\(error.record)\(error.identifier.map { " \($0)" } ?? "")"
            self.init(
                code: "bad_record", status: .nonsense,
                message: error.field.isEmpty
                    ? "a \(error.record) from the service is not an object"
                    : "the \(name) has no usable '\(error.field)', so nothing was reported",
                hints: error.identifier.map { ["see it: clover get \(error.record)s \($0)"] } ?? [])
        case .notAllowed(let report, let alternative):
            self = report
            hints.append(alternative)
        case .incomplete(let problem):
            self.init(problem)
            // Options of 'get' are of no use here.
            hints = ["everything else was read and is in the output; run it again, or with a shorter --period"]
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

    /// - Parameter today: the shop's date, if it is known.
    init(_ error: PeriodError, today: String?) {
        let message: String
        var hints: [String] = []
        switch error {
        case .malformed(let text):
            message = "'\(text)' is not a period"
            let near = NearestNames.of(text, among: Period.words)
            if !near.isEmpty { hints.append("did you mean \(near.joined(separator: " or "))?") }
            hints.append(
                "a period is \(Period.words.joined(separator: ", ")), 2026, 2026-10, 2026-10-15, or two joined by '..'")
        case .reversed(let text):
            message = "the period '\(text)' ends before it begins"
        case .future(let text):
            message = "the period '\(text)' has not begun" + (today.map { ": today it is \($0) at the shop" } ?? "")
        }
        self.init(code: "bad_period", status: .usage, message: message, hints: hints)
    }
}
