import CLinux
import Glibc
import Synchronization

/// The terminal as long as a live view has it. Whoever ends the process gives it back first, whatever the view is at.
enum TakenTerminal {
    /// What gives it back; nil while no view has it.
    private static let end = Mutex<[UInt8]?>(nil)
    /// How long a terminal that takes nothing now is waited for, in milliseconds: somebody may have typed Ctrl-S.
    private static let patience: Int32 = 200

    /// - Parameters:
    ///   - begin: takes the terminal.
    ///   - last: gives it back.
    /// - Returns: false when it takes nothing now.
    static func take(begin: String, end last: String) -> Bool {
        end.withLock { end in
            if end == nil, write(Array(begin.utf8), to: STDOUT_FILENO) { end = Array(last.utf8) }
            return end != nil
        }
    }

    /// The view gives it back, and may take it again.
    static func give() {
        end.withLock { end in
            if let bytes = end, write(bytes, to: STDOUT_FILENO) { end = nil }
        }
    }

    static var isTaken: Bool { end.withLock { $0 != nil } }

    /// The process ends: gives it back, and keeps from it what the view still draws.
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
            // For a write that began before.
            usleep(2000)
            _ = write(bytes, to: terminal)
        }
    }

    /// False when the terminal does not take it.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&entry, 1, patience) > 0 else { return false }
        return bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } == bytes.count
    }
}
