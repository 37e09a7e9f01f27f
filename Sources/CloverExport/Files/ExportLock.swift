package import CloverStorage

/// The lock on a destination, held as long as this lives.
package final class ExportLock: Sendable {
    private let lock: FileLock

    init(_ lock: consuming FileLock) {
        self.lock = lock
    }

    /// Takes the lock of an export that has no directory; nil when somebody has it.
    package static func tryAcquire(_ name: String, in directory: borrowing OpenDirectory) throws(StorageError)
        -> ExportLock?
    {
        guard let lock = try FileLock.tryAcquire(name, in: directory) else { return nil }
        return ExportLock(lock)
    }

    func replace(_ name: String, in directory: borrowing OpenDirectory, with bytes: [UInt8]) throws(StorageError) {
        try AtomicFile.replace(name, in: directory, with: bytes, holding: lock)
    }
}
