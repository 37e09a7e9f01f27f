import CLinux
import CloverProcesses
import CloverRecords
import CloverThreads
import Glibc
import Synchronization

/// The pager that shows long tables: a child that reads from a pipe, and has the terminal until its user leaves it.
final class PagerProcess: Sendable {
    private struct State {
        var child: pid_t?
        var onLeft: (@Sendable () -> Void)?
        /// We closed the pipe ourselves.
        var isFinishing = false
        var wasLeft = false
        /// How it was called, and the status that it ended with, which was not 0.
        var failure: (line: String, status: Int32)?
    }

    private let state = Monitor(State())

    /// Variables for a user who has set none: colours are shown, and a pager for what fits the screen is none.
    private static let defaults = ["LESS": "FRX", "LV": "-c"]

    /// Whether there is a pager now. While there is one, Ctrl-C is its business too.
    var isOpen: Bool { state.withLock { $0.child != nil } }

    /// Whether its user left it before everything was shown.
    var wasLeft: Bool { state.withLock { $0.wasLeft } }

    /// The line of shell that failed, and its exit status: nobody knows what it has shown. Nil when none did; one that a
    /// signal has ended was ended by its user.
    var failure: (line: String, status: Int32)? { state.withLock { $0.failure } }

    /// `action` is called when the pager ends before the output does.
    func onLeft(_ action: @escaping @Sendable () -> Void) {
        state.update { $0.onLeft = action }
    }

    /// Tells it to give the terminal back.
    func terminate() {
        state.withLock { if let child = $0.child { kill(child, SIGTERM) } }
    }

    /// Starts `/bin/sh -c line` with our terminal and without our secrets.
    /// - Returns: nil when that fails.
    func start(_ line: String, variables: [String: String]) -> PagerPipe? {
        var ends: [Int32] = [0, 0]
        // Before the pager changes them.
        let terminal = TerminalModes.now()
        guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
        let all = Self.defaults.merging(ChildVariables.withoutSecrets(variables)) { $1 }
        var plan = ChildPlan(shell: line, variables: all)
        plan.input = .descriptor(ends[0])
        do {
            // Under the lock, so that its end is noted after its start.
            try state.update { [state] locked in
                locked.isFinishing = false
                locked.child = try plan.start(watchedBy: "clover-pager") { status in
                    // A pager that a signal has ended may have left the terminal without echo, and its prompt there.
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
        return PagerPipe(descriptor: writing) {
            state.update { $0.isFinishing = true }
            close(writing)
            await Self.waitForEnd(state)
        }
    }

    private static func waitForEnd(_ state: Monitor<State>) async {
        await DedicatedThread.run { state.wait { $0.child == nil ? () : nil } }
    }
}
