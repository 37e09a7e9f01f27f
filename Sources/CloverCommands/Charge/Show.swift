import ArgumentParser
import CloverCore
import CloverRecords

extension Charge {
    /// `clover charge show`.
    struct Show: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show one charge: its states, and the operations on it",
            discussion: """
                Examples:
                  clover charge show c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z
                  clover charge show c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --json | jq -r .status
                  clover charge show c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --check --jq .service

                With --check, also asks the service and shows whether it agrees; nothing is changed. Without --check, \
                the service is asked only for a terminal, for the merchant's time zone. To settle what is open, run \
                'clover charge recover'.
                """
        )

        @Argument(help: ArgumentHelp("The charge, or an operation on it.", valueName: "id"), completion: .asked)
        var identifier: String

        @Flag(name: .long, help: "Also ask the service about the charge.")
        var check = false

        @OptionGroup(title: "What to print")
        var printing: OwnRecordOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            let records = try await printing.records(messages, in: environment)
            let charge = try await ChargeReport.one(
                identifier, checking: check ? connection.choice : nil, in: environment)
            let merchant = ChargeReport.merchant(of: [charge], connection.choice, in: environment)
            guard !records.isOpen(in: environment) else {
                let times = try await DisplayedTimes.ofMerchant(
                    records.format.zone, connection.choice, merchant: merchant, in: environment)
                let width = environment.terminal.width
                let lines = charge.lines(times).flatMap { FoldedText.lines($0, indent: 4, width: width) }
                try await StandardOutput.print(lines.map { $0 + "\n" }.joined(), in: environment)
                if let notice = times.notice { environment.diagnostics.notice(notice) }
                return ExitStatus.done.rawValue
            }
            let report = try await records.print(
                [charge.json], try ChargeReport.schema(), merchant: merchant, in: environment)
            return printing.jq.ending(of: report, in: environment)
        }
    }
}
