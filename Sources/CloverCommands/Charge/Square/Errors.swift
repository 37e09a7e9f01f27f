import ArgumentParser
import CloverCore
import CloverSquare

extension Charge.Square {
    /// `clover charge square errors`.
    struct Errors: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "errors",
            abstract: "List the errors of Square's SDK and app, and what to do about them",
            discussion: """
                Examples:
                  clover charge square errors
                  clover charge square errors --sdk register-2.1
                  clover charge square errors --json | jq -r 'select(.number == 15)|.remedy'

                SCCErrorDomain has the errors that the SDK itself finds, SCCAPIErrorDomain those that the app reports. \
                'wire' is the SDK's text for an error; 'accepted' lists every text that is recognized as it.

                Prints one JSON object a line, or text on a terminal.
                """
        )

        @Option(
            name: .long,
            help: ArgumentHelp(
                "Names and texts to show: those of the Register SDK 2.1 or of the Point of Sale SDK 3.5.4.",
                valueName: "sdk"))
        var sdk = SquareProfile.newest

        @OptionGroup(title: "Messages")
        var paging: PagingOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = paging.applied(to: messages.applied(to: environment))
            let rows = SquareErrorTable.rows(profile: sdk)
            let isForPerson = environment.terminal.isOutputTerminal && !messages.json
            let text =
                isForPerson
                ? SquareErrorText.page(rows, in: environment)
                : rows.map { $0.json.written() + "\n" }.joined()
            try await StandardOutput.show(text, isTable: isForPerson, in: environment)
            return 0
        }
    }
}
