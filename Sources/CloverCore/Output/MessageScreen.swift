import Synchronization

/// Standard error, where lines for the person come and go: messages stay, the lines that show how far a command is are
/// drawn below them, and are gone in the end.
package final class MessageScreen: Sendable {
    private struct State {
        /// Lines on the screen that will go again.
        var drawn: [String] = []
        /// Messages that wait, because a pager has the screen.
        var held: [String] = []
        var isHeld = false
    }

    private let state = Mutex(State())
    private let output: @Sendable (String) -> Void
    private let isBehind: @Sendable () -> Bool

    /// - Parameters:
    ///   - write: called under a lock that every message needs, so that it must not wait for a reader.
    ///   - isBehind: what was written before still waits for its reader. Nothing is drawn then.
    init(write: @escaping @Sendable (String) -> Void, isBehind: @escaping @Sendable () -> Bool) {
        output = write
        self.isBehind = isBehind
    }

    /// A message, line ends included.
    package func write(_ text: String) {
        state.withLock { state in
            if state.isHeld {
                state.held.append(text)
            } else {
                output(Self.erasing(state.drawn) + text + Self.drawing(state.drawn))
            }
        }
    }

    /// Draws these lines in place of those that are there; none takes them away.
    ///
    /// - Parameter lines: each of them shorter than the terminal is wide.
    package func show(_ lines: [String]) {
        state.withLock { state in
            guard !state.isHeld, lines != state.drawn, lines.isEmpty || !isBehind() else { return }
            output(Self.erasing(state.drawn) + Self.drawing(lines))
            state.drawn = lines
        }
    }

    /// Messages wait from now on, and nothing is drawn.
    package func hold() {
        state.withLock { state in
            if !state.drawn.isEmpty { output(Self.erasing(state.drawn)) }
            state.drawn = []
            state.isHeld = true
        }
    }

    /// Messages that waited are written.
    package func release() {
        state.withLock { state in
            state.isHeld = false
            for text in state.held { output(text) }
            state.held = []
        }
    }

    /// From the end of the last line to the beginning of the first, and clears what is below (ECMA-48: CUU, ED).
    private static func erasing(_ lines: [String]) -> String {
        guard !lines.isEmpty else { return "" }
        return "\r" + (lines.count > 1 ? "\u{1B}[\(lines.count - 1)A" : "") + "\u{1B}[J"
    }

    private static func drawing(_ lines: [String]) -> String { lines.joined(separator: "\n") }
}
