import CLinux
import Glibc
import Synchronization

/// The state of the terminal while a live view uses it. Whatever ends the process restores the terminal first.
enum TakenTerminal {
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
        guard poll(&entry, 1, writeTimeout) > 0 else { return false }
        return bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } == bytes.count
    }
}
