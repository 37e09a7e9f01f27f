import ArgumentParser
import CloverCore
import CloverPayments

extension Charge {
    /// `clover charge list`.
    struct List: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the charges of the journal, the newest first",
            discussion: """
                Examples:
                  clover charge list
                  clover charge list --state unknown
                  clover charge list --limit 100 --json | jq -c '{charge,status,amount}'

                One JSON object a line, a table on a terminal. The service is not asked.
                """
        )

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("List so many at most.", valueName: "count"))
        var limit = 20

        @Option(
            name: .long,
            help: ArgumentHelp("Only charges in this state.", valueName: "state"))
        var state: OperationState?

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            guard limit >= 1 else { throw ValidationError("--limit takes a whole number from 1, not \(limit)") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            let reports = try await ChargeReport.all(limit: limit, state: state, in: environment)
            let isTable = environment.terminal.isOutputTerminal && !messages.json
            let text =
                isTable
                ? AlignedRows.text(head: ChargeReport.head, reports.map(\.cells), in: environment)
                : reports.map { $0.json + "\n" }.joined()
            try await StandardOutput.print(text, in: environment)
            return ExitStatus.done.rawValue
        }
    }
}

extension OperationState: ExpressibleByArgument {}
