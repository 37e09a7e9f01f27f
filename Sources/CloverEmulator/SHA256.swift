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
}
