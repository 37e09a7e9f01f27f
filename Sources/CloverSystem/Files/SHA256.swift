import CCrypto

/// SHA-256 (FIPS 180-4), by OpenSSL.
package struct SHA256: Sendable {
    private var context = SHA256_CTX()

    package init() {
        // The low-level functions return 1 always.
        SHA256_Init(&context)
    }

    /// The digest of some bytes, 32 bytes.
    package static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalize()
    }

    /// The digest of some bytes, 32 bytes.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { hash($0) }
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        SHA256_Update(&context, bytes.baseAddress, bytes.count)
    }

    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// The digest of all bytes so far, 32 bytes.
    package func finalize() -> [UInt8] {
        var copy = context
        return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
            SHA256_Final(digest.baseAddress, &copy)
            count = Int(SHA256_DIGEST_LENGTH)
        }
    }
}
