import CloverAPI
import Testing

@Suite("Environments")
struct ServiceEnvironmentTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        var name: String
        var address: String
        var testDescription: String { text }
    }

    @Test(
        "names and addresses",
        arguments: [
            Row(text: "us", name: "us", address: "https://api.clover.com"),
            Row(text: "NA", name: "us", address: "https://api.clover.com"),
            Row(text: "eu", name: "eu", address: "https://api.eu.clover.com"),
            Row(text: "sandbox", name: "sandbox", address: "https://apisandbox.dev.clover.com"),
            Row(
                text: "https://Example.com:8443/base/", name: "https://example.com:8443/base",
                address: "https://example.com:8443/base"),
            Row(text: "http://127.0.0.1:80", name: "http://127.0.0.1:80", address: "http://127.0.0.1:80"),
            Row(text: "http://localhost:1", name: "http://localhost:1", address: "http://localhost:1"),
            Row(text: "http://[::1]:1", name: "http://[::1]:1", address: "http://[::1]:1"),
        ])
    func parses(row: Row) throws {
        let environment = try ServiceEnvironment(parsing: row.text)
        #expect(environment.name == row.name)
        #expect(environment.apiBaseURL == row.address)
    }

    @Test(
        "plain http reaches this machine only",
        arguments: ["http://example.com", "http://10.0.0.1", "http://127.0.0.1.evil.com", "http://128.0.0.1"])
    func refusesPlainHTTP(text: String) {
        #expect(throws: QueryError.insecureAddress(text)) { try ServiceEnvironment(parsing: text) }
    }

    @Test(
        "an invalid environment is refused",
        arguments: ["mars", "", "ftp://host", "https://", "https://h?x=1", "https://u:p@h"])
    func refuses(text: String) {
        #expect(throws: QueryError.self) { try ServiceEnvironment(parsing: text) }
    }
}
