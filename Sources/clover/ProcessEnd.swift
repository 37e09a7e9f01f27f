import CLinux
import Glibc

/// Ends the process by a signal, so that the shell sees the cause. Restores a terminal that a live view uses.
enum ProcessEnd {
    static func raise(_ signal: Int32) -> Never {
        TakenTerminal.giveBack()
        Glibc.signal(signal, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, signal)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        Glibc.raise(signal)
        // Only reached if the signal does not end the process.
        _exit(128 + signal)
    }
}
