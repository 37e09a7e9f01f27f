import CloverTestSupport

/// All commands with their pages of help, in the order of the pages. The program is asked once.
enum HelpTree {
    struct Command: Sendable {
        let path: [String]
        let page: CommandResult
        /// Whether there are no commands below it.
        let isLeaf: Bool
        var name: String { path.joined(separator: " ") }
    }

    private static let found: Task<[Command], any Error> = Task {
        try await Sandbox.run { try await HelpTree.read(below: [], in: $0) }
    }

    static var commands: [Command] {
        get async throws { try await found.value }
    }

    private static func read(below path: [String], in sandbox: Sandbox) async throws -> [Command] {
        let page = try await sandbox.clover(["help"] + path)
        let lines = page.outputText.split(separator: "\n", omittingEmptySubsequences: false)
        let start = lines.firstIndex { $0.hasSuffix("SUBCOMMANDS:") }
        var commands = path.isEmpty ? [] : [Command(path: path, page: page, isLeaf: start == nil)]
        guard let start else { return commands }
        let names = lines[(start + 1)...].prefix { $0.hasPrefix("  ") }.compactMap { line -> String? in
            // Indented further is the rest of a summary.
            guard line.prefix(3).last != " " else { return nil }
            return line.split(separator: " ").first.map(String.init)
        }
        for name in names where name != "help" {
            commands += try await read(below: path + [name], in: sandbox)
        }
        return commands
    }
}
