/// Text that cannot be guessed, from the system's random source (getrandom(2)).
enum RandomText {
    /// So many random bytes in base64url without padding: 32 bytes are 43 characters.
    static func make(bytes: Int) -> String {
        var source = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<bytes).map { _ in UInt8.random(in: .min ... .max, using: &source) })
    }
}
