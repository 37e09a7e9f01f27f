/// Why a fault specification cannot be read.
package enum FaultSpecError: Error, Equatable, CustomStringConvertible {
    case unknownKind(String, FaultTarget)
    case badProbability(String)
    case badRequestNumber(String)
    /// A fault that only payments have, with a path that is none of theirs.
    case notOfPayments(FaultKind, path: String)

    package var description: String {
        switch self {
        case .unknownKind(let text, let target):
            "unknown fault '\(text)', expected one of " + target.kinds.map(\.rawValue).joined(separator: ", ")
        case .badProbability(let text): "'\(text)' is not a probability above 0 and at most 1"
        case .badRequestNumber(let text): "'\(text)' is not a request number or range such as 3 or 2-4"
        case .notOfPayments(let kind, let path):
            "'\(kind.rawValue)' is for payments, whose paths begin with /v1 or /connect, not with \(path)"
        }
    }
}
