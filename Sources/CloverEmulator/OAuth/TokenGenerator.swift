import FoundationEssentials

/// Generates codes and tokens. They come from the system's random source and not from the shop's seed: a token must
/// differ between runs.
enum TokenGenerator {
    /// A JSON Web Token (RFC 7519) of about 300 bytes with the claims seen in the service's tokens. Clients must not
    /// parse it. Times are in seconds since 1970.
    static func accessToken(for owner: TokenOwner, issued: Int, expires: Int) -> String {
        let header: JSONValue = ["alg": "HS256", "typ": "JWT"]
        let claims: JSONValue = [
            "merchant_uuid": .string(owner.merchantID), "app_uuid": .string(owner.appID ?? ""),
            "permission_bitmap": .integer(Permission.bitmap), "iat": .integer(issued), "exp": .integer(expires),
            "jti": .string(hexadecimal(16)),
        ]
        // The signature is never verified; it only has to look like one and differ.
        return [header.encoded, claims.encoded, random(32)].map { Base64URL.encode($0) }.joined(separator: ".")
    }

    static func refreshToken() -> String { "clvroar-" + hexadecimal(32) }

    /// A random UUID (RFC 9562 version 4): a code, or a legacy token.
    static func uuid() -> String { UUID().uuidString.lowercased() }

    private static func random(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max) }
    }

    private static func hexadecimal(_ count: Int) -> String {
        random(count).map { $0.digits(2, radix: 16) }.joined()
    }
}

/// The permissions of the emulated app, as chosen in the developer dashboard. Requests have no scope: a merchant
/// accepts all permissions (Clover documentation, OAuth and tokens FAQ).
enum Permission: Int, CaseIterable {
    case merchant, employees, orders, inventory, payments, customers

    /// The bitmap of all permissions in an access token.
    static var bitmap: Int {
        allCases.reduce(0) { $0 | 1 << ($1.rawValue * 2) }
    }

    /// The name and explanation on the consent page.
    var text: (name: String, meaning: String) {
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
    private static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    private let digest: [UInt8]

    /// Fails if the text is not the base64url form of 32 bytes.
    package init?(_ text: String) {
        guard let digest = Base64URL.decode(text), digest.count == 32 else { return nil }
        self.digest = digest
    }

    /// Whether the challenge was made from this verifier. A verifier outside the grammar of RFC 7636 section 4.1 (43 to
    /// 128 unreserved characters) never matches, whatever its hash.
    package func isMet(by verifier: String) -> Bool {
        let bytes = Array(verifier.utf8)
        guard (43...128).contains(bytes.count), bytes.allSatisfy(Self.unreserved.contains) else { return false }
        return SHA256.hash(bytes) == digest
    }
}

/// Base64 for URLs, without padding (RFC 4648 section 5).
package enum Base64URL {
    package static func encode(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Nil for other characters, for an impossible length, and for non-zero bits after the last byte.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let text = String(text)
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + padding)
        else { return nil }
        // Only the one text that these bytes are written as.
        return encode([UInt8](data)) == text ? [UInt8](data) : nil
    }
}
