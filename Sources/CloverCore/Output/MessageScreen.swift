import Synchronization

/// Standard error on a terminal: messages stay; progress lines are drawn below them and erased at the end.
package final class MessageScreen: Sendable {
    private struct State {
        /// Progress lines on the screen.
        var drawn: [String] = []
        /// Messages held back while a pager has the screen.
        var held: [String] = []
        var isHeld = false
    }

    private let state = Mutex(State())
    private let output: @Sendable (String) -> Void
    private let isBehind: @Sendable () -> Bool

    /// - Parameters:
    ///   - write: writes text. It is called under a lock that every message needs, so it must not wait for a reader.
    ///   - isBehind: whether earlier output still waits for its reader. Nothing is drawn then.
    init(write: @escaping @Sendable (String) -> Void, isBehind: @escaping @Sendable () -> Bool) {
        output = write
        self.isBehind = isBehind
    }

    /// Writes a message, which includes its newlines.
    package func write(_ text: String) {
        state.withLock { state in
            if state.isHeld {
                state.held.append(text)
            } else {
                output(Self.erasing(state.drawn) + text + Self.drawing(state.drawn))
            }
        }
    }

    /// Replaces the progress lines.
    ///
    /// - Parameter lines: the new lines, each shorter than the terminal's width; empty to erase.
    package func show(_ lines: [String]) {
        state.withLock { state in
            guard !state.isHeld, lines != state.drawn, lines.isEmpty || !isBehind() else { return }
            output(Self.erasing(state.drawn) + Self.drawing(lines))
            state.drawn = lines
        }
    }

    /// Erases the progress lines and holds back messages from now on.
    package func hold() {
        state.withLock { state in
            if !state.drawn.isEmpty { output(Self.erasing(state.drawn)) }
            state.drawn = []
            state.isHeld = true
        }
    }

    package func release() {
        state.withLock { state in
            state.isHeld = false
            for text in state.held { output(text) }
            state.held = []
        }
    }

    /// Moves from the end of the last line to the beginning of the first and clears what is below (ECMA-48: CUU, ED).
    private static func erasing(_ lines: [String]) -> String {
        guard !lines.isEmpty else { return "" }
        return "\r" + (lines.count > 1 ? "\u{1B}[\(lines.count - 1)A" : "") + "\u{1B}[J"
    }

    private static func drawing(_ lines: [String]) -> String { lines.joined(separator: "\n") }
}
