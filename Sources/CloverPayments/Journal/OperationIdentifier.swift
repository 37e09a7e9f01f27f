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

    /// The part behind the letter: what Clover gets as the external id of a payment.
    package static func externalID(of identifier: String, on rail: Rail) -> String {
        // Twelve characters have no room for the time; 60 random bits are met twice after a thousand million charges.
        rail.longestExternalID < 26 ? random(rail.longestExternalID) : String(identifier.dropFirst(2))
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
