extension Program {
    private static let sendingCommands: Set<String> = ["get", "post", "put", "delete"]
    private static let wordsForNotSending: Set<String> = [
        "--help", "-h", "--version", "--dry-run", "--curl", "--explain",
    ]

    /// Whether a command line will send a request, as far as its words tell before they are parsed. A wrong answer costs
    /// time and nothing else.
    /// - Parameter arguments: without the program's name.
    package static func isAboutToSend(_ arguments: [String]) -> Bool {
        guard let command = arguments.first, sendingCommands.contains(command), arguments.count > 1 else {
            return false
        }
        return !arguments.contains(where: wordsForNotSending.contains)
    }
}
