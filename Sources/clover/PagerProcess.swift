import CLinux
import CloverOutput
import CloverSystem
import Glibc
import Synchronization

/// The pager for long tables: a child process that reads from a pipe, and has the terminal until the user leaves it.
final class PagerProcess: Sendable {
    private struct State {
        var child: pid_t?
        var onLeft: (@Sendable () -> Void)?
        /// Whether clover itself closed the pipe.
        var isFinishing = false
        var wasLeft = false
        /// The command line and the exit status of a pager that failed.
        var failure: (line: String, status: Int32)?
    }

    private let state = Monitor(State())

    /// Environment variables for users who have not set them: show colours, and exit at once if the text fits the
    /// screen.
    private static let defaults = ["LESS": "FRX", "LV": "-c"]

    /// Whether a pager is running. While it is, the terminal sends Ctrl-C to it as well.
    var isOpen: Bool { state.withLock { $0.child != nil } }

    /// Whether the user left the pager before everything was shown.
    var wasLeft: Bool { state.withLock { $0.wasLeft } }

    /// The command line that failed, and its exit status; how much it has shown is unknown. Nil if none failed, or if a
    /// signal ended the pager, which means that the user did.
    var failure: (line: String, status: Int32)? { state.withLock { $0.failure } }

    /// Sets the action to call if the pager ends before the output does.
    func onLeft(_ action: @escaping @Sendable () -> Void) {
        state.update { $0.onLeft = action }
    }

    /// Asks the pager to end and give the terminal back.
    func terminate() {
        state.withLock { if let child = $0.child { kill(child, SIGTERM) } }
    }

    /// Starts `/bin/sh -c line` with clover's terminal and without its secrets.
    /// - Returns: nil when that fails.
    func start(_ line: String, variables: [String: String]) -> PagerPipe? {
        var ends: [Int32] = [0, 0]
        // Before the pager changes the modes.
        let terminal = TerminalModes.now()
        guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
        let all = Self.defaults.merging(ChildVariables.withoutSecrets(variables)) { $1 }
        var plan = ChildPlan(shell: line, variables: all)
        plan.input = .descriptor(ends[0])
        do {
            // Under the lock, so that the pager's end is recorded after its start.
            try state.update { [state] locked in
                locked.isFinishing = false
                locked.child = try plan.start(watchedBy: "clover-pager") { status in
                    // A pager that a signal ended may have left the terminal without echo, and a prompt on it.
                    if status & 0x7F != 0 { terminal?.restore() }
                    let action = state.update { state -> (@Sendable () -> Void)? in
                        state.child = nil
                        if status & 0x7F == 0, status != 0 { state.failure = (line, status >> 8 & 0xFF) }
                        guard !state.isFinishing else { return nil }
                        state.wasLeft = true
                        return state.onLeft
                    }
                    action?()
                }
            }
        } catch {
            for end in ends { close(end) }
            return nil
        }
        close(ends[0])
        let state = state
        let writing = ends[1]
        return PagerPipe(descriptor: writing, terminate: { await Self.end(state) }) {
            state.update { $0.isFinishing = true }
            close(writing)
            await Self.waitForEnd(state)
        }
    }

    /// Seconds for a pager to end after it was asked to.
    private static let grace = 0.4

    /// Ends a pager that the user has not left: asks it to, and kills one that does not.
    private static func end(_ state: Monitor<State>) async {
        state.update { locked in
            // The user has not left it.
            locked.isFinishing = true
            if let child = locked.child { kill(child, SIGTERM) }
        }
        let hasEnded = await DedicatedThread.run {
            state.wait(atMost: Self.grace) { $0.child == nil ? true : nil } ?? false
        }
        if !hasEnded { state.withLock { if let child = $0.child { kill(child, SIGKILL) } } }
    }

    private static func waitForEnd(_ state: Monitor<State>) async {
        await DedicatedThread.run { state.wait { $0.child == nil ? () : nil } }
    }
}

/// The terminal's modes (termios(3)), saved so that they can be restored.
struct TerminalModes: Sendable {
    private let modes: termios

    /// The current modes; nil if standard error is not a terminal.
    static func now() -> TerminalModes? {
        var modes = termios()
        return tcgetattr(STDERR_FILENO, &modes) == 0 ? TerminalModes(modes: modes) : nil
    }

    /// Restores the modes and clears the cursor's line. Does nothing in the background, where the attempt would stop
    /// the process (SIGTTOU).
    func restore() {
        guard tcgetpgrp(STDERR_FILENO) == getpgrp() else { return }
        var modes = modes
        tcsetattr(STDERR_FILENO, TCSADRAIN, &modes)
        let clear = Array("\r\u{1B}[K\u{1B}[?25h".utf8)
        _ = clear.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
