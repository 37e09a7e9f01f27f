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
            Row(
                testDescription: "words in names", url: "https://h/?apiAccessKey=S&userPassword=S&limit=1",
                shown: "https://h/?apiAccessKey=(redacted)&userPassword=(redacted)&limit=1"),
            Row(
                testDescription: "an employee's PIN", url: "https://h/?filter=pin%3D9712&filter=name%3Da",
                shown: "https://h/?filter=(redacted)&filter=name%3Da"),
            Row(
                testDescription: "spellings",
                url: "https://h/?PIN=1&routing_number=2&shippingId=3&filter=employee.pin!=4",
                shown: "https://h/?PIN=(redacted)&routing_number=(redacted)&shippingId=3&filter=(redacted)"),
            Row(testDescription: "user", url: "https://u:S@h/p", shown: "https://(redacted)@h/p"),
            Row(
                testDescription: "user and token", url: "https://S@h?code=S",
                shown: "https://(redacted)@h?code=(redacted)"),
            Row(testDescription: "at sign in the path", url: "https://h/a@b", shown: "https://h/a@b"),
        ])
    func urls(row: Row) {
        #expect(Redaction.url(row.url) == row.shown)
    }

    @Test(
        "header fields are shown, but for secrets",
        arguments: [
            ("Authorization", "Bearer S3CRET", "Bearer (redacted)"), ("Authorization", "S3CRET", "(redacted)"),
            ("Set-Cookie", "S3CRET", "(redacted)"), ("X-Auth-Token", "S3CRET", "(redacted)"),
            ("X-RateLimit-tokenLimit", "16", "16"), ("X-RateLimit-crossTokenConcurrentLimit", "10", "10"),
            ("Location", "https://h/?access_token=S3CRET&a=1", "https://h/?access_token=(redacted)&a=1"),
            ("Content-Type", "application/json", "application/json"), ("X-Clover-Auth", "S3CRET", "(redacted)"),
            ("apikey", "S3CRET", "(redacted)"), ("X-Auth", "S3CRET", "(redacted)"),
            ("X-Password", "S3CRET", "(redacted)"),
            ("X-Clover-Account-Id", "E1", "E1"),
        ])
    func headers(_ name: String, _ value: String, _ shown: String) {
        #expect(Redaction.header(HTTPHeader(name: name, value: value)) == shown)
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

    @Test("a known secret is hidden wherever it appears")
    func mask() {
        let mask = SecretMask()
        #expect(mask.masked("bad header S3CRET-1") == "bad header S3CRET-1")
        mask.hide(Secret("S3CRET-1"))
        #expect(mask.masked("bad S3CRET-1, again S3CRET-1") == "bad (redacted), again (redacted)")
        mask.hide(Secret("ab"))
        #expect(mask.masked("about") == "about")
    }

    @Test(
        "environment variables are secret by name or value",
        arguments: [
            ("PGPASSWORD", "x", true), ("SHOP_API_KEY", "x", true), ("GITHUB_TOKEN", "x", true),
            ("https_proxy", "me:x@proxy:3128", true), ("ALL_PROXY", "socks5h://me:x@proxy", true),
            ("DATABASE_URL", "postgresql://me:x@db/shop", true), ("DB", "host=db password=x", true),
            ("HOOK", "https://h/p?token=x", true), ("https_proxy", "http://proxy:3128", false), ("PATH", "/bin", false),
            ("PWD", "/home/me", false), ("EMAIL", "me@shop.example", false), ("CLOVER_PROFILE", "shop", false),
            ("CLOVER_STATE", "postgresql://db/shop", false),
        ])
    func variables(_ name: String, _ value: String, _ isSecret: Bool) {
        #expect(Redaction.isSecretVariable(name, value) == isSecret)
    }
}
