import Crypto

/// Makes the texts of codes and tokens. They come from the system's random source and not from the shop's seed: a token
/// must not be the same in two runs.
package struct TokenMint: Sendable {
    private let appID: String
    private let merchantID: String
    /// Signs access tokens. Nobody checks the signature; it only has to look and differ like one.
    private let key = SymmetricKey(size: .bits256)

    package init(appID: String, merchantID: String) {
        self.appID = appID
        self.merchantID = merchantID
    }

    /// A JSON Web Token (RFC 7519) of about 300 bytes with the claims seen in the service's tokens. Clients must not
    /// read it.
    ///
    /// - Parameters:
    ///   - issued: seconds since 1970.
    ///   - expires: seconds since 1970.
    package func accessToken(issued: Int, expires: Int) -> String {
        let header: JSONValue = .object([("alg", .string("HS256")), ("typ", .string("JWT"))])
        let claims: JSONValue = .object([
            ("merchant_uuid", .string(merchantID)), ("app_uuid", .string(appID)),
            ("permission_bitmap", .integer(Permission.bitmap)), ("iat", .integer(issued)), ("exp", .integer(expires)),
            ("jti", .string(Self.hexadecimal(16))),
        ])
        let text = [header, claims].map { Base64URL.encode(Self.bytes($0)) }.joined(separator: ".")
        let signature = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
        return "\(text).\(Base64URL.encode(signature))"
    }

    package func refreshToken() -> String { "clvroar-" + Self.hexadecimal(32) }

    package func code() -> String { Self.uuid() }

    /// Legacy tokens are plain UUIDs (recorded answers).
    package func legacyToken() -> String { Self.uuid() }

    /// A random UUID (RFC 9562 version 4).
    private static func uuid() -> String {
        var digits = Array(hexadecimal(16))
        digits[12] = "4"
        digits[16] = ["8", "9", "a", "b"].randomElement() ?? "8"
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }

    private static func hexadecimal(_ count: Int) -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<count).map { _ in
            let digits = String(UInt8.random(in: .min ... .max, using: &random), radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    private static func bytes(_ value: JSONValue) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        value.write(to: &writer)
        return writer.bytes()
    }
}
