import Glibc

/// An exclusive kernel lock (`flock(2)`) on a separate file, held until the value ends. The kernel releases it when the
/// process dies, however it dies. The lock file is never removed: removing it would allow two holders.
///
/// Since Linux 5.0 waiters get the lock in order of arrival.
package struct FileLock: ~Copyable, Sendable {
    private let descriptor: Descriptor
    private let path: String
    private let size: Int

    deinit {
        // Closing is not enough: a child forked by another thread shares the open file between fork(2) and execve(2),
        // and would keep the lock until then. Unlocking a held lock cannot fail.
        _ = flock(descriptor.number, LOCK_UN)
    }

    /// Takes the lock if it is free.
    ///
    /// - Returns: nil if another holder, even in this process, has it.
    package static func tryAcquire(
        _ name: String, in directory: borrowing OpenDirectory
    ) throws(StorageError) -> FileLock? {
        while true {
            let descriptor = try open(name, in: directory)
            guard try lock(descriptor, waiting: false, path: directory.path(of: name)) else { return nil }
            if let held = try confirm(consume descriptor, as: name, in: directory) { return held }
        }
    }

    /// Takes the lock, waiting without a timeout. Blocks: call only on a thread that may.
    ///
    /// - Parameter onWait: called once, before the wait, if another process holds the lock.
    package static func acquire(
        _ name: String, in directory: borrowing OpenDirectory, onWait: () -> Void = {}
    ) throws(StorageError) -> FileLock {
        var shouldReport = true
        while true {
            let descriptor = try open(name, in: directory)
            let path = directory.path(of: name)
            if try !lock(descriptor, waiting: false, path: path) {
                if shouldReport { onWait() }
                shouldReport = false
                _ = try lock(descriptor, waiting: true, path: path)
            }
            if let held = try confirm(consume descriptor, as: name, in: directory) { return held }
        }
    }

    /// Whether a holder has ever called `mark()`, which records that the guarded file has existed. This distinguishes a
    /// deleted file from one that was never created.
    package var wasMarked: Bool { size > 0 }

    /// Records that the guarded file has existed.
    package func mark() throws(StorageError) {
        try StorageError.wrapping(.write, path) { () throws(ErrorNumber) in
            try descriptor.write(Array(Self.text.utf8))
        }
    }

    private static let text = "lock file of clover: never delete it\n"

    /// The number that was noted last in this lock file; 0 if there is none.
    ///
    /// A file whose own number only grows, and is noted here after each change, is an older copy that was put back if it
    /// has a lower one.
    package static func number(at path: String) throws(StorageError) -> Int64 {
        do {
            let file = try Descriptor(opening: path, in: AT_FDCWD, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            let words = String(decoding: try file.read(limit: 256), as: UTF8.self).split(separator: "\n")
            return words.last.flatMap { Int64($0) } ?? 0
        } catch {
            if error.code == ENOENT { return 0 }
            throw .system(.read, path: path, errno: error.code)
        }
    }

    /// Marks a lock file, and notes a number in it. The lock need not be held.
    ///
    /// A kill does not lose it. A power failure can, because it is not synchronized: the number is then too low, which
    /// hides an older copy, and never makes one of a file that is not.
    package static func note(_ number: Int64, at path: String) throws(StorageError) {
        let digits = String(number)
        let line = String(repeating: "0", count: max(0, 19 - digits.count)) + digits + "\n"
        try StorageError.wrapping(.write, path) { () throws(ErrorNumber) in
            try Descriptor(
                opening: path, in: AT_FDCWD, flags: O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600
            ).write(Array((text + line).utf8))
        }
    }

    private static func open(_ name: String, in directory: borrowing OpenDirectory) throws(StorageError) -> Descriptor {
        do {
            return try directory.open(name, flags: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
        } catch {
            if error.code == ELOOP { throw .refused(path: directory.path(of: name), .symbolicLink) }
            throw .system(.open, path: directory.path(of: name), errno: error.code)
        }
    }

    private static func lock(
        _ descriptor: borrowing Descriptor, waiting: Bool, path: String
    ) throws(StorageError) -> Bool {
        while flock(descriptor.number, LOCK_EX | (waiting ? 0 : LOCK_NB)) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { throw .system(.lock, path: path, errno: errno) }
        }
        return true
    }

    /// A lock counts only while its name still refers to the locked file: later processes lock the file that is there
    /// now.
    private static func confirm(
        _ descriptor: consuming Descriptor, as name: String, in directory: borrowing OpenDirectory
    ) throws(StorageError) -> FileLock? {
        do {
            let status = try descriptor.status()
            guard try directory.entry(name, isSameFileAs: status) else { return nil }
            return FileLock(descriptor: descriptor, path: directory.path(of: name), size: Int(status.st_size))
        } catch {
            throw .system(.status, path: directory.path(of: name), errno: error.code)
        }
    }

    private init(descriptor: consuming Descriptor, path: String, size: Int) {
        self.descriptor = descriptor
        self.path = path
        self.size = size
    }
}

/// The process that holds a kernel lock, as far as the kernel reports it.
package struct LockHolder: Equatable, Sendable {
    package var pid: Int32
    /// Whether it was stopped, for example with Ctrl-Z, and does nothing until it is continued.
    package var isStopped: Bool

    package init(pid: Int32, isStopped: Bool) {
        self.pid = pid
        self.isStopped = isStopped
    }

    /// The holder of the lock file with this name.
    ///
    /// - Returns: nil if the lock is free, or if the process is not visible from here, for example in a container.
    package static func ofLock(_ name: String, in directory: borrowing OpenDirectory) -> LockHolder? {
        do {
            let file = try directory.open(name, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK).status()
            let number = file.st_dev
            let device = (major: (number >> 8) & 0xFFF, minor: (number & 0xFF) | ((number >> 12) & 0xFFF00))
            let locks = try Descriptor(opening: "/proc/locks", in: AT_FDCWD, flags: O_RDONLY)
                .read(limit: 1 << 20)
            for line in String(decoding: locks, as: UTF8.self).split(separator: "\n") {
                guard let pid = pid(in: line, inode: UInt64(file.st_ino), major: device.major, minor: device.minor)
                else { continue }
                return LockHolder(pid: pid, isStopped: isStopped(pid))
            }
            return nil
        } catch {
            // The holder only makes a message more helpful.
            return nil
        }
    }

    /// proc_locks(5): `1: FLOCK  ADVISORY  WRITE 7 fe:00:1234 0 EOF`; waiters have an arrow after the number.
    private static func pid(in line: Substring, inode: UInt64, major: UInt, minor: UInt) -> Int32? {
        let words = line.split(separator: " ")
        guard words.count >= 6, words[1] == "FLOCK" else { return nil }
        let place = words[5].split(separator: ":")
        guard place.count == 3, UInt(place[0], radix: 16) == major, UInt(place[1], radix: 16) == minor,
            UInt64(place[2]) == inode, let pid = Int32(words[4]), pid > 0
        else { return nil }
        return pid
    }

    /// Whether the process is stopped; also false if it is not visible from here.
    ///
    /// proc_pid_stat(5): the state is the letter after the name, which may contain anything.
    package static func isStopped(_ pid: Int32) -> Bool {
        do {
            let status = try Descriptor(opening: "/proc/\(pid)/stat", in: AT_FDCWD, flags: O_RDONLY)
                .read(limit: 4096)
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
