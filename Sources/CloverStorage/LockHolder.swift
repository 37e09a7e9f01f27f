import Glibc

/// The process that holds a kernel lock, as far as the kernel tells.
package struct LockHolder: Equatable, Sendable {
    package var pid: Int32
    /// It was stopped, as by Ctrl-Z, and does nothing until it is told to go on.
    package var isStopped: Bool

    package init(pid: Int32, isStopped: Bool) {
        self.pid = pid
        self.isStopped = isStopped
    }

    /// The holder of the lock file with this name.
    ///
    /// - Returns: nil when nobody holds it any more, or when its process cannot be seen from here, as from a container.
    package static func ofLock(_ name: String, in directory: borrowing OpenDirectory) -> LockHolder? {
        do {
            let file = try directory.open(name, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK).status()
            let number = file.st_dev
            let device = (major: (number >> 8) & 0xFFF, minor: (number & 0xFF) | ((number >> 12) & 0xFFF00))
            let locks = try Descriptor(opening: "/proc/locks", in: AT_FDCWD, flags: O_RDONLY)
                .readFromStart(limit: 1 << 20)
            for line in String(decoding: locks, as: UTF8.self).split(separator: "\n") {
                guard let pid = pid(in: line, inode: UInt64(file.st_ino), major: device.major, minor: device.minor)
                else { continue }
                return LockHolder(pid: pid, isStopped: isStopped(pid))
            }
            return nil
        } catch {
            // It is only a help in a message.
            return nil
        }
    }

    /// proc_locks(5): `1: FLOCK  ADVISORY  WRITE 7 fe:00:1234 0 EOF`; those who wait have an arrow behind the number.
    private static func pid(in line: Substring, inode: UInt64, major: UInt, minor: UInt) -> Int32? {
        let words = line.split(separator: " ")
        guard words.count >= 6, words[1] == "FLOCK" else { return nil }
        let place = words[5].split(separator: ":")
        guard place.count == 3, UInt(place[0], radix: 16) == major, UInt(place[1], radix: 16) == minor,
            UInt64(place[2]) == inode, let pid = Int32(words[4]), pid > 0
        else { return nil }
        return pid
    }

    /// Whether the process was stopped; false also when it cannot be seen from here.
    ///
    /// proc_pid_stat(5): the state is the letter behind the name, which may hold anything.
    package static func isStopped(_ pid: Int32) -> Bool {
        do {
            let status = try Descriptor(opening: "/proc/\(pid)/stat", in: AT_FDCWD, flags: O_RDONLY)
                .readFromStart(limit: 4096)
            let state = status.lastIndex(of: UInt8(ascii: ")")).map { status[($0 + 1)...].dropFirst().first }
            return state == UInt8(ascii: "T") || state == UInt8(ascii: "t")
        } catch {
            return false
        }
    }
}

extension LockHolder: CustomStringConvertible {
    package var description: String { "process \(pid)" + (isStopped ? ", which was stopped," : "") }
}
