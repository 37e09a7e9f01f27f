import CloverThreads
import Glibc
import Synchronization

/// Ctrl-C and its relatives: the first one cancels the command, which may then end its transfers and finish the record
/// it is writing; then the signal ends the process, so that the shell sees it.
final class SignalWatch: Sendable {
    private let state = Mutex(State())
    private let signals: [Int32]

    private struct State {
        var received: Int32?
        var onSignal: (@Sendable () -> Void)?
        var progress: (@Sendable () -> Int)?
    }

    /// How long a command that writes nothing may take to end after the first signal.
    private static let grace = timespec(tv_sec: 0, tv_nsec: 300_000_000)

    /// Blocks the signals in this thread and in those it starts: only the watching thread takes them. Must be made
    /// before any other thread.
    init() {
        // One that is ignored, as by nohup(1), stays ignored.
        signals = [SIGINT, SIGTERM, SIGHUP].filter { signal in
            var action = sigaction()
            sigaction(signal, nil, &action)
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
                != unsafeBitCast(SIG_IGN, to: Int.self)
        }
        var set = signalSet()
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    var received: Int32? { state.withLock { $0.received } }

    /// - Parameter progress: a number that changes while the record under way is still being written.
    func start(onSignal: @escaping @Sendable () -> Void, progress: @escaping @Sendable () -> Int) {
        state.withLock { state in
            state.onSignal = onSignal
            state.progress = progress
        }
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-signals") { self.run() }
        } catch {
            // Without the thread the signals act as if nobody watched.
            var set = signalSet()
            pthread_sigmask(SIG_UNBLOCK, &set, nil)
        }
    }

    private func run() -> Never {
        var set = signalSet()
        var signal: Int32 = 0
        while sigwait(&set, &signal) != 0 {}
        let (onSignal, progress) = state.withLock { state in
            state.received = signal
            return (state.onSignal, state.progress)
        }
        onSignal?()
        // The main thread usually ends the process before this does: this is for a command that does not get on, and
        // for the second signal of somebody who has lost patience.
        var before = progress?() ?? 0
        while true {
            var grace = Self.grace
            let next = sigtimedwait(&set, nil, &grace)
            if next > 0 { ProcessEnd.raise(next) }
            let now = progress?() ?? 0
            if now == before { ProcessEnd.raise(signal) }
            before = now
        }
    }

    private func signalSet() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }
}
