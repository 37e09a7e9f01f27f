import CLinux
import CloverCore
import CloverThreads
import Glibc
import Synchronization

/// Ctrl-Z, Ctrl-\ and their relatives while a live view has the terminal. The view gives the terminal back between two of
/// its pictures; where it does not come to that, as when a file is waited for, a thread does it.
final class ViewSignals: Sendable {
    /// The signal that the view has not heard of yet; 0 for none.
    private let pending = Atomic<Int32>(0)
    private let begin: String
    private let end: String
    /// What was to be done about the signals before.
    private let before: [(signal: Int32, action: sigaction)]

    /// The writing end of the pipe for the handlers, which can reach nothing but globals.
    private static let handlerDescriptor = Atomic<Int32>(-1)
    private static let signals = [SIGTSTP, SIGQUIT, SIGCONT]
    /// Microseconds between two looks at whether the view has heard, and how many.
    private static let look: UInt32 = 20_000
    private static let looks = 50

    /// - Parameters:
    ///   - begin: takes the terminal.
    ///   - end: gives it back.
    static func hold(begin: String, end: String) -> ViewHold {
        guard let watch = ViewSignals(begin: begin, end: end) else { return ViewHold() }
        var hold = ViewHold()
        hold.wish = { watch.wish() }
        hold.obey = { watch.obey($0) }
        hold.release = { watch.release() }
        return hold
    }

    private init?(begin: String, end: String) {
        var ends: [Int32] = [0, 0]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
        self.begin = begin
        self.end = end
        var before: [(signal: Int32, action: sigaction)] = []
        for signal in Self.signals {
            var action = sigaction()
            sigaction(signal, nil, &action)
            // One that is ignored, as below a shell without job control, stays ignored.
            let current = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            if current != unsafeBitCast(SIG_IGN, to: Int.self) { before.append((signal, action)) }
        }
        self.before = before
        Self.handlerDescriptor.store(ends[1], ordering: .sequentiallyConsistent)
        let reading = ends[0]
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-view") { self.run(reading) }
        } catch {
            return nil
        }
        for (signal, _) in before { Self.handle(signal) }
    }

    private static func handle(_ signal: Int32) {
        var action = sigaction()
        action.sa_flags = SA_RESTART
        // Only what signal-safety(7) allows: a load and a write.
        action.__sigaction_handler.sa_handler = { number in
            var byte = UInt8(truncatingIfNeeded: number)
            let before = errno
            write(ViewSignals.handlerDescriptor.load(ordering: .relaxed), &byte, 1)
            errno = before
        }
        sigaction(signal, &action, nil)
    }

    private func run(_ descriptor: Int32) {
        var byte: UInt8 = 0
        while true {
            guard read(descriptor, &byte, 1) == 1 else { continue }
            let signal = Int32(byte)
            // What stops or ends counts for more than that the process goes on.
            if signal == SIGCONT {
                _ = pending.compareExchange(expected: 0, desired: signal, ordering: .sequentiallyConsistent)
                continue
            }
            pending.store(signal, ordering: .sequentiallyConsistent)
            for _ in 0..<Self.looks where pending.load(ordering: .sequentiallyConsistent) == signal {
                usleep(Self.look)
            }
            guard pending.compareExchange(expected: signal, desired: 0, ordering: .sequentiallyConsistent).exchanged
            else { continue }
            Self.show(end)
            obey(signal)
            Self.show(begin)
        }
    }

    private func wish() -> ViewHold.Wish? {
        switch pending.exchange(0, ordering: .sequentiallyConsistent) {
        case SIGTSTP: .stop
        case SIGQUIT: .quit
        case SIGCONT: .redraw
        default: nil
        }
    }

    private func obey(_ wish: ViewHold.Wish) {
        switch wish {
        case .stop: obey(SIGTSTP)
        case .quit: obey(SIGQUIT)
        case .redraw: break
        }
    }

    private func obey(_ signal: Int32) {
        if signal == SIGQUIT { ProcessEnd.raise(signal) }
        Self.stop(by: signal)
        // Started in the background it waits until it has the terminal, as for every program that draws on one. Where
        // nobody could let a process go on, nothing stops it (setpgid(2), orphaned process groups).
        while Self.isInBackground {
            Self.stop(by: SIGTTOU)
            usleep(Self.look)
        }
    }

    private static var isInBackground: Bool {
        let group = tcgetpgrp(STDOUT_FILENO)
        return group > 0 && group != getpgrp()
    }

    /// Does what the signal does by itself; returns when the process goes on.
    private static func stop(by signal: Int32) {
        var usual = sigaction()
        var handled = sigaction()
        usual.__sigaction_handler.sa_handler = SIG_DFL
        sigaction(signal, &usual, &handled)
        var signals = sigset_t()
        var blocked = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, signal)
        pthread_sigmask(SIG_UNBLOCK, &signals, &blocked)
        raise(signal)
        pthread_sigmask(SIG_SETMASK, &blocked, nil)
        sigaction(signal, &handled, nil)
    }

    private func release() {
        for (signal, action) in before {
            var action = action
            sigaction(signal, &action, nil)
        }
    }

    private static func show(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}
