import CloverHTTP
import CloverSystem
import CloverWebhooks
import Testing

@Suite("signatures of Hosted Checkout's webhooks")
struct WebhookSignatureTests {
    private let body = Array(#"{"status":"APPROVED"}"#.utf8)
    private let secret = Secret("whsec-1")

    @Test("the code is that of OpenSSL")
    func known() {
        // printf '1700000000.{"status":"APPROVED"}' | openssl dgst -sha256 -hmac whsec-1
        #expect(
            WebhookSignature.header(for: body, secret: secret, at: 1_700_000_000)
                == "t=1700000000,v1=2c8112442731daa8b9ca84542ba5eb4408b0f20d772de5f4c163b7f61917e4ba")
    }

    @Test(
        "a signature is accepted up to the tolerance, before and after its time", arguments: [-300, 0, 300] as [Int64])
    func accepted(_ age: Int64) throws {
        let header = WebhookSignature.header(for: body, secret: secret, at: 1_700_000_000)
        try WebhookSignature(parsing: header).verify(body, secret: secret, now: 1_700_000_000 + age, tolerance: 300)
    }

    @Test(
        "an older or a future signature is refused, also one with an extreme time",
        arguments: [
            ("1700000000", 1_700_000_301), ("1700000000", 1_699_999_699), ("9223372036854775807", -2),
        ] as [(String, Int64)])
    func outdated(_ time: String, _ now: Int64) throws {
        let header = WebhookSignature.header(for: body, secret: secret, at: Int64(time) ?? 0)
        #expect(throws: WebhookSignatureError.self) {
            try WebhookSignature(parsing: header).verify(body, secret: secret, now: now, tolerance: 300)
        }
    }

    @Test("another body, secret or time is refused")
    func forged() throws {
        let header = WebhookSignature.header(for: body, secret: secret, at: 1_700_000_000)
        let signature = try WebhookSignature(parsing: header)
        let other = try WebhookSignature(parsing: header.replacing("t=1700000000", with: "t=1700000001"))
        for (signature, body, secret) in [
            (signature, body + [0x0A], secret), (signature, body, Secret("whsec-2")), (other, body, secret),
        ] {
            #expect(throws: WebhookSignatureError.otherCode) {
                try signature.verify(body, secret: secret, now: 1_700_000_000, tolerance: 300)
            }
        }
    }

    @Test("one right code among several is enough, and spaces and unknown members are ignored")
    func several() throws {
        let header = WebhookSignature.header(for: body, secret: secret, at: 5)
        let code = header.replacing("t=5,", with: "")
        let zeros = "v1=" + String(repeating: "00", count: 32)
        for text in ["t=5,\(zeros),\(code)", " t=5 , v0=x, \(code), \(zeros)"] {
            try WebhookSignature(parsing: text).verify(body, secret: secret, now: 5, tolerance: 1)
        }
    }

    @Test(
        "what is no signature is refused",
        arguments: [
            "", "t=1", "v1=00", "t=,v1=\(String(repeating: "0", count: 64))",
            "t=-1,v1=\(String(repeating: "0", count: 64))",
            "t=1,v1=\(String(repeating: "0", count: 63))", "t=1,v1=\(String(repeating: "x", count: 64))", "x",
            "t=99999999999999999999,v1=\(String(repeating: "0", count: 64))",
        ])
    func malformed(_ header: String) {
        #expect(throws: WebhookSignatureError.malformed) { try WebhookSignature(parsing: header) }
    }

    @Test(
        "HMAC-SHA-256 is that of RFC 4231",
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ])
    func vectors(_ key: [UInt8], _ message: [UInt8], _ expected: String) {
        let code = SHA256.authenticationCode(of: message, key: key)
        #expect(code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected)
    }

    @Test(
        "equal bytes are equal in constant time, and others are not",
        arguments: [
            ("abc", "abc", true), ("abc", "abd", false), ("abc", "ab", false), ("", "", true), ("", "a", false),
        ])
    func comparison(_ left: String, _ right: String, _ isEqual: Bool) {
        #expect(ConstantTime.areEqual(Array(left.utf8), Array(right.utf8)) == isEqual)
    }
}
