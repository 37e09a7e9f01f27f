import ArgumentParser
import CloverEmulator
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
            FileOutput.write(UsageText.text(message(for: error), arguments: arguments), to: STDERR_FILENO)
            Glibc.exit(ExitCode.validationFailure.rawValue)
        }
    }
}

/// Messages for invalid arguments, in the form of clover's own: what is wrong, then what to do.
enum UsageText {
    /// - Parameters:
    ///   - message: ArgumentParser's message, of one or two sentences.
    ///   - arguments: the arguments, without the program's name.
    static func text(_ message: String, arguments: [String]) -> String {
        let arguments = arguments.filter { $0 != "--" }
        let commands = Main.configuration.subcommands.map { $0._commandName }.sorted()
        let command = arguments.first.flatMap { commands.contains($0) ? $0 : nil }
        let (reason, near) = parts(message.split(separator: "\n").first.map(String.init) ?? message)
        var lines: [String]
        if command == nil, let word = arguments.first, !word.hasPrefix("-") {
            lines = ["there is no command '\(word)'", "commands: " + commands.joined(separator: ", ")]
        } else {
            lines = [reason] + ((help(near: reason) ?? near).map { ["did you mean: " + $0] } ?? [])
        }
        lines.append("see 'clover-emulator help\(command.map { " " + $0 } ?? "")'")
        return "clover-emulator: " + lines.joined(separator: "\n  ") + "\n"
    }

    /// Suggests `--help` for a word one typing mistake away from it: ArgumentParser does not suggest its own option.
    private static func help(near reason: String) -> String? {
        guard let word = reason.split(separator: "'").dropFirst().first, word.hasPrefix("--") else { return nil }
        let (typed, right) = (Array(word.dropFirst(2).lowercased()), Array("help"))
        let start = zip(typed, right).prefix { $0 == $1 }.count
        let (head, tail) = (typed.dropFirst(start), right.dropFirst(start))
        let end = zip(head.reversed(), tail.reversed()).prefix { $0 == $1 }.count
        let (wrong, wanted) = (Array(head.dropLast(end)), Array(tail.dropLast(end)))
        // A letter too many, missing or wrong, or two exchanged ones.
        return max(wrong.count, wanted.count) <= 1 || wrong.count == 2 && wrong.reversed() == wanted ? "--help" : nil
    }

    /// Splits off the suggestion at the end of ArgumentParser's message; its error has no separate property for it.
    private static func parts(_ message: String) -> (reason: String, near: String?) {
        let reason = message.prefix(1).lowercased() + message.dropFirst()
        let mark = ". Did you mean '"
        guard let place = reason.firstRange(of: mark), reason.hasSuffix("'?") else { return (reason, nil) }
        return (String(reason[..<place.lowerBound]), String(reason[place.upperBound...].dropLast(2)))
    }
}

/// Stops the process at the end of standard input.
enum InputEnd {
    /// Sends this process SIGTERM as soon as standard input ends. Input is discarded.
    static func stopsThisProcess() {
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { _ in
                var bytes = (0 as UInt64, 0 as UInt64)
                while true {
                    let count = read(STDIN_FILENO, &bytes, MemoryLayout.size(ofValue: bytes))
                    if count == 0 || count < 0 && errno != EINTR { break }
                }
                kill(getpid(), SIGTERM)
                return nil
            }, nil)
        // Without the thread the end of the input would go unnoticed.
        if failure == 0 { pthread_detach(thread) } else { kill(getpid(), SIGTERM) }
    }
}
