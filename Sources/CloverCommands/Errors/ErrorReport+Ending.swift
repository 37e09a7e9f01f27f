import CloverAPI
import CloverAuth
import CloverCallback
import CloverCompression
import CloverConfiguration
import CloverCore
import CloverExport
import CloverJQ
import CloverPacing
import CloverPayments
import CloverReaders
import CloverRecords
import CloverStorage
import Glibc

extension ErrorReport {
    /// The consequence of an error for the process.
    enum Ending {
        case report(ErrorReport)
        case outputClosed
        /// Not an error of ours.
        case foreign
    }

    /// Maps an error to its report; each error type has an exhaustive initializer of its own.
    static func ending(of error: any Error) -> Ending {
        switch error {
        case let error as QueryError: .report(ErrorReport(error))
        case let error as ServiceError: .report(ErrorReport(error))
        case let error as ImpossibleBeginning: .report(ErrorReport(error))
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
        case let error as RefreshError: .report(ErrorReport(error))
        case let error as SecretVaultError: .report(ErrorReport(error))
        case let error as CallbackError: .report(ErrorReport(error))
        case let error as SquareError: .report(ErrorReport(error))
        case let error as StorageError: .report(ErrorReport(error))
        case let error as StateDatabaseError: .report(ErrorReport(error))
        case let error as ReaderError: .report(ErrorReport(error))
        case let error as DriverTrouble: .report(ErrorReport(error.error, driver: ShellWord.quoted(error.command)))
        case let error as ReaderFault: .report(ErrorReport(error))
        case let error as ChargeFailure: .report(ErrorReport(error))
        case let error as MaximumTimeRanOut: .report(ErrorReport(error))
        case let error as PlanRefusal: .report(ErrorReport(error))
        case let error as AmountRefusal: .report(ErrorReport(error))
        case let error as CardData.Fault: .report(ErrorReport(error))
        case let error as TypedCardFault: .report(ErrorReport(error))
        case let error as JournalError: .report(ErrorReport(error))
        case let error as LedgerError: .report(ErrorReport(error))
        case let error as ExportError: .report(ErrorReport(error))
        case let error as ScheduleError: .report(ErrorReport(error))
        case let error as ExportAPIError: .report(ErrorReport(error))
        case let error as SingerStateError: .report(ErrorReport(error))
        case let error as ExportEnding: .report(ErrorReport(error))
        case let error as CompressionError: .report(ErrorReport(error))
        case let error as JQError: .report(ErrorReport(error))
        case let error as DescriptorReader.Failure:
            .report(
                ErrorReport(
                    code: "read_failed", status: .inputOutput,
                    message: "cannot read standard input: \(String(cString: strerror(error.errno)))"))
        case let error as DebugParts.UnknownName:
            .report(
                ErrorReport(
                    code: "unknown_debug_part", status: .usage,
                    message: "CLOVER_DEBUG: there is no '\(error.name)' to debug",
                    hints: ["there are: " + DebugParts.names.joined(separator: ", ")]))
        case let error as VariableError: .report(ErrorReport(error))
        case let error as RecordFormatError: .report(ErrorReport(error))
        case let error as RecordWriteError: ErrorReport(error).map { .report($0) } ?? .outputClosed
        default: .foreign
        }
    }
}
