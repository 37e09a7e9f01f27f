import CLinux
import CloverThreads
import Glibc
import Synchronization

/// Ctrl-C and its relatives: the first one cancels the command, which may then end its transfers and finish the record
/// it is writing; then the signal ends the process, so that the shell sees it.
///
/// Handlers write to a pipe that a thread reads. Blocking the signals and waiting for them with sigwait(3) would not
/// do: the main thread of a program with an asynchronous `main` waits in sigsuspend(2) with every signal unblocked.
final class SignalWatch: Sendable {
    private let received = Atomic<Int32>(0)
    private let pipe: SignalPipe?

    private static let heard = Atomic<Bool>(false)

    /// How long a command that writes nothing may take to end after the first signal, in milliseconds.
    private static let grace: Int32 = 1000

    init() {
        // Without a pipe the signals end the process at once, as if nobody watched.
        pipe = SignalPipe()
    }

    /// The first signal that came; nil when none did.
    var signal: Int32? {
        let number = received.load(ordering: .sequentiallyConsistent)
        return number == 0 ? nil : number
    }

    /// Whether a signal came that ends the process.
    static var hasHeard: Bool { heard.load(ordering: .sequentiallyConsistent) }

    /// - Parameters:
    ///   - pager: as long as there is one, this process waits for it, so that the shell gets the terminal from it.
    ///   - onSignal: called once, on the watch's own thread.
    ///   - progress: a number that changes while the record under way is still being written.
    func start(
        pager: PagerProcess, onSignal: @escaping @Sendable () -> Void, progress: @escaping @Sendable () -> Int
    ) {
        guard let pipe else { return }
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-signals") {
                self.run(pipe, pager, onSignal: onSignal, progress: progress)
            }
        } catch {
            return
        }
        for signal in [SIGINT, SIGTERM, SIGHUP] { pipe.handle(signal) }
    }

    private func run(
        _ pipe: SignalPipe, _ pager: PagerProcess, onSignal: @Sendable () -> Void, progress: @Sendable () -> Int
    ) {
        let signal = pipe.next()
        Self.heard.store(true, ordering: .sequentiallyConsistent)
        received.store(signal, ordering: .sequentiallyConsistent)
        // The terminal sends Ctrl-C to the pager too, which does with it what it likes.
        if signal != SIGINT { pager.terminate() }
        onSignal()
        // The main task usually ends the process before this does: this is for a command that does not get on, and for
        // the second signal of somebody who has lost patience.
        var before = progress()
        while true {
            if let next = pipe.next(within: Self.grace) {
                guard pager.isOpen else { ProcessEnd.raise(next) }
                if next != SIGINT { pager.terminate() }
            }
            if pager.isOpen { continue }
            let now = progress()
            if now == before { ProcessEnd.raise(signal) }
            before = now
        }
    }
}
