import CloverTestSupport
import Foundation

/// Stands between `clover` and the emulator and writes down what passes, so that a test knows every token that was
/// issued and every secret that was sent, also when the client died before it could read its response.
final class RecordingRelay: Sendable {
    /// One request with its response.
    struct Exchange: Sendable {
        let method: String
        let target: String
        /// The request's body.
        let request: String
        /// 0 when the service gave no complete response.
        let status: Int
        let location: String?
        let response: String
        /// The idempotency key; nil for most.
        let key: String?
    }

    /// An access token with the refresh token that was issued with it.
    struct Pair: Hashable, Sendable {
        let access: String
        let refresh: String
    }

    let url: String
    private let directory: TemporaryDirectory
    private let process: RunningCommand

    /// Relays a free port to the emulator's.
    init(to emulator: EmulatorProcess) async throws {
        directory = try TemporaryDirectory()
        let port = String(emulator.url.reversed().prefix { $0 != ":" }.reversed())
        var python = CommandRunner(executable: "/usr/bin/python3", environment: [:])
        python.limit = .seconds(1800)
        process = try python.start([
            "-I", "-S", Fixture.path("relay.py"), port, directory["record"], directory["mode"],
        ])
        url = "http://127.0.0.1:\(try await process.firstLine())"
    }

    deinit { process.send(9) }

    /// From now on token calls get this kind of response, which repeats what was sent; nil passes them on again.
    func answerTokenCalls(with kind: String?) throws {
        if let kind {
            try directory.write("mode", kind.utf8)
        } else if FileManager.default.fileExists(atPath: directory["mode"]) {
            try FileManager.default.removeItem(atPath: directory["mode"])
        }
    }

    /// Everything that passed so far.
    func exchanges() throws -> [Exchange] {
        guard FileManager.default.fileExists(atPath: directory["record"]) else { return [] }
        let text = String(decoding: try directory.read("record"), as: UTF8.self)
        // The last line may be on its way.
        return try text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
            let value = try JSONValue(String(line))
            guard let method = value["method"]?.string, let target = value["target"]?.string,
                let request = value["request"]?.string, let status = value["status"]?.integer,
                let response = value["response"]?.string
            else { throw CommandError.unreadable(String(line)) }
            return Exchange(
                method: method, target: target, request: request, status: status,
                location: value["location"]?.string, response: response, key: value["key"]?.string)
        }
    }

    /// Every pair that the service issued.
    func pairs() throws -> Set<Pair> {
        var pairs: Set<Pair> = []
        for exchange in try exchanges() where exchange.status == 200 && exchange.target.hasPrefix("/oauth/v2/") {
            let value = try JSONValue(exchange.response)
            if let access = value["access_token"]?.string, let refresh = value["refresh_token"]?.string {
                pairs.insert(Pair(access: access, refresh: refresh))
            }
        }
        return pairs
    }

    /// Every secret that passed in either direction: tokens, codes, verifiers, the app's secret.
    func secrets() throws -> Set<String> {
        let names = [
            "access_token", "refresh_token", "auth_token", "code", "authorization_code", "code_verifier",
            "client_secret",
        ]
        var secrets: Set<String> = []
        for exchange in try exchanges() {
            for body in [exchange.request, exchange.response] where body.hasPrefix("{") {
                // Not every body is JSON: some faults and some pages begin like it.
                guard let value = try? JSONValue(body) else { continue }
                secrets.formUnion(names.compactMap { value[$0]?.string })
            }
            let location = exchange.location ?? ""
            for part in location.split(whereSeparator: { "?&#".contains($0) }) {
                let words = part.split(separator: "=", maxSplits: 1)
                if words.count == 2, names.contains(String(words[0])) { secrets.insert(String(words[1])) }
            }
        }
        return secrets
    }
}
