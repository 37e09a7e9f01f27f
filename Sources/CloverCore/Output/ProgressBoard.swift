import CloverAuth
import CloverRecords
import Synchronization

/// The lines on a terminal that show how far a command is, one for each thing that it does at once. They appear after a
/// second, are drawn a few times a second below whatever else is said, and are gone in the end.
///
/// Nothing is shown where nobody looks (`--quiet`, JSON, no terminal at standard error, a dumb one), and nothing that
/// would stand between the records: where they go to the same terminal, the lines go before the first of them comes.
package final class ProgressBoard: Sendable {
    private struct Line {
        var facts: ProgressFacts
        let read: @Sendable (inout ProgressFacts) -> Void
        var pace = ProgressPace()
    }

    private struct State {
        var lines: [Line] = []
        var isOver = false
        /// Something is being written where the lines are.
        var isHeld = false
    }

    private let state = Mutex(State())
    private let environment: CommandEnvironment

    /// Seconds before the first line, and between two drawings.
    private static let patience = 1.0
    private static let interval = 0.2

    /// Runs `body`, and shows meanwhile how far it is.
    ///
    /// - Parameter sharesTerminal: `body` writes to standard output by way of `aside` only, and the lines go on below.
    package static func during<Value: Sendable>(
        in environment: CommandEnvironment, sharesTerminal: Bool = false, _ body: (ProgressBoard) async throws -> Value
    ) async throws -> Value {
        let board = ProgressBoard(environment)
        guard board.isWanted else { return try await body(board) }
        if environment.terminal.isOutputTerminal, !sharesTerminal {
            await environment.standardOutput.beforeNextWrite { board.end() }
        }
        // Ends with this call: it is cancelled and waited for.
        async let _: Void = board.draw()
        defer { board.end() }
        return try await body(board)
    }

    private init(_ environment: CommandEnvironment) {
        self.environment = environment
    }

    /// Adds a line.
    ///
    /// - Parameters:
    ///   - title: what it is about, such as `orders`.
    ///   - read: brings the facts up to date; called a few times a second, on any thread.
    package func line(_ title: String, read: @escaping @Sendable (inout ProgressFacts) -> Void) {
        state.withLock { $0.lines.append(Line(facts: ProgressFacts(title: title), read: read)) }
    }

    /// Writes something while the lines are out of its way.
    func aside(_ write: () async throws -> Void) async rethrows {
        let wasOver = state.withLock { state in
            state.isHeld = true
            return state.isOver
        }
        if !wasOver, isWanted { environment.diagnostics.screen.show([]) }
        defer { state.withLock { $0.isHeld = false } }
        try await write()
    }

    private var isWanted: Bool {
        environment.terminal.isErrorTerminal && environment.screen.movesCursor
            && environment.diagnostics.level >= .normal && environment.diagnostics.style == .text
    }

    /// From now on nothing is shown.
    private func end() {
        let wasOver = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        if !wasOver { environment.diagnostics.screen.show([]) }
    }

    private func draw() async {
        do {
            try await environment.sleep(Self.patience)
            let isMixed = !environment.terminal.isOutputTerminal && environment.screen.isSharedWithReader()
            while !isMixed {
                show()
                try await environment.sleep(Self.interval)
            }
        } catch {
            // The command has ended, or was cancelled.
        }
    }

    private func show() {
        let now = Double(environment.clock.boot()) / 1000
        let size = environment.screen.errorSize() ?? environment.terminal.errorSize
        // Drawn under the lock, so that nothing is drawn after the end.
        state.withLock { state in
            guard !state.isOver, !state.isHeld else { return }
            for index in state.lines.indices {
                state.lines[index].read(&state.lines[index].facts)
                state.lines[index].pace.note(state.lines[index].facts, at: now)
            }
            let places = ProgressRoom.places(state.lines.map(\.facts.phase), rows: size?.rows)
            let titles = state.lines.map { DisplayWidth.of(TerminalText.line($0.facts.title)) }
            let text = ProgressText(
                width: size?.columns ?? 80, titleWidth: titles.max() ?? 0, isUnicode: environment.screen.isUnicode)
            environment.diagnostics.screen.show(
                places.map { text.line(state.lines[$0].facts, state.lines[$0].pace, now: now) })
        }
    }
}
