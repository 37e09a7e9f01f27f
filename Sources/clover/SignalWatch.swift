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
    private let pipe: Pipe?

    private struct Pipe: Sendable {
        var reading: Int32
        var writing: Int32
    }

    /// The writing end for the handlers, which can reach nothing but globals.
    private static let handlerDescriptor = Atomic<Int32>(-1)

    /// How long a command that writes nothing may take to end after the first signal, in milliseconds.
    private static let grace: Int32 = 1000

    init() {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else {
            // The signals then end the process at once, as if nobody watched.
            pipe = nil
            return
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        pipe = Pipe(reading: ends[0], writing: ends[1])
        Self.handlerDescriptor.store(ends[1], ordering: .sequentiallyConsistent)
    }

    /// The first signal that came; nil when none did.
    var signal: Int32? {
        let number = received.load(ordering: .sequentiallyConsistent)
        return number == 0 ? nil : number
    }

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
                self.run(pipe.reading, pager, onSignal: onSignal, progress: progress)
            }
        } catch {
            return
        }
        for signal in [SIGINT, SIGTERM, SIGHUP] { Self.handle(signal) }
    }

    private static func handle(_ signal: Int32) {
        var action = sigaction()
        sigaction(signal, nil, &action)
        // One that is ignored, as by nohup(1), stays ignored.
        let current = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        guard current != unsafeBitCast(SIG_IGN, to: Int.self) else { return }
        action = sigaction()
        action.sa_flags = SA_RESTART
        // Only what signal-safety(7) allows: a load and a write.
        action.__sigaction_handler.sa_handler = { number in
            var byte = UInt8(truncatingIfNeeded: number)
            let before = errno
            write(SignalWatch.handlerDescriptor.load(ordering: .relaxed), &byte, 1)
            errno = before
        }
        sigaction(signal, &action, nil)
    }

    private func run(
        _ descriptor: Int32, _ pager: PagerProcess, onSignal: @Sendable () -> Void, progress: @Sendable () -> Int
    ) {
        let signal = Self.next(descriptor)
        received.store(signal, ordering: .sequentiallyConsistent)
        // The terminal sends Ctrl-C to the pager too, which does with it what it likes.
        if signal != SIGINT { pager.terminate() }
        onSignal()
        // The main task usually ends the process before this does: this is for a command that does not get on, and for
        // the second signal of somebody who has lost patience.
        var before = progress()
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            if poll(&entry, 1, Self.grace) > 0 {
                let next = Self.next(descriptor)
                guard pager.isOpen else { ProcessEnd.raise(next) }
                if next != SIGINT { pager.terminate() }
            }
            if pager.isOpen { continue }
            let now = progress()
            if now == before { ProcessEnd.raise(signal) }
            before = now
        }
    }

    private static func next(_ descriptor: Int32) -> Int32 {
        var byte: UInt8 = 0
        // The thread has its signals blocked, so that nothing interrupts this; the pipe never ends.
        while read(descriptor, &byte, 1) != 1 {}
        return Int32(byte)
    }
}
