import CCrypto

/// AES-256-GCM (NIST SP 800-38D), by OpenSSL: encrypts short texts so that any change is noticed.
package enum AESGCM {
    /// Sizes in bytes.
    package static let keySize = 32
    private static let nonceSize = 12
    private static let tagSize = 16

    /// Encrypts `text` under a new random nonce.
    ///
    /// - Parameters:
    ///   - key: 32 bytes. Fewer than 2^32 texts may be encrypted with one key, because nonces are random.
    ///   - data: is not encrypted, and must be the same to decrypt.
    /// - Returns: nonce, encrypted text and tag.
    package static func seal(_ text: [UInt8], key: [UInt8], authenticating data: [UInt8]) -> [UInt8] {
        seal(text, key: key, nonce: (0..<nonceSize).map { _ in .random(in: .min ... .max) }, authenticating: data)
    }

    /// For test vectors: no nonce may be used twice.
    package static func seal(
        _ text: [UInt8], key: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
    ) -> [UInt8] {
        withContext(key, nonce, data) { context in
            var output = [UInt8](repeating: 0, count: text.count)
            var tag = [UInt8](repeating: 0, count: tagSize)
            // Fails only for more than 2^36 bytes.
            CRYPTO_gcm128_encrypt(context, text, &output, text.count)
            CRYPTO_gcm128_tag(context, &tag, tagSize)
            return nonce + output + tag
        }
    }

    /// Decrypts what `seal` returned.
    ///
    /// - Returns: nil if the box, the key or the data is not the one of `seal`.
    package static func open(_ box: [UInt8], key: [UInt8], authenticating data: [UInt8]) -> [UInt8]? {
        guard box.count >= nonceSize + tagSize else { return nil }
        let text = Array(box[nonceSize..<(box.count - tagSize)])
        return withContext(key, Array(box.prefix(nonceSize)), data) { context in
            var output = [UInt8](repeating: 0, count: text.count)
            CRYPTO_gcm128_decrypt(context, text, &output, text.count)
            // Compares in constant time.
            return CRYPTO_gcm128_finish(context, Array(box.suffix(tagSize)), tagSize) == 0 ? output : nil
        }
    }

    private static func withContext<Value>(
        _ key: [UInt8], _ nonce: [UInt8], _ data: [UInt8], _ body: (OpaquePointer) -> Value
    ) -> Value {
        precondition(key.count == keySize)
        var schedule = AES_KEY()
        AES_set_encrypt_key(key, Int32(8 * keySize), &schedule)
        return withUnsafeMutablePointer(to: &schedule) { schedule in
            let context = CRYPTO_gcm128_new(schedule) { input, output, key in
                AES_encrypt(input, output, key?.assumingMemoryBound(to: AES_KEY.self))
            }
            guard let context else { fatalError("no memory") }
            // Erases it too.
            defer { CRYPTO_gcm128_release(context) }
            CRYPTO_gcm128_setiv(context, nonce, nonce.count)
            if !data.isEmpty { CRYPTO_gcm128_aad(context, data, data.count) }
            return body(context)
        }
    }
}
