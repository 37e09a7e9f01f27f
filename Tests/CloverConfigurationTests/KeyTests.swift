import CloverConfiguration
import Testing

@Suite("configuration: keys")
struct KeyTests {
    @Test("a key, its option and its variable are one word", arguments: ConfigurationKey.allCases)
    func names(_ key: ConfigurationKey) {
        let variable = "CLOVER_" + key.name.uppercased().replacing("-", with: "_")
        #expect(key.variables.first == variable)
        let others: [ConfigurationKey] = [.readerDriver, .squareClientID]
        if !others.contains(key), let option = key.facts.option { #expect(option == "--" + key.name) }
    }

    @Test("a default is a value that the key takes", arguments: ConfigurationKey.allCases)
    func defaults(_ key: ConfigurationKey) {
        if let standard = key.facts.standard { #expect(key.facts.kind.accepts(standard)) }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let kind: ValueKind
        let good: [String]
        let bad: [String]
        var testDescription: String { kind.expectation }
    }

    @Test(
        "values are checked by their kind",
        arguments: [
            Row(
                kind: .wholeNumber(0...100), good: ["0", "5", "100"], bad: ["-1", "101", "5.0", "five", "+5", "٥", ""]),
            Row(kind: .duration, good: ["30", "500ms", "1.5m", "2h"], bad: ["0", "-5s", "5d", "soon", ""]),
            Row(kind: .truth, good: ["true", "No", "on", "0"], bad: ["maybe", "2", ""]),
            Row(kind: .word(["minor", "major"]), good: ["minor"], bad: ["Minor", "both", ""]),
            Row(
                kind: .service, good: ["sandbox", "eu", "https://clover.example", "http://127.0.0.1:8080"],
                bad: ["mars", "http://clover.example", "https://user:secret@clover.example", ""]),
            Row(kind: .identifier, good: ["7ZK9QX4M2T1AB"], bad: ["a b", "a/b", "../x", ""]),
            Row(kind: .profileName, good: ["downtown", "shop.2"], bad: ["-x", ".x", "a b", ""]),
            Row(kind: .zone, good: ["merchant", "UTC", "Europe/Berlin"], bad: ["Mars/Base", "../etc/passwd", ""]),
            Row(kind: .file, good: ["/etc/ca.pem", "~/ca.pem"], bad: ["ca.pem", "~other/ca.pem", ""]),
            Row(
                kind: .database,
                good: ["postgresql://clover@db.example.com/clover", "postgres:///clover?host=/run/postgresql"],
                bad: [
                    "db.example.com", "postgresql://clover:x@db.example.com/clover", "postgresql:///c?password=x",
                    "postgresql:///c?host=a&sslpassword=x", "postgresql:///c?p%61ssword=x", "",
                ]),
            Row(kind: .text, good: ["sq0idp-abc", "a b"], bad: ["a\nb", "a\u{1B}[31m", ""]),
        ])
    func kinds(_ row: Row) {
        for text in row.good { #expect(row.kind.accepts(text), "\(text)") }
        for text in row.bad { #expect(!row.kind.accepts(text), "\(text)") }
    }

    @Test("what was meant by a wrong name is found")
    func near() {
        #expect(
            throws: ConfigurationError.unknownKey("requestsPerSecond", near: ["requests-per-second"])
        ) {
            try ConfigurationKey(naming: "requestsPerSecond")
        }
        #expect(throws: ConfigurationError.unknownKey("fromat", near: ["format"])) {
            try ConfigurationKey(naming: "fromat")
        }
        for (name, near) in [
            ("retries", ["retry"]), ("timezone", ["zone"]), ("pos-id", ["pay-display-pos-id"]), ("zzzz", []),
        ] {
            #expect(ConfigurationKey.near(name, inProfile: false) == near, "\(name)")
            #expect(ConfigurationKey.near(name, inProfile: true) == near, "\(name)")
        }
    }

    @Test(
        "keys of secrets are refused by name",
        arguments: [
            "access-token", "token", "appSecret", "client_secret", "PASSWORD", "api-key", "refresh_token", "pin",
        ])
    func secretKeys(_ name: String) {
        #expect(throws: ConfigurationError.secretKey(name)) { try ConfigurationKey(naming: name) }
    }

    @Test(
        "values that look like secrets are refused, and not repeated",
        arguments: [
            "8d7e2f34-1111-2222-3333-444455556666", "eyJhbGciOi.eyJzdWIi.c2lnbmF0dXJl", "Bearer abc", "sq0csp-abcdef",
            "https://name:word@clover.example", "sandbox-sq0csb-abcdef", "sandbox-sq0csp-abcdef", "sq0csb-abcdef",
            "sq0atp-abcdef", "sandbox-sq0atb-abcdef", "sk_live_51AbCdEfGhIjKlMnOpQr", "sk_test_51AbCdEf",
            "rk_live_51AbCdEf",
            "whsec_AbCdEf", "ghp_AbCdEf",
        ])
    func secretValues(_ value: String) {
        #expect(throws: ConfigurationError.wrongValue(.squareClientID, nil)) {
            try ConfigurationKey.squareClientID.check(value)
        }
    }

    @Test(
        "ids of applications are no secrets", arguments: ["sq0idp-AbCdEf", "sandbox-sq0idb-AbCdEf", "pk_live_x", "sq0"])
    func identifiers(_ value: String) throws {
        try ConfigurationKey.squareClientID.check(value)
        try ConfigurationKey.payDisplayPosID.check(value)
    }

    @Test("the id of a Pay Display point of sale is no exception: Clover's tokens are UUIDs too")
    func posID() throws {
        let value = "8d7e2f34-1111-2222-3333-444455556666"
        #expect(throws: ConfigurationError.wrongValue(.payDisplayPosID, nil)) {
            try ConfigurationKey.payDisplayPosID.check(value)
        }
        try ConfigurationKey.payDisplayPosID.check("till 3")
    }

    @Test("where payments come from is an address in digits")
    func clientAddress() throws {
        for text in ["203.0.113.7", "2001:db8::7", "::1"] { try ConfigurationKey.clientAddress.check(text) }
        for text in ["here", "203.0.113", "203.0.113.7:80", "203.0.113.256", "shop.example", "[::1]"] {
            #expect(throws: ConfigurationError.wrongValue(.clientAddress, text)) {
                try ConfigurationKey.clientAddress.check(text)
            }
        }
    }
}
