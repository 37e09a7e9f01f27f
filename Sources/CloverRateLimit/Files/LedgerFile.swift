import CLinux
package import CloverSystem
import Glibc

/// The ledger file of one scope, and transactions on it.
struct LedgerFile {
    /// File name without extension.
    let name: String
    let boot: BootIdentity
    let onNotice: @Sendable (LedgerNotice) -> Void
    /// Timeout in milliseconds for the lock.
    var timeout = LedgerFile.usualTimeout

    /// A transaction takes microseconds.
    static let usualTimeout: Int32 = 10_000

    private var ledgerName: String { name + ".ledger" }

    /// The result of looking for the ledger.
    private enum Found: ~Copyable {
        case ledger(Descriptor, SlidingWindowLimiter)
        case nothing
        case unusable(LedgerFault)
    }

    /// One transaction: lock, read, change, write. The clock is read under the lock, so that time never runs backwards
    /// from one transaction to the next.
    ///
    /// - Parameter isKnown: whether this process has completed a transaction before. A missing ledger was then deleted,
    ///   even if the lock file is gone too.
    func transaction<Value>(
        in directory: borrowing OpenDirectory, isKnown: Bool,
        _ change: (inout SlidingWindowLimiter, BootInstant) -> Value
    ) throws(StorageError) -> Value {
        let lock = try LedgerLock.acquire(name + ".lock", in: directory, timeout: timeout) { holder in
            onNotice(.waitingForTurn(path: directory.path(of: name + ".lock"), holder: holder))
        }
        defer { withExtendedLifetime(lock) {} }
        let now = BootInstant.now
        var window: SlidingWindowLimiter
        let result: Value
        switch try find(in: directory, now: now) {
        case .ledger(let file, let found):
            window = found
            result = change(&window, now)
            if window != found { try write(window, to: file, in: directory) }
        case .nothing:
            // Without a ledger and without a mark, this budget has never been used. Otherwise its history was removed.
            let wasDeleted = isKnown || lock.file.wasMarked
            if wasDeleted { onNotice(.missing(path: directory.path(of: ledgerName))) }
            window = wasDeleted ? SlidingWindowLimiter(fullAt: now) : SlidingWindowLimiter()
            result = change(&window, now)
            try create(window, in: directory, holding: lock.file)
        case .unusable(let fault):
            try setAside(fault, in: directory)
            window = SlidingWindowLimiter(fullAt: now)
            result = change(&window, now)
            try create(window, in: directory, holding: lock.file)
        }
        if !lock.file.wasMarked { try lock.file.mark() }
        return result
    }

    /// Reads the history without locking, so that inspecting it does not delay senders. An unusable ledger counts as
    /// used up, as it will for the next transaction.
    func look(in directory: borrowing OpenDirectory, now: BootInstant) throws(StorageError) -> SlidingWindowLimiter {
        // A transaction writes in place, so a single read may see half of it.
        for _ in 0..<Self.readAttempts {
            switch try find(in: directory, now: now, access: O_RDONLY) {
            case .ledger(_, let window): return window
            case .nothing: return SlidingWindowLimiter()
            case .unusable: continue
            }
        }
        return SlidingWindowLimiter(fullAt: now)
    }

    /// What the next transaction would find wrong with the ledger; nil for a usable or missing one. Changes nothing.
    func fault(in directory: borrowing OpenDirectory) -> LedgerFault? {
        var last: LedgerFault?
        for _ in 0..<Self.readAttempts {
            do {
                guard case .unusable(let fault) = try find(in: directory, now: .now, access: O_RDONLY) else {
                    return nil
                }
                last = fault
            } catch {
                last = .foreign
            }
        }
        return last
    }

    private static let readAttempts = 3

    private func find(
        in directory: borrowing OpenDirectory, now: BootInstant, access: Int32 = O_RDWR
    ) throws(StorageError) -> Found {
        let file: Descriptor
        do {
            file = try directory.open(ledgerName, flags: access | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            switch error.code {
            case ENOENT: return .nothing
            case ELOOP, EISDIR, ENXIO: return .unusable(.foreign)
            default: throw .system(.open, path: directory.path(of: ledgerName), errno: error.code)
            }
        }
        let image: [UInt8]
        do {
            image = try file.read(limit: LedgerFileFormat.sizeLimit)
        } catch {
            // A FIFO or a terminal does not support reads at a position.
            if error.code == ESPIPE { return .unusable(.foreign) }
            throw .system(.read, path: directory.path(of: ledgerName), errno: error.code)
        }
        do {
            return .ledger(file, try LedgerFileFormat.decode(image, boot: boot, now: now))
        } catch {
            return .unusable(error)
        }
    }

    private func write(
        _ window: SlidingWindowLimiter, to file: borrowing Descriptor, in directory: borrowing OpenDirectory
    ) throws(StorageError) {
        try StorageError.wrapping(.write, directory.path(of: ledgerName)) { () throws(ErrorNumber) in
            try file.write(LedgerFileFormat.encode(window, boot: boot))
        }
    }

    /// Writes the whole ledger to a temporary file and renames it, so that a crash leaves no empty one behind.
    private func create(
        _ window: SlidingWindowLimiter, in directory: borrowing OpenDirectory, holding lock: borrowing FileLock
    ) throws(StorageError) {
        let image = LedgerFileFormat.encode(window, boot: boot)
        try AtomicFile.replace(ledgerName, in: directory, with: image, durable: false, holding: lock)
    }

    /// Renames the unusable ledger to `NAME.ledger.REASON-MILLISECONDS`; the lock prevents concurrent renames.
    private func setAside(_ fault: LedgerFault, in directory: borrowing OpenDirectory) throws(StorageError) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var stamp = Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
        func asideName() -> String { "\(ledgerName).\(fault.rawValue)-\(stamp)" }
        while try directory.kind(of: asideName()) != nil { stamp += 1 }
        try directory.rename(ledgerName, to: asideName())
        onNotice(
            .setAside(path: directory.path(of: ledgerName), to: directory.path(of: asideName()), reason: fault))
    }
}

/// Inspects all ledgers without locking them.
package struct LedgerInspector: Sendable {
    /// A ledger that the next request will set aside.
    package struct Fault: Sendable, Equatable {
        package let path: String
        package let fault: LedgerFault
    }

    package private(set) var count = 0
    package private(set) var faults: [Fault] = []

    /// Inspects the ledgers and changes nothing. The directory need not exist.
    package init(of state: StateDirectory) throws(LedgerError) {
        let boot = try BootIdentity.current()
        do throws(StorageError) {
            guard let directory = try state.existingSubdirectory("ratelimit", rule: .own) else { return }
            for name in try directory.names() where name.hasSuffix(".ledger") {
                count += 1
                let ledger = LedgerFile(name: String(name.dropLast(".ledger".count)), boot: boot, onNotice: { _ in })
                guard let fault = ledger.fault(in: directory) else { continue }
                faults.append(Fault(path: directory.path(of: name), fault: fault))
            }
        } catch {
            throw .storage(error)
        }
    }
}
