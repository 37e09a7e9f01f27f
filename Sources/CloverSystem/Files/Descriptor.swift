import CLinux
package import Glibc

/// An open file descriptor with one owner; the end of the value's life closes it. All descriptors are close-on-exec, so
/// that child processes inherit no lock or secret.
package struct Descriptor: ~Copyable, Sendable {
    /// The kernel's number; valid while this value lives.
    package let number: Int32

    /// Takes ownership of a descriptor that a system call has just returned; the caller must not close it.
    package init(owning number: Int32) {
        self.number = number
    }

    deinit {
        // close(2): on Linux the descriptor is closed whatever the result, so a second attempt could close another one.
        // Errors of delayed writing are caught by fsync where they matter.
        _ = close(number)
    }

    /// `openat(2)`, repeated if a signal interrupts it. `O_CLOEXEC` and `O_NOCTTY` are always added.
    ///
    /// - Parameter directory: the base of a relative `name`; `AT_FDCWD` for the working directory.
    /// - Throws: the error number, for the caller to interpret.
    package init(
        opening name: String, in directory: Int32, flags: Int32, mode: UInt32 = 0
    ) throws(ErrorNumber) {
        repeat {
            let result = openat(directory, name, flags | O_CLOEXEC | O_NOCTTY, mode_t(mode))
            if result >= 0 {
                self.number = result
                return
            }
        } while errno == EINTR
        throw ErrorNumber(errno)
    }

    /// `fstat(2)` of the open file.
    package func status() throws(ErrorNumber) -> stat {
        var result = stat()
        guard fstat(number, &result) == 0 else { throw ErrorNumber(errno) }
        return result
    }

    /// The same, with an error of the file at `path`.
    package func status(path: String) throws(StorageError) -> stat {
        try StorageError.wrapping(.status, path) { () throws(ErrorNumber) in try status() }
    }

    /// Sets the permission bits of the open file, whatever the umask is (fchmod(2)).
    package func changeMode(_ mode: UInt32) throws(ErrorNumber) {
        guard fchmod(number, mode) == 0 else { throw ErrorNumber(errno) }
    }

    /// Reads from the offset in bytes to the end of the file, or up to `limit` bytes.
    package func read(limit: Int, at offset: Int = 0) throws(ErrorNumber) -> [UInt8] {
        var failure: ErrorNumber?
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            while count < limit, let base = buffer.baseAddress {
                let result = pread(number, base + count, limit - count, off_t(offset + count))
                if result > 0 {
                    count += result
                } else if result == 0 {
                    return
                } else if errno != EINTR {
                    failure = ErrorNumber(errno)
                    return
                }
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes all of `bytes` from the offset in bytes, normally with a single `pwrite(2)`.
    package func write(_ bytes: [UInt8], at offset: Int = 0) throws(ErrorNumber) {
        var written = 0
        while written < bytes.count {
            let result = bytes.withUnsafeBytes { buffer -> Int in
                guard let base = buffer.baseAddress else { return 0 }
                return pwrite(number, base + written, buffer.count - written, off_t(offset + written))
            }
            if result > 0 {
                written += result
            } else if result == 0 {
                // pwrite(2) returns 0 for a regular file only if the device is full.
                throw ErrorNumber(ENOSPC)
            } else if errno != EINTR {
                throw ErrorNumber(errno)
            }
        }
    }

    /// `posix_fallocate(3)`: returns when the first `size` bytes of the file are allocated on the device.
    package func allocate(_ size: Int) throws(ErrorNumber) {
        while true {
            // The error number is the result; errno is not set.
            let result = posix_fallocate(number, 0, off_t(size))
            if result == 0 { return }
            if result != EINTR { throw ErrorNumber(result) }
        }
    }

    /// `fsync(2)`: returns when content and length are on the device.
    package func synchronize() throws(ErrorNumber) {
        while fsync(number) != 0 {
            if errno != EINTR { throw ErrorNumber(errno) }
        }
    }
}

/// Wakes a thread from poll(2): an eventfd(2) that any thread may signal at any time.
package final class EventFD: Sendable {
    private let descriptor: Descriptor

    /// Readable after `signal`.
    package var number: Int32 { descriptor.number }

    package init() throws(ErrorNumber) {
        let number = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard number >= 0 else { throw ErrorNumber(errno) }
        descriptor = Descriptor(owning: number)
    }

    /// Never blocks: if the counter is full, the descriptor is already readable.
    package func signal() {
        while eventfd_write(number, 1) != 0, errno == EINTR {}
    }

    /// Makes the descriptor unreadable until the next signal.
    package func clear() {
        var count: eventfd_t = 0
        while eventfd_read(number, &count) != 0, errno == EINTR {}
    }
}

/// A bare errno(3) value, for a caller that knows the path and can interpret it.
package struct ErrorNumber: Error, Equatable, Sendable {
    package let code: Int32

    /// Wraps `code`; read `errno` immediately after the call that set it.
    package init(_ code: Int32) {
        self.code = code
    }
}

/// An error with a directory, lock or file. Facts only: paths, error numbers, owners and modes, never any part of a
/// file's content.
package enum StorageError: Error, Equatable, Sendable {
    /// `HOME` is unset or relative, and the user database has no home directory for this user ID.
    case noHomeDirectory(user: UInt32)
    /// A system call failed with this error number (errno(3)).
    case system(StorageOperation, path: String, errno: Int32)
    /// The file at `path` breaks a rule that keeps secrets private. It was left unchanged.
    case refused(path: String, FileRefusal)
    /// `path` is on a file system shared between machines, where kernel locks are unreliable.
    case networkFileSystem(path: String, NetworkFileSystem)
    /// Another process has held the lock at `path` for this many seconds, although it is only ever needed briefly.
    case lockHeld(path: String, seconds: Int, by: LockHolder?)
    /// The sign-ins and charges of the directory at `path` were moved to a database, or a move is unfinished: its stage, nil if
    /// that is not known.
    case moved(path: String, to: String, stage: MoveMark.Stage?)
}

extension StorageError {
    /// Runs `body`; its error becomes one of this operation on the file at `path`.
    package static func wrapping<Value: ~Copyable>(
        _ operation: StorageOperation, _ path: String, _ body: () throws(ErrorNumber) -> Value
    ) throws(StorageError) -> Value {
        do {
            return try body()
        } catch {
            throw .system(operation, path: path, errno: error.code)
        }
    }
}

extension StorageError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noHomeDirectory(let user):
            "no home directory is known for user \(user)"
        case .system(let operation, let path, let number):
            "cannot \(operation.rawValue) \(path): \(Self.text(of: number))"
        case .refused(let path, let refusal):
            "cannot use \(path): \(refusal)"
        case .networkFileSystem(let path, let kind):
            "\(path) is on a network file system (\(kind.rawValue))"
        case .lockHeld(let path, let seconds, let holder):
            "\(holder?.description ?? "another process") has held \(path) for \(seconds) seconds"
        case .moved(let path, let place, .left):
            "the sign-ins and charges of \(path) were moved to \(place)"
        case .moved(let path, let place, .preparing), .moved(let path, let place, .leaving):
            "a move of sign-ins and charges from \(path) to \(place) is not complete"
        case .moved(let path, let place, .arriving):
            "a move of sign-ins and charges from \(place) to \(path) is not complete"
        case .moved(let path, let place, _):
            "a move of sign-ins and charges between \(path) and \(place) is not complete"
        }
    }

    /// The C library's text for an error number.
    private static func text(of number: Int32) -> String {
        strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }
}

/// The kind of system call that failed, for `StorageError.system`.
package enum StorageOperation: String, Sendable {
    case open
    case read
    case write
    case sync
    case rename
    case remove
    case lock
    case list
    case makeDirectory = "make directory"
    case status = "look at"
    case watch
}
