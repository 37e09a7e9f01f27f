/// A `clover-emulator serve` process on a free loopback port, stopped on release.
package final class EmulatorProcess: Sendable {
    /// The emulator's own statistics, against which tests check all claims about limits.
    package struct Stats: Sendable {
        /// The statistics of one token, or of one app with all its tokens.
        package struct Account: Sendable {
            /// Nil for a token without an app.
            package let appID: String?
            /// Nil for an app.
            package let merchantID: String?
            package let requests: Int
            package let peakInFlight: Int
            package let peakPerSecond: Int
            package let rejectedInAll: Int
            /// From the first request to the newest.
            package let seconds: Double
        }

        package let requests: Int
        package let peakInFlight: Int
        package let peakPerSecond: Int
        /// Refused requests by limit.
        package let rejected: [String: Int]
        /// Refresh tokens that were exchanged for a new pair.
        package let refreshes: Int
        package let refreshesRefused: Int
        package let codesSpent: Int
        package let codesRefused: Int
        /// Responses that were dropped after the request was carried out.
        package let answersLost: Int

        package let apps: [Account]
        /// Valid tokens that have been used.
        package let tokens: [Account]

        package var rejectedInAll: Int { rejected.values.reduce(0, +) }
    }

    package let url: String
    package let merchantID: String
    package let accessToken: String
    /// The app that merchants sign in to.
    package let appID: String
    package let appSecret: String
    /// Additional merchants and apps.
    package let otherMerchantIDs: [String]
    package let otherAppIDs: [String]
    private let process: RunningCommand

    /// Starts the emulator and waits for its ready line.
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
        otherMerchantIDs = ready["otherMerchantIds"]?.elements?.compactMap(\.string) ?? []
        otherAppIDs = ready["otherApps"]?.elements?.compactMap { $0["appId"]?.string } ?? []
    }

    deinit { process.send(9) }

    /// Kills the emulator and waits until it has ended.
    package func stop() async throws {
        process.send(9)
        _ = try await process.result()
    }

    package func stats() async throws -> Stats {
        let text = String(decoding: try await page("/emulator/stats"), as: UTF8.self)
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
            answersLost: try count("answersLost"), apps: try Self.accounts(value["apps"], in: text),
            tokens: try Self.accounts(value["tokens"], in: text))
    }

    private static func accounts(_ value: JSONValue?, in text: String) throws -> [Stats.Account] {
        guard let accounts = value?.elements else { throw CommandError.unreadable(text) }
        return try accounts.map { account in
            guard let requests = account["requests"]?.integer, let peakInFlight = account["peakInFlight"]?.integer,
                let peakPerSecond = account["peakPerSecond"]?.integer,
                let milliseconds = account["spanMilliseconds"]?.integer,
                case .object(let rejected) = account["rejected"]
            else { throw CommandError.unreadable(text) }
            return Stats.Account(
                appID: account["appId"]?.string, merchantID: account["merchantId"]?.string, requests: requests,
                peakInFlight: peakInFlight, peakPerSecond: peakPerSecond,
                rejectedInAll: rejected.values.compactMap(\.integer).reduce(0, +),
                seconds: Double(milliseconds) / 1000)
        }
    }

    /// One request as the emulator saw it; times are milliseconds since its first request.
    package struct Visit: Sendable {
        /// Method and path.
        package let request: String
        package let arrived: Int
        /// When the last byte of the response was written; nil if it is not.
        package let left: Int?
    }

    /// The newest 10,000 requests, oldest first.
    package func visits() async throws -> [Visit] {
        let text = String(decoding: try await page("/emulator/requests"), as: UTF8.self)
        guard let elements = try JSONValue(text)["elements"]?.elements else { throw CommandError.unreadable(text) }
        return try elements.map { element in
            guard let request = element["request"]?.string, let arrived = element["arrivedMilliseconds"]?.integer else {
                throw CommandError.unreadable(text)
            }
            return Visit(request: request, arrived: arrived, left: element["leftMilliseconds"]?.integer)
        }
    }

    /// One of the emulator's own pages. Tests ask for them often, some every few milliseconds.
    package func page(_ target: String) async throws -> [UInt8] { try await LoopbackPage.body(of: url + target) }

    /// The body of a response, fetched by `curl` with the token. It counts as a request like any other.
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
