/// What a request is for, which decides who goes first when several wait.
package enum PacingClass: UInt8, Comparable, Sendable, CaseIterable {
    /// Long work that nobody watches: `--all`, exports.
    case bulk = 0
    /// Somebody, or a script, waits for this one answer.
    case interactive = 1
    /// Money, with a customer at the till.
    case charge = 2

    /// Its name in output.
    package var name: String {
        switch self {
        case .bulk: "bulk"
        case .interactive: "interactive"
        case .charge: "charge"
        }
    }

    package static func < (left: PacingClass, right: PacingClass) -> Bool {
        left.rawValue < right.rawValue
    }
}
