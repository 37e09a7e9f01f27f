package import CloverStorage
import Glibc

/// Why the ledger cannot say when a request may leave.
package enum LedgerError: Error, Equatable, Sendable {
    /// The state directory or a file in it cannot be used.
    case storage(StorageError)
    /// The kernel refuses something the ledger's thread needs, such as a descriptor: the call and its errno(3).
    case system(call: String, errno: Int32)
}

extension LedgerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .storage(let error): error.description
        case .system(let call, let number): "\(call) failed with error \(number)"
        }
    }
}
