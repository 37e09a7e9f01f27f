import CloverStorage
import Glibc

/// Hears, through inotify(7), that somebody closed the slots file, which is what giving a slot back ends with.
struct SlotSignal: ~Copyable {
    private let queue: Descriptor
    private let device: dev_t
    private let inode: ino_t

    /// Readable when something happened to the file.
    var number: Int32 { queue.number }

    /// Listens on the file that is open as `file`, whatever its name leads to by now.
    ///
    /// - Returns: nil when the user has too many listeners (`/proc/sys/fs/inotify`), which is no reason to fail.
    static func listening(on file: borrowing Descriptor) throws(ErrorNumber) -> SlotSignal? {
        let status = try file.status()
        let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard number >= 0 else { return nil }
        let queue = Descriptor(owning: number)
        // A slot is open for writing. IN_ATTRIB and IN_MOVE_SELF tell that the file is being removed or renamed.
        let events = UInt32(IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVE_SELF)
        guard inotify_add_watch(number, "/proc/self/fd/\(file.number)", events) >= 0 else { return nil }
        return SlotSignal(queue: queue, device: status.st_dev, inode: status.st_ino)
    }

    /// Whether it listens on the file that is open as `file`.
    func isOn(_ file: borrowing Descriptor) throws(ErrorNumber) -> Bool {
        let status = try file.status()
        return status.st_dev == device && status.st_ino == inode
    }

    /// Takes everything out of the queue, so that it is readable only after something new.
    func clear() {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { space in
            while let base = space.baseAddress, read(queue.number, base, space.count) > 0 {}
        }
    }
}
