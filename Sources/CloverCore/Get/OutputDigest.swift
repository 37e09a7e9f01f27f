import CloverHTTP
import CloverRecords
import Crypto
import Synchronization

/// The SHA-256 (FIPS 180-4) and the number of the bytes that went to standard output.
final class OutputDigest: Sendable {
    private let state = Mutex((hash: SHA256(), bytes: 0))

    /// Watches the output from here on.
    static func watching(_ output: RecordOutput) async -> OutputDigest {
        let digest = OutputDigest()
        await output.observe { digest.add($0) }
        return digest
    }

    private func add(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { state in
            state.hash.update(bufferPointer: bytes)
            state.bytes += bytes.count
        }
    }

    var bytes: Int { state.withLock(\.bytes) }

    /// In hexadecimal digits.
    var text: String {
        state.withLock { $0.hash.finalize() }.hexadecimalDigits
    }
}
