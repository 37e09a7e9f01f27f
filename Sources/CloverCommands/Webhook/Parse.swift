import ArgumentParser
import CloverCore
import CloverWebhooks

extension Webhook {
    /// `clover webhook parse`.
    struct Parse: RecordCommand {
        static let configuration = CommandConfiguration(
            commandName: "parse",
            abstract: "Print the events in saved bodies of webhooks",
            discussion: """
                Examples:
                  clover webhook parse body.json
                  clover webhook parse <bodies.ndjson
                  clover webhook parse body.json --json | jq -r 'select(.path).path'

                Prints one line for each event, as JSON unless it is printed on a terminal: merchant, kind, id, type, \
                at (when it changed) and path, which 'clover get' takes. path is null where Clover has no request for \
                the object, and kind is Clover's own key where this program knows no name for it. The code that \
                Clover's dashboard asks for is a separate line: {"verificationCode":...}. An event of Hosted \
                Checkout has the kind checkout, its status as type, the payment's ID as id, and the session. The type \
                is UNKNOWN if it has no status, and a message other than approved and declined.

                A file, or standard input, has one body or several, on one line each or on many. Nothing is verified: \
                anyone can write a body. What cannot be read as a webhook is reported; the bodies before it and the \
                other files are printed.

                Exit statuses:
                  0   all bodies were printed
                  64  wrong usage
                  65  not JSON, larger than 1 MiB, or not a webhook
                  74  a file cannot be read
                """
        )

        @Argument(
            help: ArgumentHelp("Files with bodies, - for standard input (default: -).", valueName: "file"),
            completion: .file())
        var files: [String] = []

        @OptionGroup(title: "What to print")
        var outputFile: OutputFileOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let printer = WebhookPrinter(isJSON: messages.json, in: environment)
            guard files.count > 1 else {
                try await print(files.first ?? "-", with: printer, in: environment)
                return 0
            }
            var failures: [ErrorReport] = []
            for file in files {
                do {
                    try await print(file, with: printer, in: environment)
                } catch {
                    guard case .report(let report) = ErrorReport.ending(of: error) else { throw error }
                    environment.diagnostics.failure(
                        report.message, code: report.code, status: report.status.rawValue)
                    failures.append(report)
                }
            }
            if let first = failures.first {
                throw WebhookFault.filesFailed(failures.count, of: files.count, status: first.status)
            }
            return 0
        }

        /// Prints the events of all bodies in a file, up to the first one that cannot be read.
        private func print(_ file: String, with printer: WebhookPrinter, in environment: CommandEnvironment)
            async throws
        {
            let lines = try environment.openLines(file == "-" ? nil : file)
            var splitter = WebhookBodySplitter()
            var number = 1
            do {
                while let line = try await lines.next() {
                    guard case .line(let bytes) = line else { throw WebhookBodyError.tooLarge }
                    for body in try splitter.add(bytes + [UInt8(ascii: "\n")]) {
                        try await printer.print(try WebhookBody(body))
                        number += 1
                    }
                }
                if let rest = splitter.rest() { try await printer.print(try WebhookBody(rest)) }
            } catch let error as WebhookBodyError {
                throw WebhookFault.unreadableBody(file, number: number, error)
            }
        }
    }
}
