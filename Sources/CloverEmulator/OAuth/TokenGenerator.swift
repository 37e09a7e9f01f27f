/// Generates codes and tokens. They come from the system's random source and not from the shop's seed: a token must
/// differ between runs.
package struct TokenGenerator: Sendable {
    private let appID: String
    private let merchantID: String

    package init(appID: String, merchantID: String) {
        self.appID = appID
        self.merchantID = merchantID
    }

    /// A JSON Web Token (RFC 7519) of about 300 bytes with the claims seen in the service's tokens. Clients must not
    /// parse it.
    ///
    /// - Parameters:
    ///   - issued: seconds since 1970.
    ///   - expires: seconds since 1970.
    package func accessToken(issued: Int, expires: Int) -> String {
        let header: JSONValue = ["alg": "HS256", "typ": "JWT"]
        let claims: JSONValue = [
            "merchant_uuid": .string(merchantID), "app_uuid": .string(appID),
            "permission_bitmap": .integer(Permission.bitmap), "iat": .integer(issued), "exp": .integer(expires),
            "jti": .string(Self.hexadecimal(16)),
        ]
        let text = [header, claims].map { Base64URL.encode(Self.bytes($0)) }.joined(separator: ".")
        // The signature is never verified; it only has to look like one and differ.
        var random = SystemRandomNumberGenerator()
        let signature = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        return "\(text).\(Base64URL.encode(signature))"
    }

    package func refreshToken() -> String { "clvroar-" + Self.hexadecimal(32) }

    package func code() -> String { Self.uuid() }

    /// Legacy tokens are plain UUIDs (recorded responses).
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
            let byte = UInt8.random(in: .min ... .max, using: &random)
            return byte.digits(2, radix: 16)
        }.joined()
    }

    private static func bytes(_ value: JSONValue) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        value.write(to: &writer)
        return writer.bytes()
    }
}

/// The permissions of the emulated app, as chosen in the developer dashboard. Requests have no scope: a merchant
/// accepts all permissions (Clover documentation, OAuth and tokens FAQ).
package enum Permission: Int, Sendable, CaseIterable {
    case merchant, employees, orders, inventory, payments, customers

    /// The bitmap of all permissions in an access token.
    package static var bitmap: Int {
        allCases.reduce(0) { $0 | 1 << ($1.rawValue * 2) }
    }

    /// The name and explanation on the consent page.
    package var text: (name: String, meaning: String) {
        switch self {
        case .merchant: ("Merchant", "See the shop's address, hours, devices, tenders and settings")
        case .employees: ("Employees", "See who works here, and their roles")
        case .orders: ("Orders", "See orders and their line items")
        case .inventory: ("Inventory", "See items, categories, modifiers, taxes and stock")
        case .payments: ("Payments", "See payments, refunds and credits")
        case .customers: ("Customers", "See customers and how to reach them")
        }
    }
}

/// The SHA-256 of a code verifier, from an authorize request (RFC 7636 section 4.2, S256; the only method that the
/// service supports).
package struct CodeChallenge: Sendable, Equatable {
    private let digest: [UInt8]

    /// Fails if the text is not the base64url form of 32 bytes.
    package init?(_ text: some StringProtocol) {
        guard let digest = Base64URL.decode(text), digest.count == 32 else { return nil }
        self.digest = digest
    }

    /// Whether the challenge was made from this verifier. A verifier outside the grammar of RFC 7636 section 4.1 (43 to
    /// 128 unreserved characters) never matches, whatever its hash.
    package func isMet(by verifier: String) -> Bool {
        let bytes = Array(verifier.utf8)
        guard (43...128).contains(bytes.count), bytes.allSatisfy(Self.isUnreserved) else { return false }
        return SHA256.hash(bytes) == digest
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

/// Base64 for URLs, without padding (RFC 4648 section 5).
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int(buffer >> UInt32(bits) & 0x3F)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(buffer << UInt32(6 - bits) & 0x3F)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil for other characters, for an impossible length, and for non-zero bits after the last byte.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for character in text.utf8 {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            buffer = buffer << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        guard bits < 6, buffer & (1 << UInt32(bits) - 1) == 0 else { return nil }
        return bytes
    }
}
