import CloverTestSupport
import Foundation

/// Commands of a session and what they show, in a pipe and on terminals, as one text to be compared with a snapshot.
///
/// What differs from run to run (addresses, folders, times, ids) is replaced by words.
struct Session {
    let sandbox: Sandbox
    private(set) var text = ""
    private var replacements: [(found: Regex<AnyRegexOutput>, word: String)] = []

    /// The widths of terminals.
    static let widths = [40, 80, 200]

    init(_ sandbox: Sandbox) throws {
        self.sandbox = sandbox
        try hide(NSRegularExpression.escapedPattern(for: sandbox.directory.path), "/FOLDER")
        try hide("http://127\\.0\\.0\\.1:[0-9]+", "http://127.0.0.1:PORT")
        try hide("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\\.[0-9]{3})?Z", "INSTANT")
        try hide("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID")
        try hide("c_[0-9A-Z]{26}", "c_CHARGE____________________")
    }

    /// Shows `word` in place of everything that matches.
    mutating func hide(_ pattern: String, _ word: String) throws {
        replacements.append((try Regex(pattern), word))
    }

    /// The same session with more variables from here on.
    func with(_ more: [String: String]) throws -> Session {
        var copy = try Session(sandbox.with(more))
        copy.text = text
        copy.replacements = replacements
        return copy
    }

    /// Runs `clover` in a pipe, and then on a terminal of each width.
    mutating func run(_ arguments: [String]) async throws {
        try await pipe(arguments)
        try await terminals(arguments)
    }

    mutating func pipe(_ arguments: String..., input: CommandRunner.Input = .nothing) async throws {
        try await pipe(arguments, input: input)
    }

    mutating func terminals(_ arguments: String...) async throws { try await terminals(arguments) }

    /// Runs `clover` in a pipe: its output, then its messages, then the status if it is not 0.
    mutating func pipe(_ arguments: [String], input: CommandRunner.Input = .nothing) async throws {
        let result = try await sandbox.clover(arguments: arguments, input: input)
        text += plain("$ \(Self.line(arguments))\n")
        text += plain(result.outputText)
        text += plain(result.errorText.split(separator: "\n").map { "stderr: \($0)\n" }.joined())
        if result.ending != .exited(0) { text += "\(result.ending)\n" }
        text += "\n"
    }

    /// Runs `clover` on a terminal of each width: what stands on it at the end. Lines are those that were written, not
    /// those that the terminal breaks them into.
    mutating func terminals(_ arguments: [String], widths: [Int] = Session.widths) async throws {
        for columns in widths {
            let session = try sandbox.startOnTerminal(arguments, columns: columns, rows: 60)
            let result = try await session.result()
            let screen = TerminalScreen(showing: result.output, columns: .max)
            text += plain("% \(Self.line(arguments))   (\(columns) columns)\n") + plain(screen.text)
            if !text.hasSuffix("\n") { text += "\n" }
            if result.ending != .exited(0) { text += "\(result.ending)\n" }
            text += "\n"
        }
    }

    /// A command line as it would be typed.
    private static func line(_ arguments: [String]) -> String {
        (["clover"] + arguments.map { $0.contains(/[ '<>{]/) ? "'\($0)'" : $0 }).joined(separator: " ")
    }

    private func plain(_ shown: String) -> String {
        replacements.reduce(shown) { $0.replacing($1.found, with: $1.word) }
    }
}
