import ArgumentParser
import CloverAPI
import CloverAuth
package import CloverCore
import CloverHTTP
import CloverOutput
import CloverSystem
import Glibc
import Synchronization

/// The whole program except its process: parses arguments, runs the command, reports errors, and returns the exit
/// status.
package enum Program {
    package enum Ending: Sendable, Equatable {
        case status(Int32)
        /// The reader of standard output has closed it: the process ends quietly, as by SIGPIPE.
        case outputClosed
        /// A signal cancelled the task.
        case cancelled
    }

    /// - Parameter arguments: without the program's name.
    package static func run(_ arguments: [String], in environment: CommandEnvironment) async -> Ending {
        let clock = environment.clock
        let path =
            values(of: "--log-file", in: arguments).last { !$0.hasPrefix("--") }
            ?? environment.variables[RunLogFile.variable]
        guard arguments.first != CompletionQuery.mark,
            let file = RunLogFile(path, arguments: arguments, clock: (clock.wall(), clock.boot()))
        else { return await runUnlogged(arguments, in: environment) }
        var logged = environment
        let log = RunLog()
        logged.runLog = log
        let write: @Sendable (Ending) -> Int32 = { ending in
            var facts = log.facts
            facts.requestIDs = facts.requestIDs.map(environment.diagnostics.mask.masked)
            return file.append(
                ending, facts, bytes: environment.standardOutput.bytesWritten, now: (clock.wall(), clock.boot()))
        }
        pendingLog.withLock { $0 = write }
        let ending = await runUnlogged(arguments, in: logged)
        guard let write = takePendingLog() else { return ending }
        let failure = write(ending)
        if failure != 0 {
            // What the run did stays true, so its status stays.
            environment.diagnostics.notice("cannot write the log \(path ?? ""): \(String(cString: strerror(failure)))")
        }
        return ending
    }

    /// Writes the line of the run that is under way, until it is written.
    private static let pendingLog = Mutex<(@Sendable (Ending) -> Int32)?>(nil)

    private static func takePendingLog() -> (@Sendable (Ending) -> Int32)? {
        pendingLog.withLock { log in
            defer { log = nil }
            return log
        }
    }

    /// Logs a run that a signal ends although its command has not ended, as one that waits for the reader of a full pipe.
    package static func logAbruptEnd() { _ = takePendingLog()?(.cancelled) }

    private static func runUnlogged(_ arguments: [String], in environment: CommandEnvironment) async -> Ending {
        let arguments = HelpTopic.shortened(Emulator.asked(arguments) ?? arguments)
        var environment = environment
        environment.arguments = arguments
        // Errors name Clover's id of the request that failed.
        environment.runLog = environment.runLog ?? RunLog()
        let isJSON =
            arguments.contains("--json")
            || environment.variables[Variable.errors.name]?.lowercased() == "json"
                && !environment.terminal.isErrorTerminal
        environment.diagnostics.style = isJSON ? .json : .text
        endOnExhaustion(environment.diagnostics)
        if environment.terminal.isOutputTerminal, arguments.contains("--json") {
            await environment.standardOutput.sanitize(.json)
        }
        // Scripts ask for the version often; skip the parser's start-up.
        if arguments == ["--version"] { return await printHelp(CloverVersion.text, in: environment) }
        for name in ChildVariables.secrets {
            if let secret = environment.variables[name] { environment.diagnostics.mask.hide(Secret(secret)) }
        }
        if arguments.first == CompletionQuery.mark {
            // A malformed query, such as from fish without a terminal, gets no candidates and no error.
            guard let query = CompletionQuery(arguments) else { return .status(0) }
            return await printHelp(CompletionResponse(query: query, environment: environment).text(), in: environment)
        }
        if let text = HelpTopic.text(arguments) { return await printHelp(text, in: environment) }
        do {
            // Aliases are expanded before the run, so this only finds out why one could not be.
            _ = try AliasExpansion.expand(arguments, variables: environment.variables)
            if let name = arguments.first,
                let program = AliasExpansion.program(for: name, variables: environment.variables)
            {
                try ExternalProgram.replaceProcess(
                    "clover-\(name)", at: [program], arguments: Array(arguments.dropFirst()))
            }
        } catch {
            return await end(error, arguments: arguments, in: environment)
        }
        if let refusal = HelpTopic.refusal(arguments) {
            do throws(AliasError) {
                let aliases = try AliasFile(variables: environment.variables).read()
                if arguments.first == "help", arguments.count == 2,
                    let alias = aliases.first(where: { $0.name == arguments[1] })
                {
                    return await printHelp("'\(alias.name)' is an alias for: clover \(alias.command)", in: environment)
                }
            } catch {
                // The word is refused anyway.
            }
            return end(refusal, in: environment)
        }
        do {
            try ArgumentPairs.check(arguments)
            let words = ArgumentPairs.joined(arguments)
            try MissingOptionValue.check(words)
            guard let command = try parsed(words) else { return .status(0) }
            // The doctor reports faulty message variables itself and continues.
            if !(command is DoctorCommand) { environment = try MessageVariables.applied(to: environment) }
            let status =
                switch command {
                case let command as any RecordCommand: try await command.runIntoFile(in: environment)
                case let command as any CloverCommand:
                    try await command.run(in: command.messages.applied(to: environment))
                default: try await command.run(in: environment)
                }
            try await environment.standardOutput.endPaging()
            return .status(status)
        } catch {
            return await end(error, arguments: arguments, in: environment)
        }
    }

    /// Ends the process when a jq program cannot allocate memory: libjq cannot abandon a single record.
    private static func endOnExhaustion(_ diagnostics: Diagnostics) {
        JQMemory.onExhaustion {
            let status = ExitStatus.badData.rawValue
            diagnostics.failure(
                "the jq program needs more memory than is available; the output so far is not complete",
                code: "jq_memory", status: status)
            _exit(status)
        }
    }

    /// The command to run; nil if ArgumentParser has handled the command line.
    private static func parsed(_ arguments: [String]) throws -> (any EnvironmentCommand)? {
        if let command = NamedCommand(arguments)?.parsed() { return command }
        var command = try Clover.parseAsRoot(arguments)
        if let command = command as? any EnvironmentCommand { return command }
        // Commands with subcommands only: running them throws a help request.
        try command.run()
        return nil
    }

    private static func end(
        _ failure: any Error, arguments: [String], in environment: CommandEnvironment
    ) async -> Ending {
        let lost = failure as? OutputNotKept
        let error = lost?.cause ?? failure
        // When the time of a run is over, it does not wait for the user either.
        let isOutOfTime = if case CoreError.timeRanOut = error { true } else { false }
        do throws(RecordWriteError) {
            // First, so that messages do not appear in the middle of the pager's screen.
            try await environment.standardOutput.endPaging(atOnce: isOutOfTime)
        } catch {
            // The first error is more informative.
        }
        if error is CancellationError { return .cancelled }
        var report: ErrorReport
        switch ErrorReport.ending(of: error) {
        case .outputClosed(let last):
            if let last { _ = end(last, in: environment) }
            return .outputClosed
        case .report(let found): report = lost?.report(found) ?? found
        case .foreign:
            // ArgumentParser's own error: a request for help or the version, or refused arguments.
            if Clover.exitCode(for: error) == .success {
                return await printHelp(helpText(error, arguments, in: environment), in: environment)
            }
            // ArgumentParser checks values before it looks at options that the command does not have.
            let unknown = KnownOptions(of: arguments).firstUnknown.map { "Unknown option '\($0)'" }
            let message = Clover.message(for: error)
            let refusal = ParserRefusal(
                message.hasPrefix("Unknown option") ? message : unknown ?? message, arguments: arguments,
                now: environment.clock.wall())
            report = ErrorReport(
                code: "usage", status: .usage, message: withoutValues(refusal.message, arguments: arguments),
                hints: rootHints(arguments) + refusal.hints + [helpHint(arguments)])
        }
        do {
            try await report.complete(in: environment)
        } catch {
            // The first error is more informative.
        }
        return end(
            report.naming(choice(in: arguments)).naming(filters: values(of: "--filter", in: arguments))
                .naming(programs: values(of: "--jq", in: arguments), isSlurping: arguments.contains("--slurp")),
            in: environment)
    }

    private static func end(_ report: ErrorReport, in environment: CommandEnvironment) -> Ending {
        environment.runLog?.note(error: report.code)
        var report = report
        if let status = report.http {
            report.requestID = environment.runLog?.requestID(ofStatus: status, path: report.path)
        }
        environment.diagnostics.write(report: environment.diagnostics.style == .json ? report.json : report.text)
        return .status(report.status.rawValue)
    }

    /// The sign-in selected by flags.
    private static func choice(in arguments: [String]) -> ConnectionChoice {
        func value(_ name: String) -> String? { values(of: name, in: arguments).first }
        return ConnectionChoice(
            profile: value("--profile"), environment: value("--environment"), merchantID: value("--merchant"))
    }

    /// The values of an option on the command line, in order.
    private static func values(of name: String, in arguments: [String]) -> [String] {
        arguments.indices.compactMap { index in
            let word = arguments[index]
            if word == name {
                guard let value = arguments[(index + 1)...].first, !MissingOptionValue.isOption(value) else {
                    return nil
                }
                return value
            }
            return word.hasPrefix(name + "=") ? String(word.dropFirst(name.count + 1)) : nil
        }
    }

    /// ArgumentParser's response to a request for help, with what it cannot know added.
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

    /// Suggests a root option that resembles the first word.
    private static func rootHints(_ arguments: [String]) -> [String] {
        guard let word = arguments.first, word.hasPrefix("-") else { return [] }
        if word == "-v" || word == "-V" { return ["did you mean: --version"] }
        let names = Clover.configuration.subcommands.map { $0._commandName }
        let valued: Set = ["--profile", "--environment", "--merchant"]
        let place = arguments.indices.first {
            names.contains(arguments[$0]) && !($0 > 0 && valued.contains(arguments[$0 - 1]))
        }
        if let place {
            // Only values that are no secrets and need no quotes are repeated.
            let options = arguments[..<place]
            let isShown = options.allSatisfy { $0.count < 20 && $0.contains(/^[A-Za-z0-9=_.-]+$/) }
            let command = arguments[place...].prefix { !$0.hasPrefix("-") && $0.contains(/^[A-Za-z0-9_\/]+$/) }.prefix(
                3)
            return [
                "options follow the command" + (isShown ? ": clover " + (command + options).joined(separator: " ") : "")
            ]
        }
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
            // Without a verb, 'create' is the default.
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
            // Without a verb, 'run' is the default.
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

    /// Removes values from the message: a token typed in the wrong place must not be repeated; option names may be.
    private static func withoutValues(_ message: String, arguments: [String]) -> String {
        if arguments.first == "charge" {
            // Possibly a card number.
            return arguments.filter { $0.count(where: \.isNumber) >= 12 }
                .reduce(message) { $0.replacing($1, with: "(not shown)") }
        }
        guard arguments.first == "auth" else { return message }
        return arguments.filter { !$0.hasPrefix("-") && $0.utf8.count >= 8 }
            .reduce(message) { $0.replacing("'\($1)'", with: "(not shown)") }
    }
}

extension Program {
    private static let sendingCommands: Set<String> = ["get", "post", "put", "delete", "api", "export", "follow"]
    private static let optionsWithoutRequests: Set<String> = [
        "--help", "-h", "--version", "--dry-run", "--curl", "--explain", "--print",
    ]
    private static let exportsWithoutRequests: Set<String> = ["status", "schedule"]

    /// Predicts from the unparsed words whether the command line will send a request. A wrong prediction only costs
    /// time.
    /// - Parameter arguments: without the program's name.
    package static func isAboutToSend(_ arguments: [String]) -> Bool {
        guard let command = arguments.first, sendingCommands.contains(command), arguments.count > 1 else {
            return false
        }
        if command == "export", exportsWithoutRequests.contains(arguments[1]) { return false }
        return !arguments.contains(where: optionsWithoutRequests.contains)
    }

    /// Predicts whether the run will read a list to its end, where memory matters more than a millisecond at the start.
    /// - Parameter arguments: without the program's name.
    package static func readsManyPages(_ arguments: [String]) -> Bool {
        isAboutToSend(arguments) && (arguments.first == "export" || arguments.contains("--all"))
    }

    /// Whether the exit status after Ctrl-C must report what became of the command instead of the signal ending the
    /// process: for commands where money may have moved.
    /// - Parameter arguments: without the program's name.
    package static func outlivesInterrupt(_ arguments: [String], status: Int32) -> Bool {
        ["charge", "checkout", "plan", "subscription"].contains(arguments.first)
            || status == ExitStatus.outcomeUnknown.rawValue
    }

    /// Whether the time of a run is over, so that it does not wait for the reader of its messages either.
    /// - Parameter arguments: without the program's name.
    package static func isOutOfTime(_ arguments: [String], _ ending: Ending) -> Bool {
        switch ending {
        case .status(ExitStatus.timeRanOut.rawValue): true
        case .status(ExitStatus.outcomeUnknown.rawValue), .status(ExitStatus.tryAgain.rawValue):
            !values(of: "--max-time", in: arguments).isEmpty
        default: false
        }
    }

    /// Starts slow preparations that can be made before the command line is parsed.
    /// - Parameter arguments: without the program's name.
    package static func prepare(_ arguments: [String]) {
        if let program = predictedProgram(arguments) { PrecompiledProgram.prepare(program) }
    }

    /// The jq program that will run, as far as the unparsed words show; nil for a program with variables.
    package static func predictedProgram(_ arguments: [String]) -> String? {
        guard isAboutToSend(arguments), !arguments.contains(where: { $0.hasPrefix("--arg") }) else { return nil }
        let option = "--jq"
        if let joined = arguments.first(where: { $0.hasPrefix(option + "=") }) {
            return String(joined.dropFirst(option.count + 1))
        }
        guard let index = arguments.firstIndex(of: option) else { return nil }
        return arguments[(index + 1)...].first
    }
}
