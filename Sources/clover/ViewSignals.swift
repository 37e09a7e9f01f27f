import CLinux
import CloverCore
import CloverSystem
import Glibc
import Synchronization

/// Handles Ctrl-Z, Ctrl-\ and similar signals while a live view uses the terminal. The view restores the terminal
/// between two of its frames; if it does not get to that, such as while waiting for a file, a thread does it.
final class ViewSignals: Sendable {
    /// The signal that the view has not handled yet; 0 for none.
    private let pending = Atomic<Int32>(0)
    private let screen: Screen
    /// The previous actions of the signals.
    private let before: [(signal: Int32, action: sigaction)]

    /// The bytes that take and restore the terminal.
    private struct Screen: Sendable {
        let begin: String
        let end: String
    }

    private static let signals = [SIGTSTP, SIGQUIT, SIGCONT]
    /// Interval in microseconds between checks whether the view has handled a signal, and the number of checks.
    private static let look: UInt32 = 20_000
    private static let looks = 50

    /// - Parameters:
    ///   - begin: the bytes that take the terminal.
    ///   - end: the bytes that restore it.
    static func hold(begin: String, end: String) -> AlternateScreen {
        let screen = Screen(begin: begin, end: end)
        var alternateScreen = AlternateScreen()
        alternateScreen.take = { take(screen) }
        alternateScreen.give = { RawTerminal.give() }
        guard let watch = ViewSignals(screen) else { return alternateScreen }
        alternateScreen.wish = { watch.takePendingAction() }
        alternateScreen.obey = { watch.perform($0) }
        alternateScreen.release = { watch.release() }
        return alternateScreen
    }

    private init?(_ screen: Screen) {
        guard let pipe = SignalPipe() else { return nil }
        self.screen = screen
        before = Self.signals.compactMap { signal in pipe.handle(signal).map { (signal, $0) } }
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-view") { self.run(pipe) }
        } catch {
            release()
            return nil
        }
    }

    private func run(_ pipe: SignalPipe) {
        while true {
            let signal = pipe.next()
            // A signal that stops or ends the process takes precedence over SIGCONT.
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
            let wasTaken = RawTerminal.isTaken
            RawTerminal.give()
            perform(signal)
            while wasTaken, !Self.take(screen), !SignalWatch.hasReceivedSignal {}
        }
    }

    private func takePendingAction() -> AlternateScreen.SignalRequest? {
        switch pending.exchange(0, ordering: .sequentiallyConsistent) {
        case SIGTSTP: .stop
        case SIGQUIT: .quit
        case SIGCONT: .redraw
        default: nil
        }
    }

    private func perform(_ action: AlternateScreen.SignalRequest) {
        switch action {
        case .stop: perform(SIGTSTP)
        case .quit: perform(SIGQUIT)
        case .redraw: break
        }
    }

    private func perform(_ signal: Int32) {
        if signal == SIGQUIT { ProcessEnd.raise(signal) }
        // Do not stop a process that is about to end.
        if !SignalWatch.hasReceivedSignal { Self.stop(by: signal) }
    }

    /// Takes the terminal. In the background, it stops until the process is in the foreground, like every program that
    /// draws on a terminal. In an orphaned process group, which no shell could continue, the stop has no effect
    /// (setpgid(2)).
    ///
    /// - Returns: false if the process is about to end, or the terminal accepts no output now.
    private static func take(_ screen: Screen) -> Bool {
        while isInBackground {
            // Handle a signal first that came while the process was stopped.
            usleep(look)
            if SignalWatch.hasReceivedSignal { return false }
            stop(by: SIGTTOU)
        }
        return !SignalWatch.hasReceivedSignal && RawTerminal.take(begin: screen.begin, end: screen.end)
    }

    private static var isInBackground: Bool {
        let group = tcgetpgrp(STDOUT_FILENO)
        return group > 0 && group != getpgrp()
    }

    /// Performs the signal's default action; returns when the process continues.
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
}

/// The state of the terminal while a live view uses it. Whatever ends the process restores the terminal first.
enum RawTerminal {
    /// The bytes that restore the terminal; nil while no view uses it.
    private static let end = Mutex<[UInt8]?>(nil)
    /// Time in milliseconds to wait for a terminal that accepts no output, such as after Ctrl-S.
    private static let writeTimeout: Int32 = 200

    /// - Parameters:
    ///   - begin: the bytes that take the terminal.
    ///   - last: the bytes that restore it.
    /// - Returns: false if the terminal accepts no output now.
    static func take(begin: String, end last: String) -> Bool {
        end.withLock { end in
            if end == nil, write(Array(begin.utf8), to: STDOUT_FILENO) { end = Array(last.utf8) }
            return end != nil
        }
    }

    /// Restores the terminal; the view may take it again.
    static func give() {
        end.withLock { end in
            if let bytes = end, write(bytes, to: STDOUT_FILENO) { end = nil }
        }
    }

    static var isTaken: Bool { end.withLock { $0 != nil } }

    /// Restores the terminal when the process ends, and discards what the view still draws.
    static func giveBack() {
        end.withLock { end in
            guard let bytes = end else { return }
            end = nil
            let terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
            let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
            guard terminal >= 0, nowhere >= 0, dup2(nowhere, STDOUT_FILENO) >= 0 else {
                _ = write(bytes, to: terminal >= 0 ? terminal : STDOUT_FILENO)
                return
            }
            // Wait for a write that has already started.
            usleep(2000)
            _ = write(bytes, to: terminal)
        }
    }

    /// Returns false if the terminal does not accept the bytes.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        var ready: Int32
        repeat { ready = poll(&entry, 1, writeTimeout) } while ready < 0 && errno == EINTR
        guard ready > 0 else { return false }
        return bytes.withUnsafeBytes { bytes in
            var count: Int
            repeat { count = Glibc.write(descriptor, bytes.baseAddress, bytes.count) } while count < 0 && errno == EINTR
            return count == bytes.count
        }
    }
}
