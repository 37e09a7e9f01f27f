import CloverJQ

extension Program {
    private static let sendingCommands: Set<String> = ["get", "post", "put", "delete", "export"]
    private static let wordsForNotSending: Set<String> = [
        "--help", "-h", "--version", "--dry-run", "--curl", "--explain",
    ]
    private static let exportsThatOnlyTell: Set<String> = ["status", "schedule"]

    /// Predicts from the unparsed words whether the command line will send a request. A wrong prediction only costs
    /// time.
    /// - Parameter arguments: without the program's name.
    package static func isAboutToSend(_ arguments: [String]) -> Bool {
        guard let command = arguments.first, sendingCommands.contains(command), arguments.count > 1 else {
            return false
        }
        if command == "export", exportsThatOnlyTell.contains(arguments[1]) { return false }
        return !arguments.contains(where: wordsForNotSending.contains)
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
        arguments.first == "charge" || status == ExitStatus.outcomeUnknown.rawValue
    }

    /// Starts slow preparations that can be made before the command line is parsed.
    /// - Parameter arguments: without the program's name.
    package static func prepare(_ arguments: [String]) {
        if let program = foreseenProgram(arguments) { ForeseenProgram.prepare(program) }
    }

    /// The jq program that will run, as far as the unparsed words show; nil for a program with variables.
    package static func foreseenProgram(_ arguments: [String]) -> String? {
        guard isAboutToSend(arguments), !arguments.contains(where: { $0.hasPrefix("--arg") }) else { return nil }
        let option = "--jq"
        if let joined = arguments.first(where: { $0.hasPrefix(option + "=") }) {
            return String(joined.dropFirst(option.count + 1))
        }
        guard let index = arguments.firstIndex(of: option) else { return nil }
        return arguments[(index + 1)...].first
    }
}
