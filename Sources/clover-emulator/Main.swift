import ArgumentParser
import Glibc

/// A local Clover service: to try things out, for tests, and for users' own CI.
@main
struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clover-emulator",
        abstract: "Run a local Clover merchant for trying things out and for tests",
        discussion: """
            Examples:
              clover-emulator serve
              clover-emulator serve --orders 1000 --fault 503-html:0.1
              clover reader scan --first --driver 'clover-emulator reader-driver'

            It listens on 127.0.0.1 only, stores nothing without --state, and makes no network requests.
            """,
        subcommands: [ServeCommand.self, ReaderDriverCommand.self])

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            // Requests for help, and errors that a command has already reported.
            guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
            let arguments = Array(CommandLine.arguments.dropFirst())
            ProgramOutput.write(UsageText.text(message(for: error), arguments: arguments), to: STDERR_FILENO)
            Glibc.exit(ExitCode.validationFailure.rawValue)
        }
    }
}
