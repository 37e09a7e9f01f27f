import CloverSystem
import Testing

@Suite("AES-256-GCM")
struct AESGCMTests {
    struct Vector: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let key: String
        let nonce: String
        var text = ""
        var data = ""
        let result: String
    }

    /// From "The Galois/Counter Mode of Operation" (McGrew, Viega), appendix B.
    static let vectors = [
        Vector(
            testDescription: "test case 13", key: String(repeating: "0", count: 64),
            nonce: String(repeating: "0", count: 24), result: "530f8afbc74536b9a963b4f1c4cb738b"),
        Vector(
            testDescription: "test case 14", key: String(repeating: "0", count: 64),
            nonce: String(repeating: "0", count: 24), text: String(repeating: "0", count: 32),
            result: "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"),
        Vector(
            testDescription: "test case 16", key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            text: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
                + "b16aedf5aa0de657ba637b39",
            data: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            result: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838"
                + "c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b"),
    ]

    private func bytes(_ text: String) throws -> [UInt8] { try #require([UInt8](hexadecimal: text)) }

    @Test("the published vectors come out", arguments: vectors)
    func published(_ vector: Vector) throws {
        let box = AESGCM.seal(
            try bytes(vector.text), key: try bytes(vector.key), nonce: try bytes(vector.nonce),
            authenticating: try bytes(vector.data))
        #expect(box.hexadecimalDigits == vector.nonce + vector.result)
        #expect(
            AESGCM.open(box, key: try bytes(vector.key), authenticating: try bytes(vector.data))
                == (try bytes(vector.text)))
    }

    @Test("a change of any byte, of the key or of the data is noticed")
    func changed() {
        let key = [UInt8](repeating: 7, count: AESGCM.keySize)
        let box = AESGCM.seal(Array("secret".utf8), key: key, authenticating: [1])
        #expect(AESGCM.open(box, key: key, authenticating: [1]) == Array("secret".utf8))
        for place in box.indices {
            var other = box
            other[place] ^= 1
            #expect(AESGCM.open(other, key: key, authenticating: [1]) == nil, "\(place)")
        }
        #expect(AESGCM.open(box, key: key, authenticating: [2]) == nil)
        #expect(AESGCM.open(box, key: [8] + key.dropFirst(), authenticating: [1]) == nil)
        #expect(AESGCM.open(Array(box.prefix(27)), key: key, authenticating: [1]) == nil)
    }

    @Test("the same text is never encrypted to the same bytes")
    func nonces() {
        let key = [UInt8](repeating: 7, count: AESGCM.keySize)
        let boxes = Set((0..<100).map { _ in AESGCM.seal([1, 2, 3], key: key, authenticating: []) })
        #expect(boxes.count == 100)
    }
}
