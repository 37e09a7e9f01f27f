import CLinux
import Glibc

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
