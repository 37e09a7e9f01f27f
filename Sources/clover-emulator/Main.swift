import ArgumentParser
import Glibc

/// A local Clover: try-out, test bed, and what users put in their own CI.
@main
struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clover-emulator",
        abstract: "A local Clover merchant to try things out and to test against",
        discussion: """
            Examples:
              clover-emulator serve
              clover-emulator serve --orders 1000 --fault 503-html:0.1
              clover reader scan --first --driver 'clover-emulator reader-driver'

            It listens on 127.0.0.1 only, keeps nothing unless told to, and talks to nobody.
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
            // Requests for help, and errors that a command has told of already.
            guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
            let arguments = Array(CommandLine.arguments.dropFirst())
            ProgramOutput.write(UsageText.text(message(for: error), arguments: arguments), to: STDERR_FILENO)
            Glibc.exit(ExitCode.validationFailure.rawValue)
        }
    }
}
