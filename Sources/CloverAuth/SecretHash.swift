package import CloverHTTP
import Crypto

/// What a secret is recognised by without being kept.
package enum SecretHash {
    /// The SHA-256 of the secret's bytes, in 64 hexadecimal digits. Tokens and codes are long and random, so that
    /// nobody finds them by trying.
    package static func hexadecimal(of secret: Secret) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes(of: secret.exposed).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    /// The 32 bytes of the SHA-256 of `text`.
    static func bytes(of text: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(text.utf8)))
    }
}
