internal import CloverStorage
internal import FoundationEssentials
internal import Glibc

/// A reader that this process holds, until the object goes away or the process ends.
package final class ReaderHold: Sendable {
    private let lock: FileLock
    private let log: String

    init(_ lock: consuming FileLock, log: String) {
        self.lock = lock
        self.log = log
    }

    /// Tells other processes what happened. Blocks for a moment.
    package func tell(_ report: SessionReport) throws {
        let line = Array(try JSONEncoder().encode(report)) + [UInt8(ascii: "\n")]
        // Opened anew each time: whoever watches hears of a file that was closed (inotify(7), IN_CLOSE_WRITE).
        let descriptor = open(log, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw StorageError.system(.open, path: log, errno: errno) }
        defer { close(descriptor) }
        let count = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count == line.count else {
            throw StorageError.system(.write, path: log, errno: count < 0 ? errno : ENOSPC)
        }
    }
}
