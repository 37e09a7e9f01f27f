import Crypto

/// The traffic of one token or app, under a name that gives no secret away.
package struct TrafficAccount: Sendable {
    /// Nil for an app with all its tokens.
    package let token: String?
    /// Nil for an app.
    package let merchantID: String?
    /// Nil for a token that belongs to no app.
    package let appID: String?
    package let gauge: TrafficGauge

    /// The first 12 hexadecimal digits of the token's SHA-256.
    package static func name(of token: String) -> String {
        SHA256.hash(data: Array(token.utf8)).prefix(6).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    var json: JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        if let token { members.append(("tokenHash", .string(Self.name(of: token)))) }
        if let merchantID { members.append(("merchantId", .string(merchantID))) }
        members.append(("appId", appID.map { .string($0) } ?? .null))
        return .object(members + gauge.members)
    }
}
