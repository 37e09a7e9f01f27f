import CloverHTTP
import Testing

@Suite("Known secrets")
struct SecretMaskTests {
    private static let token = "0f8fad5b-d9cb-469f-a165-70867728950e"

    @Test("longer pieces are hidden too, whole secrets and pieces that meet as one")
    func pieces() {
        let mask = SecretMask(hiding: [Secret(Self.token)])
        #expect(mask.masked("cut \(Self.token.prefix(30))") == "cut (redacted)")
        #expect(mask.masked("...\(Self.token.suffix(12)) is bad") == "...(redacted) is bad")
        #expect(mask.masked(Self.token + Self.token) == "(redacted)")
        #expect(mask.masked("0f8fad5b is short") == "0f8fad5b is short")
        #expect(mask.masked("é\(Self.token)ü") == "é(redacted)ü")
    }

    @Test(
        "they are known as JSON and addresses spell them",
        arguments: [#""t":"ab\/cd+ef\u003d\u003d""#, "t=ab%2Fcd%2Bef%3D%3D", "ab/cd+ef==", #"ab/cd+ef\u003d\u003d"#])
    func spellings(_ text: String) {
        let mask = SecretMask(hiding: [Secret("ab/cd+ef==")])
        #expect(mask.masked(text).contains("(redacted)"))
        #expect(!mask.masked(text).contains("cd"))
    }

    @Test("a secret is found wherever it stands, whatever is around it, and of any length")
    func places() {
        for length in [6, 7, 36, 64, 65, 200] {
            let secret = String((0..<length).map { Array("abcab")[$0 % 5] })
            let mask = SecretMask(hiding: [Secret(secret)])
            // Also where its first and last bytes stand without the others.
            let filler = String(repeating: "a\(String(repeating: "x", count: length - 2))\(secret.suffix(1))", count: 3)
            for before in 0..<130 {
                let text = "\(filler.prefix(before))\(secret)\(filler.prefix(130 - before))"
                let bytes = Array(text.utf8)
                let expected = (0...bytes.count - length).filter { bytes[$0..<$0 + length].elementsEqual(secret.utf8) }
                let found = bytes.withUnsafeBytes { mask.ranges(in: $0) }
                #expect(found.map(\.lowerBound).first == expected.first && found.count >= 1, "\(length), \(before)")
                #expect(found.map(\.upperBound).last == expected.last.map { $0 + length }, "\(length), \(before)")
            }
            for cut in 0..<length {
                let bytes = Array(secret.utf8.prefix(cut))
                #expect(bytes.withUnsafeBytes { mask.ranges(in: $0) } == [], "\(length), \(cut)")
            }
        }
    }

    @Test("text in chunks: however it is cut, nothing of a secret passes, and nothing else is lost")
    func stream() {
        let mask = SecretMask(hiding: [Secret(Self.token)])
        let text = "id,name\n1,\(Self.token)\n2,b \(Self.token.prefix(20))\n"
        let expected = "id,name\n1,[masked]\n2,b \(Self.token.prefix(20))\n"
        for size in 1...text.utf8.count {
            var stream = MaskedStream(mask)
            var shown: [UInt8] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                shown += stream.pass(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            shown += stream.finish()
            #expect(String(decoding: shown, as: UTF8.self) == expected, "\(size)")
            #expect(stream.hasMasked)
        }
        var empty = MaskedStream(SecretMask())
        #expect(empty.pass([1, 2]) + empty.finish() == [1, 2])
    }
}
