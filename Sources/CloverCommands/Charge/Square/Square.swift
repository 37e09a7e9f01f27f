import ArgumentParser
import CloverCore
import CloverSquare

extension Charge {
    /// `clover charge square`.
    struct Square: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "square",
            abstract: "Hand a payment to the Square app, and read its response",
            discussion: """
                Examples:
                  clover charge square request --client-id ID --callback-url my-app://paid \\
                    --amount 12.50 --currency USD --state table-9
                  clover charge square response \\
                    'my-app://paid/square_request?data=%7B%22status%22%3A%22ok%22%7D'
                  clover charge square errors

                The Square app takes the payment, on a phone or tablet. 'request' makes the URL that opens it, as \
                Square's own SDK does; 'response' reads the URL by which the app responds. Nothing is sent to any \
                server: the journal of charges keeps each request and its outcome.
                """,
            subcommands: [Request.self, Response.self, Errors.self, Listen.self, Settle.self]
        )
    }
}

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
            let environment = paging.applied(to: environment)
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

/// Square's error tables as text for a person: the sentences are too long for a table's columns.
enum SquareErrorText {
    private static let indentation = 6
    /// For a terminal that does not report its width.
    private static let usualWidth = 80

    static func page(_ rows: [SquareErrorTable.Row], in environment: CommandEnvironment) -> String {
        let width = max(40, environment.terminal.width ?? usualWidth) - indentation
        var lines: [String] = []
        var domain = ""
        for row in rows {
            if row.domain != domain {
                domain = row.domain
                if !lines.isEmpty { lines.append("") }
                lines += FoldedText.lines(heading(domain), indent: 2, width: width + indentation)
            }
            let names = [row.name] + (row.wire.map { [$0.string] } ?? [])
            var text = FoldedText.lines(names, separator: "  ", width: width, breaksWords: false)
            for sentence in [row.meaning, "do: \(row.remedy)"] {
                let words = sentence.split(separator: " ").map(String.init)
                text += FoldedText.lines(words, width: width)
            }
            let margin = String(repeating: " ", count: indentation)
            let number = String((margin + String(row.number)).suffix(indentation - 2)) + "  "
            lines += zip([number] + repeatElement(margin, count: text.count - 1), text).map { $0 + $1 }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func heading(_ domain: String) -> String {
        domain == SquareErrorCode.domain
            ? "\(domain): errors that the SDK itself finds" : "\(domain): errors that the Square app reports"
    }
}
