/// Why a fault specification cannot be read.
package enum FaultSpecError: Error, Equatable, CustomStringConvertible {
    case unknownKind(String, FaultTarget)
    case badProbability(String)
    case badRequestNumber(String)

    package var description: String {
        switch self {
        case .unknownKind(let text, let target):
            "unknown fault '\(text)', expected one of " + target.kinds.map(\.rawValue).joined(separator: ", ")
        case .badProbability(let text): "'\(text)' is not a probability above 0 and at most 1"
        case .badRequestNumber(let text): "'\(text)' is not a request number or range such as 3 or 2-4"
        }
    }
}
