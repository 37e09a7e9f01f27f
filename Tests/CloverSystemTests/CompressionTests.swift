import CloverSystem
import CloverTestSupport
import Foundation
import Testing

/// What is compressed here is read by the programs that a user would read it with.
@Suite("compression")
struct CompressionTests {
    /// Sizes around those of the pieces that the encoders work in.
    static let sizes = [0, 1, 1000, 64 << 10, (128 << 10) + 1, 3_000_000]

    @Test("gzip and zstd get back what was compressed", arguments: Compression.allCases, sizes)
    func roundTrip(_ compression: Compression, _ size: Int) async throws {
        let bytes = Self.content(size)
        let directory = try TemporaryDirectory()
        let compressed = try Self.compressed(bytes, compression, piece: 7777)
        // A file that is appended to is several one after the other.
        for (stored, expected) in [(compressed, bytes), (compressed + compressed, bytes + bytes)] {
            let file = try directory.write("content" + compression.suffix, stored)
            let read = try await CommandRunner(executable: "/usr/bin/\(compression.rawValue)", environment: [:])
                .run(["-d", "-c", "-q", file])
            #expect(read.status == 0, "\(read)")
            #expect(read.output == expected)
        }
    }

    @Test("equal bytes give equal files, however they are split", arguments: Compression.allCases)
    func isDeterministic(_ compression: Compression) throws {
        let bytes = Self.content(500_000)
        let whole = try Self.compressed(bytes, compression, piece: bytes.count)
        #expect(whole.count < bytes.count / 2)
        #expect(try Self.compressed(bytes, compression, piece: bytes.count) == whole)
        #expect(try Self.compressed(bytes, compression, piece: 4099) == whole)
    }

    private static func compressed(_ bytes: [UInt8], _ compression: Compression, piece: Int) throws -> [UInt8] {
        let encoder = try compression.makeEncoder()
        var result: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            result += try rest.prefix(piece).withUnsafeBytes { try encoder.encode($0) }
            rest = rest.dropFirst(piece)
        }
        return result + (try encoder.finish())
    }

    /// Lines as an export has them.
    private static func content(_ size: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var number = 0
        while bytes.count < size {
            bytes += Array(
                #"{"id":"\#(String(number &* 2_654_435_761, radix: 36))","total":\#(number * 7 % 10_007)}"#.utf8)
            bytes.append(10)
            number += 1
        }
        return Array(bytes.prefix(size))
    }
}
