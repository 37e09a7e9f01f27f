import ArgumentParser
import CloverCore

extension Charge {
    /// `clover charge recover`.
    struct Recover: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "recover",
            abstract: "Settle charges whose outcome a crash or a lost response left open",
            discussion: """
                Examples:
                  clover charge recover c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z
                  clover charge recover --all
                  */5 * * * * clover charge recover --all --quiet

                Asks Clover by the payment's ID or the charge's external ID, or searches Clover's charges. A capture, \
                refund or similar operation is repeated under its own key for an hour. A new key is never used. If \
                Clover does not show a charge, that proves nothing: the charge stays unknown until Clover shows it, or \
                until you record what the dashboard shows with 'clover charge settle'. A payment that may or may not \
                be the charge is named.

                For a reader, the driver that was named for the charge is asked; --driver names another one. Only the \
                driver of the charge can prove that there was no payment, and only if it keeps a record that outlives \
                it: see clover-reader-driver(5).

                For seven days, --all asks again about outcomes that were entered by hand or that rest on records that \
                showed nothing. A partial approval that you did not accept is given back.

                Waits for the service's limits are reported. A wait ends with --max-time or Ctrl-C; what could not be \
                asked about is still unknown.

                You can run it at any time, also several times at once: only one process works on an operation. With \
                --all, operations that another process is working on are skipped.

                Exit statuses:
                  0   everything is settled; for one charge, it was approved
                  74  standard output cannot be written
                  75  other processes still work on some; everything else is settled
                  79  for one charge, a part was approved
                  80  something is still unknown, or contradicts what was entered by hand
                  81  for one charge, nothing moved
                  82  some could not be worked on
                """
        )

        @Argument(help: ArgumentHelp("ID of a charge, or of an operation on it.", valueName: "id"), completion: .asked)
        var identifier: String?

        @Flag(name: .long, help: "Recover everything that is not settled.")
        var all = false

        @Option(
            name: .customLong("settle-after"), parsing: .unconditional,
            help: ArgumentHelp("Has no effect: time alone proves nothing.", valueName: "duration", visibility: .hidden))
        var settleAfter: String?

        @OptionGroup
        var limits: MaxTimeOptions

        @OptionGroup
        var driver: DriverProgramOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if let identifier, all {
                // A word after an unknown option is parsed as the ID.
                throw ValidationError("choose what to recover: '\(identifier)' or --all, not both")
            }
            guard identifier != nil || all else { throw ValidationError("choose what to recover: an ID, or --all") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            var run = RecoverCharges(identifier, connection: connection.choice, describing: Self.describe)
            run.drivers = try driver.choice()
            if let settleAfter { _ = try DurationExpression.seconds(settleAfter) }
            run.maximumTime = try limits.seconds(await environment.settings(for: connection.choice))
            run.isJSON = messages.json
            run.isQuiet = environment.diagnostics.level == .quiet
            try await run.run(in: environment)
            return ExitStatus.done.rawValue
        }

        @Sendable private static func describe(_ error: any Error) -> FailureDetails? {
            guard case .report(let report) = ErrorReport.ending(of: error) else { return nil }
            return report.facts
        }
    }
}
