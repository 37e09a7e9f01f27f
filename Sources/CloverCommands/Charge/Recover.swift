import ArgumentParser
import CloverCore

extension Charge {
    /// `clover charge recover`.
    struct Recover: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "recover",
            abstract: "Settle what a crash or a lost answer left open",
            discussion: """
                Examples:
                  clover charge recover c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z
                  clover charge recover --all
                  */5 * * * * clover charge recover --all --quiet

                Clover is asked by the payment's id or the charge's external id, or its list of charges is read; a capture, \
                refund or the like is repeated under its own key for an hour. A new key is never used. That Clover does not \
                show a charge proves nothing: the charge stays unknown until Clover shows it, or until you record what the \
                dashboard shows with 'clover charge settle'. A payment that only may be the charge is named. \
                A reader's driver is asked as it was named for the charge; --driver names another one. Only the driver of the \
                charge can prove that there was no payment, and only with a record that outlives it: see \
                clover-reader-driver(5).

                For seven days --all asks again about ends that rest on your word or on silent records. A part of a charge \
                that was approved against your wish is given back.

                A wait for the service's limits is told. After --max-time it ends, and so does it with Ctrl-C; what could not be \
                asked about is still unknown.

                Run it at any time, also several at once: one process works on an operation. With --all, operations that \
                another process works on are skipped.

                Exit statuses:
                  0   everything is settled; of one charge, it was approved
                  75  other processes still work on some; everything else is settled
                  79  of one charge, a part was approved
                  80  something is still unknown, or not as was said by hand
                  81  of one charge, nothing moved
                  82  some could not be worked on
                """
        )

        @Argument(help: ArgumentHelp("A charge, or an operation on one.", valueName: "id"), completion: .asked)
        var identifier: String?

        @Flag(name: .long, help: "Everything that is not settled.")
        var all = false

        @Option(
            name: .customLong("settle-after"), parsing: .unconditional,
            help: ArgumentHelp("Has no effect: time alone proves nothing.", valueName: "duration", visibility: .hidden))
        var settleAfter: String?

        @OptionGroup
        var patience: PatienceOptions

        @OptionGroup
        var driver: DriverProgramOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if let identifier, all {
                // What follows an option that is not known is taken for the ID.
                throw ValidationError("say what to recover: '\(identifier)', or --all, and not both")
            }
            guard identifier != nil || all else { throw ValidationError("say what to recover: an ID, or --all") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            var run = RecoverCharges(identifier, connection: connection.choice, describing: Self.describe)
            run.drivers = try driver.choice()
            if let settleAfter { _ = try DurationExpression.seconds(settleAfter) }
            run.maximumTime = try patience.seconds(await environment.settings(for: connection.choice))
            run.isJSON = messages.json
            run.isQuiet = environment.diagnostics.level == .quiet
            try await run.run(in: environment)
            return ExitStatus.done.rawValue
        }

        @Sendable private static func describe(_ error: any Error) -> FailureFacts? {
            guard case .report(let report) = ErrorReport.ending(of: error) else { return nil }
            return report.facts
        }
    }
}
