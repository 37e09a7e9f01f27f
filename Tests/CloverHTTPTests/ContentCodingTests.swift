import CloverHTTP
import CloverSystem
import Testing

/// Compressed bodies, and those that unpack to far more than was sent.
@Suite("compressed bodies")
struct ContentCodingTests {
    private static let text = Array(#"{"elements":[{"id":"A"},{"id":"B"}]}"#.utf8)

    @Test("a body of one member and of several is unpacked", arguments: [1, 2, 5])
    func members(_ count: Int) async throws {
        let size = Self.text.count / count + 1
        let parts = stride(from: 0, to: Self.text.count, by: size).map {
            Array(Self.text[$0..<min($0 + size, Self.text.count)])
        }
        let packed = try parts.flatMap { try Self.packed($0) }
        #expect(try await Self.received(packed) == .success(Self.text))
        #expect(try await Self.received(packed + [0, 0, 0]) == .success(Self.text), "zeros that fill a block")
        #expect(try await Self.received(packed, coding: "X-GZIP") == .success(Self.text))
    }

    @Test("a body that is cut off, damaged, or no gzip, is an error and not a shorter body")
    func damaged() async throws {
        let packed = try Self.packed(Self.text)
        var changed = packed
        changed[packed.count - 6] ^= 0x55
        let bodies = [
            Array(packed.dropLast(1)), Array(packed.prefix(12)), packed + packed.prefix(7), packed + [1, 2, 3], changed,
            Self.text,
        ]
        for body in bodies {
            guard case .failure(.cutOff) = try await Self.received(body) else {
                Issue.record("\(body.count) bytes were accepted")
                continue
            }
        }
    }

    @Test("no body needs no unpacking, and a coding that was not asked for is an error")
    func others() async throws {
        #expect(try await Self.received([]) == .success([]))
        #expect(try await Self.received(Self.text, coding: "identity") == .success(Self.text))
        for coding in ["br", "deflate", "gzip, gzip"] {
            guard case .failure(.cutOff) = try await Self.received(try Self.packed(Self.text), coding: coding) else {
                Issue.record("\(coding) was accepted")
                continue
            }
        }
    }

    @Test("64 MiB of spaces come in pieces of 128 KiB at most, and its reader can stop after any of them")
    func bomb() async throws {
        let encoder = try Compression.gzip.makeEncoder()
        let spaces = [UInt8](repeating: 0x20, count: 1 << 20)
        var packed: [UInt8] = []
        for _ in 0..<64 { packed += try spaces.withUnsafeBytes { try encoder.encode($0) } }
        packed += try encoder.finish()
        let decoder = try GzipDecoder()
        decoder.feed(packed)
        var total = 0
        while let piece = try decoder.next() {
            #expect(piece.count <= 128 << 10)
            total += piece.count
        }
        try decoder.finish()
        #expect(total == 64 << 20)
        let server = try RawServer { [packed] _ in .send(Self.head(packed.count, "gzip") + packed) }
        let transport = CurlTransport(settings: CurlSettings(userAgent: "test"))
        let response = try await transport.send(HTTPRequest(url: server.url), departure: SendGate(), onEnd: {})
        response.body.readAhead()
        for _ in 0..<10 {
            let piece = try #require(try await response.body.next())
            #expect(piece.count <= 128 << 10)
            #expect(piece.allSatisfy { $0 == 0x20 })
        }
        response.body.cancel()
        await #expect(throws: HTTPTransportError.cancelled) {
            while try await response.body.next() != nil {}
        }
    }

    private static func packed(_ bytes: [UInt8]) throws -> [UInt8] {
        let encoder = try Compression.gzip.makeEncoder()
        return try bytes.withUnsafeBytes { try encoder.encode($0) } + (try encoder.finish())
    }

    private static func head(_ size: Int, _ coding: String) -> [UInt8] {
        Array("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(size)\r\n\r\n".utf8)
    }

    private static func received(
        _ body: [UInt8], coding: String = "gzip"
    ) async throws -> Result<[UInt8], HTTPTransportError> {
        let server = try RawServer { _ in .send(head(body.count, coding) + body) }
        let transport = CurlTransport(settings: CurlSettings(userAgent: "test"))
        do throws(HTTPTransportError) {
            let response = try await transport.send(HTTPRequest(url: server.url), departure: SendGate(), onEnd: {})
            var bytes: [UInt8] = []
            while let piece = try await response.body.next() { bytes += piece }
            return .success(bytes)
        } catch {
            return .failure(error)
        }
    }
}
