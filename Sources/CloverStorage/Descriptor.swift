package import Glibc

/// An open file descriptor with one owner, who closes it by ending its life. Every one is close-on-exec, so that no
/// program started by us inherits a lock or a secret.
package struct Descriptor: ~Copyable, Sendable {
    /// The kernel's number for it; valid as long as this value lives.
    package let number: Int32

    /// Takes over a descriptor that a system call has just returned; the caller must not close it.
    package init(owning number: Int32) {
        self.number = number
    }

    deinit {
        // close(2): on Linux the descriptor is gone whatever the result, so that trying again could close a
        // stranger's. Errors of delayed writing are caught by fsync where they matter.
        _ = close(number)
    }

    /// `openat(2)`, repeated while a signal interrupts it. `O_CLOEXEC` and `O_NOCTTY` are always added.
    ///
    /// - Parameter directory: what a relative `name` starts from; `AT_FDCWD` for the working directory.
    /// - Throws: the plain error number, for the caller to judge.
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
        var answer = stat()
        guard fstat(number, &answer) == 0 else { throw ErrorNumber(errno) }
        return answer
    }

    /// Sets the permission bits of the open file, whatever the umask is (fchmod(2)).
    package func changeMode(_ mode: UInt32) throws(ErrorNumber) {
        guard fchmod(number, mode) == 0 else { throw ErrorNumber(errno) }
    }

    /// Reads from the start of the file until its end or until `limit` bytes are there.
    package func readFromStart(limit: Int) throws(ErrorNumber) -> [UInt8] {
        try read(limit: limit, at: 0)
    }

    /// Reads from the offset in bytes until the end of the file or until `limit` bytes are there.
    package func read(limit: Int, at offset: Int) throws(ErrorNumber) -> [UInt8] {
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

    /// Writes all of `bytes` from the start of the file, normally with a single `pwrite(2)`.
    package func writeFromStart(_ bytes: [UInt8]) throws(ErrorNumber) {
        try write(bytes, at: 0)
    }

    /// Writes all of `bytes` from the offset in bytes on.
    package func write(_ bytes: [UInt8], at offset: Int) throws(ErrorNumber) {
        var written = 0
        while written < bytes.count {
            let result = bytes.withUnsafeBytes { buffer -> Int in
                guard let base = buffer.baseAddress else { return 0 }
                return pwrite(number, base + written, buffer.count - written, off_t(offset + written))
            }
            if result > 0 {
                written += result
            } else if result == 0 {
                // pwrite(2) returns 0 for a regular file only when the device takes nothing more.
                throw ErrorNumber(ENOSPC)
            } else if errno != EINTR {
                throw ErrorNumber(errno)
            }
        }
    }

    /// `posix_fallocate(3)`: returns when the first `size` bytes of the file have their place on the device.
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
