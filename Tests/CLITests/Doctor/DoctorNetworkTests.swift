import CloverTestSupport
import Foundation
import Testing

@Suite("doctor: network, proxy, TLS, service, clock, token")
struct DoctorNetworkTests {
    @Test("an unknown host and a closed port fail as the network; the checks that depend on it are skipped")
    func unreachable() async throws {
        try await Sandbox.run { sandbox in
            let port = try LoopbackServer { _, _ in .reset }.port
            for address in ["https://nonexistent.invalid", "http://127.0.0.1:\(port)"] {
                let report = try await sandbox.withoutBuses.using(address).doctor()
                #expect(report.result.ending == .exited(78))
                #expect(report.failed == ["network"], "\(report.result.outputText)")
                #expect(report.text("network").contains("clover config list --explain"), "\(report.text("network"))")
                #expect(report.of("service").map(\.result) == ["skip"])
                #expect(report.of("token").map(\.result) == ["skip"])
            }
        }
    }

    @Test("a proxy that does not listen fails as the proxy, without its password")
    func deadProxy() async throws {
        try await Sandbox.run { sandbox in
            let port = try LoopbackServer { _, _ in .reset }.port
            let proxied = sandbox.withoutBuses.using("https://clover.example")
                .with(["https_proxy": "http://me:hush-hush@127.0.0.1:\(port)"])
            let report = try await proxied.doctor()
            #expect(report.failed == ["proxy"], "\(report.result.outputText)")
            #expect(report.text("proxy").contains("http://127.0.0.1:\(port)"))
            #expect(!report.result.outputText.contains("hush-hush"))
            #expect(report.of("network").map(\.result) == ["skip"])
            let exempt = try await proxied.with(["no_proxy": "clover.example"]).doctor()
            #expect(exempt.text("proxy").contains("no proxy"), "\(exempt.text("proxy"))")
            // The suggested fix works, with a port, too.
            let other = sandbox.withoutBuses.using("https://127.0.0.1:\(port)")
                .with(["https_proxy": "http://127.0.0.1:\(port)"])
            let text = try await other.doctor().text("proxy")
            let words = text.split { " \"\n".contains($0) }
            let remedy = try #require(words.first { $0.hasPrefix("no_proxy=") }, "\(text)")
            #expect(text.contains("export \(remedy)"), "\(text)")
            let mended = try await other.with(["no_proxy": String(remedy.dropFirst("no_proxy=".count))]).doctor()
            #expect(mended.text("proxy").contains("no proxy"), "\(remedy): \(mended.text("proxy"))")
        }
    }

    @Test("a file of authorities that is missing is named, whatever the service and without one")
    func missingFile() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(status: "401 Unauthorized", "{}") }) { sandbox, _ in
            let path = sandbox.directory["missing.pem"]
            for words in [["--offline"], [], ["--environment", "https://127.0.0.1:1"]] {
                let report = try await sandbox.withoutBuses.doctor(words + ["--cacert", path])
                #expect(report.failed.contains("tls"), "\(report.result)")
                #expect(report.text("tls").contains("'\(path)': No such file"), "\(report.text("tls"))")
            }
        }
    }

    @Test("a token of CLOVER_ACCESS_TOKEN that is not accepted: the variable is what is to be changed")
    func badVariable() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(status: "401 Unauthorized", "{}") }) { sandbox, _ in
            let report = try await sandbox.withoutBuses.doctor()
            #expect(report.failed.contains("token"), "\(report.result)")
            #expect(report.text("token").contains("unset CLOVER_ACCESS_TOKEN"), "\(report.text("token"))")
            #expect(!report.text("token").contains("clover auth login"))
        }
    }

    @Test("an untrusted certificate fails as TLS; --cacert trusts it, and a bad file is named")
    func certificate() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(status: "401 Unauthorized", "{}") }) {
            sandbox, server in
            let relay = try await TLSRelay(to: server.port, in: sandbox.directory)
            let secure = sandbox.withoutBuses.using(relay.url)
            let report = try await secure.doctor()
            #expect(report.failed == ["tls"], "\(report.result.outputText)")
            #expect(report.text("tls").contains("certificate"))
            let trusted = try await secure.doctor("--cacert", relay.certificate)
            #expect(trusted.of("tls").map(\.result) == ["ok"], "\(trusted.result.outputText)")
            let bad = try await secure.doctor("--cacert", sandbox.directory["missing.pem"])
            #expect(bad.of("tls").map(\.result) == ["fail"])
            #expect(bad.text("tls").contains("missing.pem"))
        }
    }

    @Test("what does not speak HTTP, and a service that fails, fail as the service")
    func service() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(bytes: Array("220 mail\r\n".utf8), ending: .close) }) {
            sandbox, _ in
            let report = try await sandbox.withoutBuses.doctor()
            #expect(report.of("service").map(\.result) == ["fail"], "\(report.result.outputText)")
        }
        try await Sandbox.run(server: { _, _ in LoopbackResponse(status: "503 Service Unavailable", "{}") }) {
            sandbox, server in
            let report = try await sandbox.withoutBuses.doctor()
            #expect(report.of("service").map(\.result) == ["fail"])
            #expect(report.text("service").contains("503"))
        }
    }

    private struct Skew: Sendable, CustomTestStringConvertible {
        let ahead: Double
        let result: String
        let words: String
        var testDescription: String { "\(ahead) s ahead: \(result)" }
    }

    @Test(
        "a wrong clock is reported with its direction",
        arguments: [
            Skew(ahead: 41, result: "warn", words: "s ahead of the service: tokens will be refreshed early"),
            Skew(ahead: -600, result: "warn", words: "min behind the service"),
            Skew(ahead: 90_000, result: "fail", words: "h ahead of the service"),
            Skew(ahead: 0, result: "ok", words: "agrees"),
        ])
    private func clock(_ skew: Skew) async throws {
        try await Sandbox.run(server: { _, _ in
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(identifier: "GMT")
            formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
            let date = formatter.string(from: Date(timeIntervalSinceNow: -skew.ahead))
            return LoopbackResponse(status: "401 Unauthorized", headers: ["Date: \(date)"], body: Array("{}".utf8))
        }) { sandbox, _ in
            let report = try await sandbox.withoutBuses.doctor()
            #expect(report.of("clock").map(\.result) == [skew.result], "\(report.result.outputText)")
            #expect(report.text("clock").contains(skew.words), "\(report.text("clock"))")
        }
    }

    @Test("a token that the service does not accept fails, and one without some permissions does not")
    func token() async throws {
        try await Sandbox.run(emulator: ["--without-permission", "payments"]) { sandbox, _ in
            let sandbox = sandbox.withoutBuses
            let some = try await sandbox.doctor()
            #expect(some.of("token").map(\.result) == ["ok"], "\(some.result.outputText)")
            #expect(some.text("token").contains("not PAYMENTS_R"))
            let bad = try await sandbox.with(["CLOVER_ACCESS_TOKEN": "no-such-token"]).doctor()
            #expect(bad.failed == ["token"], "\(bad.result.outputText)")
            #expect(!bad.result.outputText.contains("no-such-token"))
        }
    }

    @Test("a service that accepts and says nothing is given up after seconds")
    func silence() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(bytes: [], ending: .hold) }) { sandbox, _ in
            let report = try await sandbox.withoutBuses.doctor()
            #expect(report.failed == ["network"], "\(report.result.outputText)")
            #expect(report.text("network").contains("5 s"))
        }
    }
}
