import ArgumentParser
import CloverAPI
package import CloverCore
import CloverHTTP
import CloverJQ
import CloverProcesses
import CloverRecords
import Glibc

/// The whole program but for its process: parses arguments, runs the command, reports errors, gives the exit status.
package enum Program {
    package enum Ending: Sendable, Equatable {
        case status(Int32)
        /// Nobody reads standard output any more: the process ends quietly, as by SIGPIPE.
        case outputClosed
        /// The task was cancelled, by a signal.
        case cancelled
    }

    /// - Parameter arguments: without the program's name.
    package static func run(_ arguments: [String], in environment: CommandEnvironment) async -> Ending {
        let arguments = Emulator.asked(arguments) ?? arguments
        var environment = environment
        let isJSON =
            arguments.contains("--json")
            || environment.variables[Variable.errors.name]?.lowercased() == "json"
                && !environment.terminal.isErrorTerminal
        environment.diagnostics.style = isJSON ? .json : .text
        endOnExhaustion(environment.diagnostics)
        if environment.terminal.isOutputTerminal, arguments.contains("--json") {
            await environment.standardOutput.sanitize(.json)
        }
        // Asked for often, by scripts that look what they have, and answered without the parser's start-up.
        if arguments == ["--version"] { return await printHelp(CloverVersion.text, in: environment) }
        for name in ChildVariables.secrets {
            if let secret = environment.variables[name] { environment.diagnostics.mask.hide(Secret(secret)) }
        }
        if arguments.first == CompletionQuery.mark {
            // What a shell cannot say rightly, such as fish without a terminal, has no answer, and no error either.
            guard let query = CompletionQuery(arguments) else { return .status(0) }
            return await printHelp(CompletionAnswer(query: query, environment: environment).text(), in: environment)
        }
        if let text = HelpTopic.text(arguments) { return await printHelp(text, in: environment) }
        if let refusal = HelpTopic.refusal(arguments) { return end(refusal, in: environment) }
        do {
            guard let command = try parsed(ArgumentPairs.joined(arguments)) else { return .status(0) }
            // A doctor tells of what is wrong with them, and goes on.
            if !(command is DoctorCommand) { environment = try MessageVariables.applied(to: environment) }
            let status = try await command.run(in: environment)
            try await environment.standardOutput.endPaging()
            return .status(status)
        } catch {
            return await end(error, arguments: arguments, in: environment)
        }
    }

    /// A jq program that gets no memory ends the run at once: libjq cannot give up one record.
    private static func endOnExhaustion(_ diagnostics: Diagnostics) {
        JQMemory.onExhaustion {
            let status = ExitStatus.badData.rawValue
            diagnostics.failure(
                "the jq program needs more memory than there is; the output so far is not complete", code: "jq_memory",
                status: status)
            _exit(status)
        }
    }

    /// The command that is to run; nil when there is nothing left to do.
    private static func parsed(_ arguments: [String]) throws -> (any CloverCommand)? {
        if let command = NamedCommand(arguments)?.parsed() { return command }
        var command = try Clover.parseAsRoot(arguments)
        if let command = command as? any CloverCommand { return command }
        // Only commands that have subcommands: they throw a request for help.
        try command.run()
        return nil
    }

    private static func end(
        _ error: any Error, arguments: [String], in environment: CommandEnvironment
    ) async -> Ending {
        do throws(RecordWriteError) {
            // Before anything is said, which would stand in the middle of the pager's screen.
            try await environment.standardOutput.endPaging()
        } catch {
            // The first error tells more.
        }
        if error is CancellationError { return .cancelled }
        let report: ErrorReport
        switch ErrorReport.ending(of: error) {
        case .outputClosed: return .outputClosed
        case .report(let found): report = found
        case .foreign:
            // ArgumentParser's own: a request for help or the version, or arguments that it refuses.
            if Clover.exitCode(for: error) == .success {
                return await printHelp(helpText(error, arguments, in: environment), in: environment)
            }
            report = ErrorReport(
                code: "usage", status: .usage,
                message: withoutValues(firstLowercased(Clover.message(for: error)), arguments: arguments),
                hints: rootHints(arguments) + exportHints(arguments, error) + countHints(error) + [helpHint(arguments)])
        }
        return end(report.naming(choice(in: arguments)), in: environment)
    }

    /// What comes nearest to an option of 'get' that an export has not.
    private static func exportHints(_ arguments: [String], _ error: any Error) -> [String] {
        guard arguments.first == "export" else { return [] }
        let message = Clover.message(for: error)
        let nearest = [
            (
                "--dry-run",
                "what is wrong with an export is told, and nothing sent, by: clover export schedule --every 1d -- ..."
            ),
            ("--curl", "a request as a curl command: clover get RESOURCE --curl"),
            ("--slurp", "an export has a record a line; all in one array: clover get RESOURCE --all --slurp"),
        ]
        return nearest.filter { message.contains("'\($0.0)'") }.map(\.1)
    }

    /// What a count is, where one was typed that is none.
    private static func countHints(_ error: any Error) -> [String] {
        let message = Clover.message(for: error)
        return message.contains("is invalid for") && message.contains("<count>'") ? ["a count is a whole number"] : []
    }

    private static func end(_ report: ErrorReport, in environment: CommandEnvironment) -> Ending {
        environment.diagnostics.write(report: environment.diagnostics.style == .json ? report.json : report.text)
        return .status(report.status.rawValue)
    }

    /// The sign-in that was chosen by flags.
    private static func choice(in arguments: [String]) -> ConnectionChoice {
        func value(_ name: String) -> String? {
            if let index = arguments.firstIndex(of: name) { return arguments[(index + 1)...].first }
            return arguments.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
        }
        return ConnectionChoice(
            profile: value("--profile"), environment: value("--environment"), merchantID: value("--merchant"))
    }

    /// What ArgumentParser shows when it is asked for something, with what it cannot know.
    private static func helpText(
        _ request: any Error, _ arguments: [String], in environment: CommandEnvironment
    ) -> String {
        if arguments.contains(where: { $0.hasPrefix("--generate-completion-script") }) {
            return HelpCompletion.added(to: Clover.fullMessage(for: request))
        }
        guard let width = environment.terminal.width, width < NarrowPage.usualWidth else {
            let page = Clover.fullMessage(for: request)
            return NarrowPage.withFittingUsage(page, width: environment.terminal.width ?? NarrowPage.usualWidth)
                + StatusLines.end(of: page, arguments)
        }
        let page = Clover.fullMessage(for: request, columns: NarrowPage.unwrapped)
        return NarrowPage.text(page + StatusLines.end(of: page, arguments), width: width)
    }

    private static func printHelp(_ text: String, in environment: CommandEnvironment) async -> Ending {
        do {
            try await StandardOutput.print(text + "\n", in: environment)
            return .status(0)
        } catch {
            guard case .report(let report) = ErrorReport.ending(of: error) else { return .outputClosed }
            environment.diagnostics.write(report: report.text)
            return .status(report.status.rawValue)
        }
    }

    /// The option of the program itself that may be meant by the first word.
    private static func rootHints(_ arguments: [String]) -> [String] {
        guard let word = arguments.first, word.hasPrefix("--") else { return [] }
        let near = NearestNames.of(word, among: ["--help", "--version"])
        return near.isEmpty || near.contains(word) ? [] : ["did you mean: " + near.joined(separator: ", ")]
    }

    private static func helpHint(_ arguments: [String]) -> String {
        let names = Clover.configuration.subcommands.map { $0._commandName }
        var command = arguments.first.flatMap { names.contains($0) ? " " + $0 : nil } ?? ""
        if arguments.first == "auth", let second = arguments.dropFirst().first {
            let verbs = Auth.configuration.subcommands.map { $0._commandName }
            if verbs.contains(second) {
                command += " " + second
            } else {
                return "auth has the commands \(verbs.joined(separator: ", ")); see 'clover help auth'"
            }
        }
        if arguments.first == "charge" {
            let names = Charge.configuration.subcommands.map { $0._commandName }
            // Without a verb it is a charge that is meant.
            let verb = arguments.dropFirst().first.flatMap { names.contains($0) ? $0 : nil } ?? "create"
            command += " " + verb
            let verbs = Charge.Square.configuration.subcommands.map { $0._commandName }
            if verb == Charge.Square._commandName, let third = arguments.dropFirst(2).first {
                guard verbs.contains(third) else {
                    return "square has the commands \(verbs.joined(separator: ", ")); see 'clover help charge square'"
                }
                command += " " + third
            }
        }
        if arguments.first == "export" {
            let names = Export.configuration.subcommands.map { $0._commandName }
            // Without a verb it is a run that is meant.
            command += " " + (arguments.dropFirst().first.flatMap { names.contains($0) ? $0 : nil } ?? "run")
        }
        if arguments.first == "reader", let verb = arguments.dropFirst().first,
            ReaderCommand.configuration.subcommands.contains(where: { $0._commandName == verb })
        {
            command += " " + verb
        }
        let commands = names.sorted().joined(separator: ", ")
        return command.isEmpty ? "commands: \(commands); see 'clover help'" : "see 'clover help\(command)'"
    }

    private static func firstLowercased(_ text: String) -> String {
        let line = text.split(separator: "\n").first.map(String.init) ?? text
        // A name that is written in capitals stays so.
        let isName = line.dropFirst().first?.isUppercase ?? false
        return isName ? line : line.prefix(1).lowercased() + line.dropFirst()
    }

    /// A token that was typed where none is taken must not come back in the message; options may.
    private static func withoutValues(_ message: String, arguments: [String]) -> String {
        if arguments.first == "charge" {
            // What looks like a card's number.
            return arguments.filter { $0.count(where: \.isNumber) >= 12 }
                .reduce(message) { $0.replacing($1, with: "(not shown)") }
        }
        guard arguments.first == "auth" else { return message }
        return arguments.filter { !$0.hasPrefix("-") && $0.utf8.count >= 8 }
            .reduce(message) { $0.replacing("'\($1)'", with: "(not shown)") }
    }
}
