package import CloverStorage
import Glibc

/// The ledgers of all budgets as they are, without a turn at them.
package struct LedgerSurvey: Sendable {
    /// A ledger that the next request sets aside.
    package struct Fault: Sendable, Equatable {
        package let path: String
        package let fault: LedgerFault
    }

    package private(set) var count = 0
    package private(set) var faults: [Fault] = []

    /// A turn writes in place, so that one look may meet half of it.
    private static let looks = 3

    /// Looks, and changes nothing. Nobody needs to have made the directory.
    package init(of state: StateDirectory) throws(LedgerError) {
        let boot = try BootIdentity.current()
        do throws(StorageError) {
            guard let directory = try state.existingSubdirectory("ratelimit", rule: .own) else { return }
            for name in try directory.names() where name.hasSuffix(".ledger") {
                count += 1
                guard let fault = try Self.fault(of: name, in: directory, boot: boot) else { continue }
                faults.append(Fault(path: directory.path(of: name), fault: fault))
            }
        } catch {
            throw .storage(error)
        }
    }

    private static func fault(
        of name: String, in directory: borrowing OpenDirectory, boot: BootIdentity
    ) throws(StorageError) -> LedgerFault? {
        var last: LedgerFault?
        for _ in 0..<looks {
            do throws(LedgerFault) {
                guard let image = try bytes(of: name, in: directory) else { return nil }
                _ = try LedgerImage.decode(image, boot: boot, now: .now)
                return nil
            } catch {
                last = error
            }
        }
        return last
    }

    /// Nil when another process took it away meanwhile.
    private static func bytes(
        of name: String, in directory: borrowing OpenDirectory
    ) throws(LedgerFault) -> [UInt8]? {
        do {
            let file = try directory.open(name, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            return try file.readFromStart(limit: LedgerImage.sizeLimit)
        } catch {
            if error.code == ENOENT { return nil }
            throw .foreign
        }
    }
}
