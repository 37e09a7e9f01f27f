package import CloverRecords
import Crypto

/// A sum over records that does not depend on their order: of two whole lists with the same sum nobody needs the second.
/// The service promises no order.
package struct ContentSum: Sendable, Equatable {
    // No SIMD4: the frames of asynchronous functions have room for alignments of 16 bytes at most, and are written beyond
    // by the compiler (Swift 6.3) when a value in them wants 32.
    private var lanes: [UInt64] = [0, 0, 0, 0]
    private var count: UInt64 = 0

    package init() {}

    package mutating func add(_ batch: RecordBatch) {
        batch.bytes.withUnsafeBytes { bytes in
            for record in batch.records {
                let digest = SHA256.hash(data: UnsafeRawBufferPointer(rebasing: bytes[record.range]))
                var lane = 0
                digest.withUnsafeBytes { digest in
                    while lane < 4 {
                        lanes[lane] &+= digest.loadUnaligned(fromByteOffset: lane * 8, as: UInt64.self)
                        lane += 1
                    }
                }
                count += 1
            }
        }
    }

    /// In words that stay the same as long as what is chosen to be written does.
    ///
    /// - Parameter choice: format, fields and so on: other files are due when it changes.
    package func text(choice: String) -> String {
        "\(count):" + (0..<4).map { String(lanes[$0], radix: 16) }.joined(separator: ".") + "/"
            + StableHash.words(for: choice)
    }
}
