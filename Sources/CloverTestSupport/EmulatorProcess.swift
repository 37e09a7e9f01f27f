/// A `clover-emulator serve` on a free loopback port, stopped when it goes away.
package final class EmulatorProcess: Sendable {
    /// What the emulator counted by itself, the judge of every claim about limits.
    package struct Stats: Sendable {
        package let requests: Int
        package let peakInFlight: Int
        package let peakPerSecond: Int
        /// Refused requests by limit.
        package let rejected: [String: Int]
        /// Refresh tokens that were exchanged for a new pair.
        package let refreshes: Int
        /// Refresh calls that got no tokens.
        package let refreshesRefused: Int
        /// Codes that were exchanged for tokens.
        package let codesSpent: Int
        /// Exchanges of a code that got no tokens.
        package let codesRefused: Int
        /// Answers that were dropped after their work was done.
        package let answersLost: Int

        package var rejectedInAll: Int { rejected.values.reduce(0, +) }
    }

    package let url: String
    package let merchantID: String
    package let accessToken: String
    /// The app that merchants sign in to.
    package let appID: String
    package let appSecret: String
    private let process: RunningCommand

    /// Starts it and waits for its ready line.
    package init(_ flags: [String] = [], limit: Duration = .seconds(600)) async throws {
        var runner = CommandRunner(
            executable: try CommandRunner.builtProgram("clover-emulator"), environment: ["PATH": "/usr/bin:/bin"])
        runner.limit = limit
        process = try runner.start(["serve", "--port", "0"] + flags)
        let line = try await process.firstLine()
        let ready = try JSONValue(line)
        guard let url = ready["url"]?.string, let merchant = ready["merchantId"]?.string,
            let token = ready["accessToken"]?.string, let appID = ready["appId"]?.string,
            let appSecret = ready["appSecret"]?.string
        else { throw CommandError.unreadable(line) }
        self.url = url
        merchantID = merchant
        accessToken = token
        self.appID = appID
        self.appSecret = appSecret
    }

    deinit { process.send(9) }

    /// What it counted so far.
    package func stats() async throws -> Stats {
        let text = String(decoding: try await fetch("/emulator/stats"), as: UTF8.self)
        let value = try JSONValue(text)
        guard case .object(let rejected) = value["rejected"] else { throw CommandError.unreadable(text) }
        func count(_ name: String) throws -> Int {
            guard let count = value[name]?.integer else { throw CommandError.unreadable(text) }
            return count
        }
        return Stats(
            requests: try count("requests"), peakInFlight: try count("peakInFlight"),
            peakPerSecond: try count("peakPerSecond"), rejected: rejected.compactMapValues(\.integer),
            refreshes: try count("refreshes"), refreshesRefused: try count("refreshesRefused"),
            codesSpent: try count("codesSpent"), codesRefused: try count("codesRefused"),
            answersLost: try count("answersLost"))
    }

    /// The body of an answer as `curl` gets it, with the token. It counts as a request like any other.
    package func fetch(_ target: String) async throws -> [UInt8] {
        let curl = CommandRunner(executable: "/usr/bin/curl", environment: [:])
        let result = try await curl.run([
            "--disable", "--silent", "--show-error", "--fail", "--globoff",
            "--header", "Authorization: Bearer \(accessToken)", "\(url)\(target)",
        ])
        guard result.status == 0 else { throw CommandError.unreadable(result.description) }
        return result.output
    }
}
