import CLinux
import CloverSystem
import Glibc
import Synchronization

/// Handles Ctrl-C and similar signals. The first one cancels the command, which may then end its transfers and finish
/// the record that it is writing; then the signal ends the process, so that the shell sees it.
///
/// Handlers write to a pipe that a thread reads. Blocking the signals and waiting for them with sigwait(3) would not
/// work: the main thread of a program with an asynchronous `main` waits in sigsuspend(2) with every signal unblocked.
final class SignalWatch: Sendable {
    private let received = Atomic<Int32>(0)
    private let pipe: SignalPipe?

    private static let wasReceived = Atomic<Bool>(false)

    /// Time in milliseconds for a command that makes no progress to end after the first signal.
    private static let grace: Int32 = 1000
    /// Time in milliseconds after a signal in which the same one does not count as another.
    private static let echo: Int64 = 250

    private static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    init() {
        // Without a pipe, the signals keep their default action and end the process at once.
        pipe = SignalPipe()
    }

    /// The first signal received; nil if there was none.
    var signal: Int32? {
        let number = received.load(ordering: .sequentiallyConsistent)
        return number == 0 ? nil : number
    }

    /// Whether a signal was received that ends the process.
    static var hasReceivedSignal: Bool { wasReceived.load(ordering: .sequentiallyConsistent) }

    /// - Parameters:
    ///   - pager: while it is running, this process waits for it, so that the shell gets the terminal back from it.
    ///   - onSignal: called once, on the watch's own thread.
    ///   - progress: a number that changes while the current record is still being written.
    ///   - onAbruptEnd: called before the process ends although its command has not.
    func start(
        pager: PagerProcess, onSignal: @escaping @Sendable () -> Void, progress: @escaping @Sendable () -> Int,
        onAbruptEnd: @escaping @Sendable () -> Void
    ) {
        guard let pipe else { return }
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-signals") {
                self.run(pipe, pager, onSignal: onSignal, progress: progress, onAbruptEnd: onAbruptEnd)
            }
        } catch {
            return
        }
        for signal in [SIGINT, SIGTERM, SIGHUP] { pipe.handle(signal) }
    }

    private func run(
        _ pipe: SignalPipe, _ pager: PagerProcess, onSignal: @Sendable () -> Void, progress: @Sendable () -> Int,
        onAbruptEnd: @Sendable () -> Void
    ) {
        let signal = pipe.next()
        Self.wasReceived.store(true, ordering: .sequentiallyConsistent)
        received.store(signal, ordering: .sequentiallyConsistent)
        // The terminal also sends Ctrl-C to the pager, which handles it in its own way.
        if signal != SIGINT { pager.terminate() }
        onSignal()
        let start = Self.milliseconds
        // Usually, the main task ends the process first; this ends a command that makes no progress, and handles a
        // second signal.
        var before = progress()
        while true {
            if let next = pipe.next(within: Self.grace) {
                // timeout(1) signals its child, and then the group that the child is in.
                if next == signal, Self.milliseconds - start < Self.echo { continue }
                guard pager.isOpen else {
                    onAbruptEnd()
                    ProcessEnd.raise(next)
                }
                if next != SIGINT { pager.terminate() }
            }
            if pager.isOpen { continue }
            let now = progress()
            if now == before {
                onAbruptEnd()
                ProcessEnd.raise(signal)
            }
            before = now
        }
    }
}

/// Delivers signals as bytes of a pipe that a thread reads: signal handlers may do almost nothing (signal-safety(7)).
struct SignalPipe: Sendable {
    private let reading: Int32
    private let writing: Int32

    /// For each signal, the writing end of its pipe; handlers can access only globals. An entry is written before the
    /// handler of its signal is installed, and a handler loads one aligned word of it, so it never sees a partial
    /// value.
    private nonisolated(unsafe) static let descriptors: UnsafeMutablePointer<Int32> = {
        let table = UnsafeMutablePointer<Int32>.allocate(capacity: 65)
        table.initialize(repeating: -1, count: 65)
        return table
    }()

    /// Returns nil if the process has no descriptors left.
    init?() {
        var ends: [Int32] = [0, 0]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
        (reading, writing) = (ends[0], ends[1])
    }

    /// Delivers the signal through the pipe from now on.
    ///
    /// - Returns: the previous action; nil for a signal that is ignored, such as by nohup(1), and stays so.
    @discardableResult
    func handle(_ signal: Int32) -> sigaction? {
        var before = sigaction()
        sigaction(signal, nil, &before)
        let current = unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self)
        guard current != unsafeBitCast(SIG_IGN, to: Int.self) else { return nil }
        Self.descriptors[Int(signal)] = writing
        var action = sigaction()
        action.sa_flags = SA_RESTART
        // Only what signal-safety(7) allows: a load and a write.
        action.__sigaction_handler.sa_handler = { number in
            var byte = UInt8(truncatingIfNeeded: number)
            let before = errno
            write(SignalPipe.descriptors[Int(number)], &byte, 1)
            errno = before
        }
        sigaction(signal, &action, nil)
        return before
    }

    /// Waits for the next signal. The reading thread has its signals blocked, so that nothing interrupts the read; the
    /// pipe never ends.
    func next() -> Int32 {
        var byte: UInt8 = 0
        while read(reading, &byte, 1) != 1 {}
        return Int32(byte)
    }

    /// Waits at most this many milliseconds for the next signal; nil if none came.
    func next(within milliseconds: Int32) -> Int32? {
        var entry = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0 ? next() : nil
    }
}
