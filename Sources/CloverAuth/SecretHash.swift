package import CloverHTTP
import Crypto

/// What a secret is recognised by without being kept.
package enum SecretHash {
    /// The SHA-256 of the secret's bytes, in 64 hexadecimal digits. Tokens and codes are long and random, so that
    /// nobody finds them by trying.
    package static func hexadecimal(of secret: Secret) -> String {
        bytes(of: secret.exposed).hexadecimalDigits
    }

    /// The 32 bytes of the SHA-256 of `text`.
    static func bytes(of text: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(text.utf8)))
    }
}
