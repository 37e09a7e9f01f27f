import CloverHTTP
import Testing

@Suite("Secrets in free text")
struct TextRedactionTests {
    @Test(
        "are found by their names",
        arguments: [
            (#"bad body {"pin":"1234","name":"A"}"#, #"bad body {"pin":"(redacted)","name":"A"}"#),
            (#"bad body {\"pin\":\"12\\\"34\",\"a\":1}"#, #"bad body {\"pin\":\"(redacted)\",\"a\":1}"#),
            (#"{"pin": 1234, "a":1}"#, #"{"pin": (redacted), "a":1}"#),
            ("pin=1234&a=1", "pin=(redacted)&a=1"), ("filter pin%3D1234 is wrong", "filter pin%3D(redacted) is wrong"),
            ("invalid pin: 1234.", "invalid pin: (redacted)"),
            ("{'password': 'x y', 'a': 1}", "{'password': '(redacted)', 'a': 1}"),
            (#""accessTokens":["a","b"],"x":1"#, #""accessTokens":(redacted),"x":1"#),
            ("header Authorization: Bearer abcdef-012345 is bad", "header Authorization: Bearer (redacted) is bad"),
            ("<p>client_secret=abc</p>", "<p>client_secret=(redacted)</p>"), (#"{"pin":"12"#, #"{"pin":"(redacted)"#),
            ("access_token=(redacted)&a=1", "access_token=(redacted)&a=1"),
            ("bad source clv_1TSTSUqRJ9N5DaHh for KIM", "bad source (redacted) for KIM"),
        ])
    func redacted(_ text: String, _ shown: String) { #expect(TextRedaction.redacted(text) == shown) }

    @Test(
        "what only speaks of them stays",
        arguments: [
            "token: expired", "Bearer token is missing", "the pin must have 4 digits", "password: must be longer, say",
            "\"pin\" is not a field", "tokenType: MULTIPAY1", "pin", "pin:", "", "é: ü", "limit=100",
        ])
    func prose(_ text: String) { #expect(TextRedaction.redacted(text) == text) }
}
