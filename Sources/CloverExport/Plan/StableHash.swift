import CloverRecords
import Crypto

/// What tells bytes from others and is the same in every run: the first 64 bits of their SHA-256.
package enum StableHash {
    private static let length = 8

    /// A number for the bytes of a record.
    static func value(of batch: RecordBatch, _ record: Record) -> Int64 {
        batch.bytes.withUnsafeBytes { bytes in
            let digest = SHA256.hash(data: UnsafeRawBufferPointer(rebasing: bytes[record.range]))
            return digest.prefix(length).reduce(0) { $0 << 8 | Int64($1) }
        }
    }

    /// Words for a text, of hexadecimal digits and dashes.
    package static func words(for text: String) -> String {
        SHA256.hash(data: Array(text.utf8)).prefix(length).map { String($0, radix: 16) }.joined(separator: "-")
    }
}
