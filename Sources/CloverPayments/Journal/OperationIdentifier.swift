import Crypto
import FoundationEssentials

/// Names of operations: a letter for the kind, then a ULID (ulid/spec), so that they sort by time.
package enum OperationIdentifier {
    /// Crockford's base 32: no letter that looks like another.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// Such as `c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z`.
    ///
    /// - Parameter now: milliseconds since 1970.
    package static func make(_ kind: OperationKind, now: Int64) -> String {
        let time = stride(from: 45, through: 0, by: -5).map { alphabet[Int(now >> Int64($0)) & 31] }
        return prefix(kind) + "_" + String(time) + random(16)
    }

    /// What Clover gets as the external id or reference of a charge: derived from its idempotency key, so that another
    /// machine, or a journal that was lost and begun anew, finds the payment of the same key again.
    package static func externalID(ofKey key: String, on rail: Rail) -> String {
        // Twelve characters are 60 bits, and two of a thousand million charges have the same with a chance of 1 to 3.
        let length = min(rail.longestExternalID, 26)
        let digest = SHA256.hash(data: Data("clover charge \(key)".utf8))
        return String(digest.prefix(length).map { alphabet[Int($0 & 31)] })
    }

    private static func prefix(_ kind: OperationKind) -> String {
        switch kind {
        case .charge: "c"
        case .capture: "k"
        case .void: "v"
        case .refund: "r"
        case .tip: "t"
        case .increment: "i"
        case .receipt: "m"
        }
    }

    private static func random(_ count: Int) -> String {
        // From the system's random numbers: getrandom(2).
        var generator = SystemRandomNumberGenerator()
        return String((0..<count).map { _ in alphabet[Int.random(in: 0..<32, using: &generator)] })
    }
}
