import CCrypto

/// SHA-256 (FIPS 180-4), by OpenSSL.
enum SHA256 {
    static func hash(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
            var context = SHA256_CTX()
            SHA256_Init(&context)
            SHA256_Update(&context, bytes, bytes.count)
            SHA256_Final(digest.baseAddress, &context)
            count = Int(SHA256_DIGEST_LENGTH)
        }
    }

    /// The HMAC (RFC 2104).
    static func authenticationCode(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        let size = 64
        var block = key.count > size ? hash(key) : key
        block += Array(repeating: 0, count: size - block.count)
        return hash(block.map { $0 ^ 0x5C } + hash(block.map { $0 ^ 0x36 } + bytes))
    }
}
