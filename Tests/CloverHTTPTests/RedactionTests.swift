import CloverHTTP
import Testing

@Suite("Redaction")
struct RedactionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var url: String
        var shown: String
    }

    @Test(
        "URLs are shown without their secrets",
        arguments: [
            Row(testDescription: "nothing secret", url: "https://h/p?limit=1", shown: "https://h/p?limit=1"),
            Row(
                testDescription: "token", url: "https://h/p?access_token=S&a=1",
                shown: "https://h/p?access_token=(redacted)&a=1"),
            Row(
                testDescription: "upper case", url: "https://h/?Access_Token=S",
                shown: "https://h/?Access_Token=(redacted)"),
            Row(testDescription: "user", url: "https://u:S@h/p", shown: "https://(redacted)@h/p"),
            Row(
                testDescription: "user and token", url: "https://S@h?code=S",
                shown: "https://(redacted)@h?code=(redacted)"),
            Row(testDescription: "at sign in the path", url: "https://h/a@b", shown: "https://h/a@b"),
        ])
    func urls(row: Row) {
        #expect(Redaction.url(row.url) == row.shown)
    }

    @Test("a secret prints as redacted, however it is printed")
    func secrets() {
        let secret = Secret("S3CRET")
        #expect("\(secret)" == "(redacted)")
        #expect(String(reflecting: secret) == "(redacted)")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!dumped.contains("S3CRET"))
        #expect(secret.exposed == "S3CRET")
    }
}
