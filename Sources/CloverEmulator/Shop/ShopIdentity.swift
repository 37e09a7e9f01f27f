/// The names and lasting secrets of the emulated merchant and app. They derive from the seed, so no secret is ever passed
/// in and none of them is worth anything outside the emulator.
package struct ShopIdentity: Sendable {
    /// The first is the one the ready line gives, made by the merchant by hand and of no app; the others are the app's, and
    /// let a test reach the limits of an app, which no single token can.
    package static let tokenCount = 5

    package let merchantID: Identifier
    package let appID: Identifier
    package let accessTokens: [String]
    package let appSecret: String
    package let appName = "Register Tools"
    /// The public key of the card tokenizer, the same for the merchant's whole life.
    package let apiAccessKey: String

    package init(seed: UInt64, ids: IdentifierScheme) {
        merchantID = ids.identifier(.merchant, 0)
        appID = ids.identifier(.application, 0)
        accessTokens = (0..<Self.tokenCount).map { Self.uuid(seed: seed, stream: .credential, index: $0 + 1) }
        appSecret = Self.uuid(seed: seed, stream: .credential, index: 0)
        var random = SeededRandom(seed: seed, stream: .apiKey, index: 0)
        apiAccessKey = Self.hexadecimal(random.next()) + Self.hexadecimal(random.next())
    }

    /// A random UUID (RFC 9562 version 4), the form of Clover's tokens, secrets and device ids.
    package static func uuid(seed: UInt64, stream: RandomStream, index: Int) -> String {
        var random = SeededRandom(seed: seed, stream: stream, index: index)
        let high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = hexadecimal(high) + hexadecimal(low)
        var text = ""
        for (place, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(place) { text.append("-") }
            text.append(digit)
        }
        return text
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
