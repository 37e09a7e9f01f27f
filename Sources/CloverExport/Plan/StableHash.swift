import CloverRecords
import Crypto

/// A number for the bytes of a record that is the same in every run: the first 64 bits of their SHA-256.
enum StableHash {
    static func value(of batch: RecordBatch, _ record: Record) -> Int64 {
        batch.bytes.withUnsafeBytes { bytes in
            let digest = SHA256.hash(data: UnsafeRawBufferPointer(rebasing: bytes[record.range]))
            return digest.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
        }
    }
}
