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
    private let screen: Screen
    /// What was to be done about the signals before.
    private let before: [(signal: Int32, action: sigaction)]

    /// How a view takes the terminal, and gives it back.
    private struct Screen: Sendable {
        let begin: String
        let end: String
    }

    private static let signals = [SIGTSTP, SIGQUIT, SIGCONT]
    /// Microseconds between two looks at whether the view has heard, and how many.
    private static let look: UInt32 = 20_000
    private static let looks = 50

    /// - Parameters:
    ///   - begin: takes the terminal.
    ///   - end: gives it back.
    static func hold(begin: String, end: String) -> ViewHold {
        let screen = Screen(begin: begin, end: end)
        var hold = ViewHold()
        hold.take = { take(screen) }
        hold.give = { TakenTerminal.give() }
        guard let watch = ViewSignals(screen) else { return hold }
        hold.wish = { watch.wish() }
        hold.obey = { watch.obey($0) }
        hold.release = { watch.release() }
        return hold
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
            let wasTaken = TakenTerminal.isTaken
            TakenTerminal.give()
            obey(signal)
            while wasTaken, !Self.take(screen), !SignalWatch.hasHeard {}
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
        // Whoever is told to end does not stop before.
        if !SignalWatch.hasHeard { Self.stop(by: signal) }
    }

    /// Takes the terminal. In the background it waits until it has it, as every program that draws on one. Where nobody could
    /// let a process go on, nothing stops it (setpgid(2), orphaned process groups).
    ///
    /// - Returns: false when the process is told to end meanwhile, or the terminal takes nothing now.
    private static func take(_ screen: Screen) -> Bool {
        while isInBackground {
            // A signal that came while it was stopped is heard first.
            usleep(look)
            if SignalWatch.hasHeard { return false }
            stop(by: SIGTTOU)
        }
        return !SignalWatch.hasHeard && TakenTerminal.take(begin: screen.begin, end: screen.end)
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
}
