import CCrypto

/// SHA-256 (FIPS 180-4), by OpenSSL.
package struct SHA256: Sendable {
    private var context = SHA256_CTX()

    package init() {
        // The low-level functions return 1 always.
        SHA256_Init(&context)
    }

    package static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalize()
    }

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

extension SHA256 {
    /// The bytes that SHA-256 processes at a time.
    private static let blockSize = 64

    /// HMAC-SHA-256 (RFC 2104), 32 bytes.
    package static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var block = key.count > blockSize ? hash(key) : key
        block += [UInt8](repeating: 0, count: blockSize - block.count)
        var inner = SHA256()
        inner.update(block.map { $0 ^ 0x36 })
        inner.update(message)
        var outer = SHA256()
        outer.update(block.map { $0 ^ 0x5C })
        outer.update(inner.finalize())
        return outer.finalize()
    }
}

/// Comparing secrets.
package enum ConstantTime {
    /// Whether two sequences of bytes are equal. The time does not depend on where they differ, nor on the length of the
    /// expected one, because their digests are compared.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        let difference = zip(SHA256.hash(left), SHA256.hash(right)).reduce(0) { $0 | ($1.0 ^ $1.1) }
        return difference == 0
    }
}
