import Crypto

/// The idempotency key of a call, with what makes two calls the same.
struct PaymentKey: Sendable {
    let rail: PaymentRail
    let text: String
    /// Of method, path and body; white space and the order of members in the body do not count.
    let fingerprint: String
    /// False for a fault that lets the service forget the key.
    let isRemembered: Bool

    init(_ text: String, rail: PaymentRail, call: PaymentCall, body: JSONValue) {
        self.rail = rail
        self.text = text
        var hash = SHA256()
        hash.update(data: Array("\(call.method) /\(call.path.joined(separator: "/"))\n".utf8))
        hash.update(data: body.ordered.encoded)
        fingerprint = hash.finalize().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        isRemembered = call.fault != .forgetKey
    }

    /// What its answer is kept under: the two interfaces do not know each other's keys.
    var id: String { "\(rail.rawValue) \(text)" }
}

extension JSONValue {
    /// The same value with the members of its objects by name.
    var ordered: JSONValue {
        switch self {
        case .object(let members):
            .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.ordered) })
        case .array(let values): .array(values.map(\.ordered))
        default: self
        }
    }
}
