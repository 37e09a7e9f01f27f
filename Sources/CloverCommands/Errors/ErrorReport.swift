import CloverAPI
import CloverAuth
import CloverCalendar
import CloverCallback
import CloverConfiguration
import CloverCore
import CloverDatabase
import CloverExport
import CloverFeed
import CloverFleet
import CloverJSON
import CloverOutput
import CloverPayments
import CloverRateLimit
import CloverReaders
import CloverSystem
import CloverTables
import CloverWebhooks
import Glibc

/// A failure as the user sees it: what failed, on what, and why; what to do next; and the exit status.
struct ErrorReport: Sendable, Equatable {
    /// A stable identifier for programs, such as `not_found`.
    var code: String
    var status: ExitStatus
    /// One line, lower-case, without a full stop.
    var message: String
    /// What the output has, one fact a line; it stands before the hints. Not true of a file that the run did not replace.
    var outputFacts: [String] = []
    /// What to do next, one step a line.
    var hints: [String] = []
    /// The HTTP status of the response; nil if none came, or if nothing was sent, as during a pause.
    var http: Int?
    /// The requested path.
    var path: String?
    /// Clover's own id of the request, which its support asks for; nil if the service sent none.
    var requestID: String?
    /// The error's identity in the software that defines it; nil for clover's own errors.
    var foreign: ExternalError?

    /// The message; the middle of a very long one is left out, such as one that repeats a page of input.
    private var shortMessage: String {
        guard message.count > Self.longestMessage else { return message }
        return message.prefix(Self.longestMessage - 200) + " ... " + message.suffix(195)
    }

    private static let longestMessage = 1200

    /// `clover: message` with its hints indented below.
    var text: String {
        let support = requestID.map { ["Request ID, for Clover support: \($0)"] } ?? []
        let lines = ["clover: " + shortMessage] + (outputFacts + hints + support).map { "  " + $0 }
        return lines.map(Diagnostics.printable).joined(separator: "\n") + "\n"
    }

    /// One JSON line: `{"error":{...}}`.
    var json: String { "{\"error\":\(facts.json)}\n" }

    /// The same contents, to embed into other output.
    var facts: FailureDetails {
        var facts = FailureDetails(
            code: code, status: status.rawValue, message: shortMessage, hints: outputFacts + hints, http: http,
            path: path)
        facts.foreign = foreign
        facts.requestID = requestID
        return facts
    }
}

extension ErrorReport {
    init(_ code: String, _ status: ExitStatus, _ message: String, _ hints: String...) {
        self.init(code: code, status: status, message: message, hints: hints)
    }

    init(_ code: String, _ status: ExitStatus, _ message: String, hints: [String]) {
        self.init(code: code, status: status, message: message, hints: hints)
    }

    /// The end of a run whose --max-time ran out while nothing of its request was under way.
    /// The first advice about a database that is away is to look at it: more time alone rarely helps.
    init(outOfTime obstacle: Obstacle?, _ message: String, _ hints: String...) {
        let check = obstacle?.check.map { "to see what is wrong with the database: \($0)" }
        let isAway = check != nil
        self.init(
            code: isAway ? Self.databaseAway : "time_ran_out", status: isAway ? .tryAgain : .timeRanOut,
            message: message,
            hints: [check].compactMap(\.self) + hints)
    }

    /// The code of errors because a database cannot be reached.
    static let databaseAway = "database_away"

    /// The consequence of an error for the process.
    enum Ending {
        case report(ErrorReport)
        /// The report is what must be reported although the output is closed; nil for nothing.
        case outputClosed(ErrorReport?)
        /// Not an error of ours.
        case foreign
    }

    /// Maps an error to its report; each error type has its own exhaustive initializer.
    static func ending(of error: any Error) -> Ending {
        switch error {
        case let error as QueryError: .report(ErrorReport(error))
        case let error as ServiceError: .report(ErrorReport(error))
        case let error as APIAddressError: .report(ErrorReport(error))
        case let error as CursorPagesError: .report(ErrorReport(error))
        case let error as ImpossibleOldestRecord: .report(ErrorReport(error))
        case let error as CoreError: .report(ErrorReport(error))
        case let error as ConfigurationError: .report(ErrorReport(error))
        case let error as WriteError: .report(ErrorReport(error))
        case let error as WriteFailure: .report(ErrorReport(error))
        case let error as BodyError: .report(ErrorReport(error))
        case let error as RequestLine.Fault: .report(ErrorReport(error))
        case let error as TokenRefusal: .report(ErrorReport(error))
        case let error as CredentialError: .report(ErrorReport(error))
        case let error as SignInError: .report(ErrorReport(error))
        case let error as OAuthError: .report(ErrorReport(error))
        case let error as SecretVaultError: .report(ErrorReport(error))
        case let error as CallbackError: .report(ErrorReport(error))
        case let error as SquareError: .report(ErrorReport(error))
        case let error as StorageError: .report(ErrorReport(error))
        case let error as StateDatabaseError: .report(ErrorReport(error))
        case let error as ReaderError: .report(ErrorReport(error))
        case let error as DriverProblem: .report(ErrorReport(error.error, driver: ShellWord.quoted(error.command)))
        case let error as ReaderFault: .report(ErrorReport(error))
        case let error as WebhookFault: .report(ErrorReport(error))
        case let error as WebhookSpoolError: .report(ErrorReport(error))
        case let error as ChargeFailure where error.isOfClosedOutput: .outputClosed(ErrorReport(error))
        case let error as ChargeFailure: .report(ErrorReport(error))
        case let error as MaxTimeExceeded: .report(ErrorReport(error))
        case let error as PaymentPlanError: .report(ErrorReport(error))
        case let error as CardFileError: .report(ErrorReport(error))
        case let error as RecurringError: .report(ErrorReport(error))
        case let error as CheckoutError: .report(ErrorReport(error))
        case let error as AmountRefusal: .report(ErrorReport(error))
        case let error as CardData.Fault: .report(ErrorReport(error))
        case let error as TypedCardFault: .report(ErrorReport(error))
        case let error as JournalError: .report(ErrorReport(error))
        case let error as LedgerError: .report(ErrorReport(error))
        case let error as State.NoDatabase: .report(error.report)
        case let error as State.Unreachable: .report(error.report)
        case let error as State.PrivilegesMissing: .report(error.report)
        case let error as FleetMoveError: .report(ErrorReport(error))
        case let error as State.KeyringUnused: .report(error.report)
        case let error as NamesUnreadable: .report(error.report)
        case let error as ReportError: .report(ErrorReport(error))
        case let error as ExportError: .report(ErrorReport(error))
        case let error as TableError: .report(ErrorReport(error))
        case let error as ObjectStoreError: .report(ErrorReport(error))
        case let error as ImportFault: .report(ErrorReport(error))
        case let error as MerchantFailures: .report(error.report)
        case let error as ScheduleError: .report(ErrorReport(error))
        case let error as ExportAPIError: .report(ErrorReport(error))
        case let error as SingerStateError: .report(ErrorReport(error))
        case let error as ExportFailure: .report(ErrorReport(error))
        case let error as FeedError: .report(ErrorReport(error))
        case let error as FollowFailure: .report(ErrorReport(error))
        case let error as CompressionError: .report(ErrorReport(error))
        case let error as JQError: .report(ErrorReport(error))
        case let error as DescriptorReader.Failure:
            .report(
                ErrorReport(
                    "read_failed", .inputOutput,
                    "cannot read standard input: \(String(cString: strerror(error.errno)))"))
        case let error as DebugParts.UnknownName:
            .report(
                ErrorReport(
                    "unknown_debug_part", .usage,
                    "CLOVER_DEBUG takes \(DebugParts.names.joined(separator: ", ")), not '\(error.name)'"))
        case let error as MissingOptionValue: .report(ErrorReport(error))
        case let error as AliasError: .report(ErrorReport(error))
        case let error as VariableError: .report(ErrorReport(error))
        case let error as RecordFormatError: .report(ErrorReport(error))
        case let error as FieldPathError: .report(ErrorReport(.field(error)))
        case let error as TimeZoneError: .report(ErrorReport(.zone(error)))
        case let error as RecordWriteError: ErrorReport(error).map { .report($0) } ?? .outputClosed(nil)
        default: .foreign
        }
    }
}

extension ErrorReport {
    /// An environment variable with a word that it does not accept.
    init(_ error: VariableError) {
        self.init(
            "bad_variable", .usage, "\(error.variable.name) cannot be '\(error.value)'",
            "it is one of: " + error.variable.permitted.joined(separator: ", ") + "; or leave it unset")
    }
}

/// The exit statuses, from sysexits.h where it has one. A number never changes its meaning.
package enum ExitStatus: Int32, Sendable, CaseIterable {
    case done = 0
    case unclassified = 1
    case usage = 64
    case badData = 65
    case notFound = 66
    case unavailable = 69
    case bug = 70
    case cannotCreate = 73
    case inputOutput = 74
    case tryAgain = 75
    case nonsense = 76
    case notAuthorized = 77
    case configuration = 78
    case incomplete = 79
    case outcomeUnknown = 80
    case declined = 81
    case partlyFailed = 82
    case timeRanOut = 83
}
