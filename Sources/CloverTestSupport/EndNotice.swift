import Glibc
import Synchronization

/// Waits for one process, and keeps signals from reaching a process that took over its number.
final class EndNotice: Sendable {
    private enum State {
        case running(whenDone: (@Sendable (CommandResult.Ending) -> Void)?)
        case done(CommandResult.Ending)
    }

    private let state = Mutex(State.running(whenDone: nil))

    /// Blocks until the process ends. The number stays taken until the state says so, because `waitid(2)` with
    /// `WNOWAIT` leaves the process to be collected under the lock that ``send(_:to:)`` takes.
    func waitForProcess(_ pid: pid_t) {
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        let notify: (@Sendable () -> Void)? = state.withLock { state in
            // What it left in its group, before the group's number is given up.
            Glibc.kill(-pid, SIGKILL)
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
            let signal = status & 0x7f
            let ending: CommandResult.Ending = signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
            guard case .running(let whenDone) = state else { return nil }
            state = .done(ending)
            guard let whenDone else { return nil }
            return { whenDone(ending) }
        }
        ProcessRegistry.shared.remove(pid)
        notify?()
    }

    /// Calls `action` once, when the process has ended; at once when it has.
    func whenDone(_ action: @escaping @Sendable (CommandResult.Ending) -> Void) {
        let done: CommandResult.Ending? = state.withLock { state in
            switch state {
            case .running:
                state = .running(whenDone: action)
                return nil
            case .done(let ending): return ending
            }
        }
        if let done { action(done) }
    }

    func send(_ signal: Int32, to pid: pid_t) {
        state.withLock { state in
            if case .running = state { Glibc.kill(pid, signal) }
        }
    }

    /// Whether a signal has stopped the process, and it has not been continued. Asked of the kernel and not read from
    /// `/proc/PID`, whose names the kernel would have to forget when the process ends, while others do the same.
    func isStopped(_ pid: pid_t) -> Bool {
        state.withLock { state in
            guard case .running = state else { return false }
            var information = siginfo_t()
            return waitid(P_PID, id_t(pid), &information, WSTOPPED | WNOWAIT | WNOHANG) == 0
                && information.si_signo == SIGCHLD
        }
    }

    /// Kills the process with everything in its group.
    func kill(_ pid: pid_t) {
        state.withLock { state in
            if case .running = state { Glibc.kill(-pid, SIGKILL) }
        }
    }
}
