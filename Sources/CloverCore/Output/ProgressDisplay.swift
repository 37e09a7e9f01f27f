import CloverAuth
import CloverOutput
import CloverSystem
import Synchronization

/// Progress lines on a terminal, one for each task of a command. They appear after a second, are redrawn a few times a
/// second below any messages, and are erased at the end.
///
/// Nothing is shown with `--quiet` or JSON, or when standard error is not a terminal or a dumb one. Where records go to the
/// same terminal, the lines are erased before the first record.
package final class ProgressDisplay: Sendable {
    private struct Line {
        var facts: ProgressStatus
        let read: @Sendable (inout ProgressStatus) -> Void
        var pace = ProgressRate()
    }

    private struct State {
        var lines: [Line] = []
        var isOver = false
        /// Whether something is being written where the lines are.
        var isHeld = false
    }

    private let state = Mutex(State())
    private let environment: CommandEnvironment

    /// Seconds before the first line, and between redraws.
    private static let initialDelay = 1.0
    private static let interval = 0.2

    /// Runs `body` and shows its progress.
    ///
    /// - Parameter sharesTerminal: whether `body` writes to standard output only through `aside`, so that the lines can stay
    ///   below its output.
    package static func during<Value: Sendable>(
        in environment: CommandEnvironment, sharesTerminal: Bool = false,
        _ body: (ProgressDisplay) async throws -> Value
    ) async throws -> Value {
        let board = ProgressDisplay(environment)
        guard board.isWanted else { return try await body(board) }
        if environment.terminal.isOutputTerminal, !sharesTerminal {
            await environment.standardOutput.beforeNextWrite { board.end() }
        }
        // Cancelled and awaited at the end of this call.
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
    ///   - title: title such as `orders`.
    ///   - read: updates the facts; called a few times a second, on any thread.
    @inline(never)
    package func line(_ title: String, read: @escaping @Sendable (inout ProgressStatus) -> Void) {
        state.withLock { $0.lines.append(Line(facts: ProgressStatus(title: title), read: read)) }
    }

    /// Erases the lines while something else is written.
    package func aside(_ write: () async throws -> Void) async rethrows {
        if !hold(true), isWanted { environment.diagnostics.screen.show([]) }
        defer { hold(false) }
        try await write()
    }

    /// Not inlined: Swift 6.3 can keep the address of a thread's own data, such as a lock's owner, across a suspension.
    ///
    /// - Returns: whether the lines are shown no more.
    @inline(never) @discardableResult
    private func hold(_ isHeld: Bool) -> Bool {
        state.withLock { state in
            state.isHeld = isHeld
            return state.isOver
        }
    }

    private var isWanted: Bool {
        environment.terminal.isErrorTerminal && environment.screen.movesCursor
            && environment.diagnostics.level >= .normal && environment.diagnostics.style == .text
    }

    /// Erases the lines and stops showing them. Not inlined, as `hold`.
    @inline(never)
    private func end() {
        let wasOver = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        if !wasOver { environment.diagnostics.screen.show([]) }
    }

    private func draw() async {
        do {
            try await environment.sleep(Self.initialDelay)
            let isMixed = !environment.terminal.isOutputTerminal && environment.screen.isSharedWithReader()
            while !isMixed {
                show()
                try await environment.sleep(Self.interval)
            }
        } catch {
            // The command ended or was cancelled.
        }
    }

    @inline(never)
    private func show() {
        let now = Double(environment.clock.boot()) / 1000
        let size = environment.screen.errorSize() ?? environment.terminal.errorSize
        // Draw under the lock, so that nothing is drawn after the end.
        state.withLock { state in
            guard !state.isOver, !state.isHeld else { return }
            for index in state.lines.indices {
                state.lines[index].read(&state.lines[index].facts)
                state.lines[index].pace.note(state.lines[index].facts, at: now)
            }
            let places = ProgressLayout.places(state.lines.map(\.facts.phase), rows: size?.rows)
            let titles = state.lines.map { DisplayWidth.of(TerminalText.line($0.facts.title)) }
            let text = ProgressText(
                width: size?.columns ?? 80, titleWidth: titles.max() ?? 0, isUnicode: environment.screen.isUnicode)
            environment.diagnostics.screen.show(
                places.map { text.line(state.lines[$0].facts, state.lines[$0].pace, now: now) })
        }
    }
}

/// The progress of one task, such as the export of one resource, for a progress line.
package struct ProgressStatus: Sendable, Equatable {
    package enum Phase: Sendable, Equatable {
        /// Not started.
        case waiting
        case underWay
        /// Finished, with a word such as `done`.
        case finished(String)
    }

    /// Title such as `orders`.
    package var title: String
    package var phase = Phase.underWay
    /// Unit of `done` and `total`, in the singular: `window`, `record`, `line`.
    package var unit = "record"
    package var done = 0
    /// Total number of units; nil when unknown.
    package var total: Int?
    /// Finished share, from 0 to 1, where it is known more exactly than by counting units; nil otherwise.
    package var share: Double?
    /// Text where nothing is counted, such as `waiting for the response`.
    package var words: String?
    package var records = 0
    package var pages = 0
    /// Requests sent so far, for the rate.
    package var requests = 0
    /// Seconds that requests waited for the shared budget so far, summed over parallel requests.
    package var secondsWaited = 0.0
    /// End of the service's pause, in seconds since the machine started; nil without a pause.
    package var pausedUntil: Double?

    package init(title: String) {
        self.title = title
    }

    /// Finished share, from 0 to 1; nil when unknown.
    var shareDone: Double? {
        if let share { return min(1, max(0, share)) }
        guard let total, total > 0 else { return nil }
        return min(1, Double(done) / Double(total))
    }
}

/// Chooses the progress lines that fit a terminal.
package enum ProgressLayout {
    /// Indices of the lines to show, in order. Tasks in progress take precedence over waiting ones, and those over
    /// finished ones, of which the ones that ended last are kept.
    ///
    /// - Parameter rows: rows of the terminal, the last of which stays free for messages; nil when unknown.
    package static func places(_ phases: [ProgressStatus.Phase], rows: Int?) -> [Int] {
        let room = max(1, (rows ?? .max) - 1)
        guard phases.count > room else { return Array(phases.indices) }
        func places(_ matches: (ProgressStatus.Phase) -> Bool) -> [Int] {
            phases.indices.filter { matches(phases[$0]) }
        }
        let ended = places { if case .finished = $0 { true } else { false } }
        let wanted = places { $0 == .underWay } + places { $0 == .waiting } + ended.reversed()
        return wanted.prefix(room).sorted()
    }
}
