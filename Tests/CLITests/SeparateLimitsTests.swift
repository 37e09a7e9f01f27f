import CloverTestSupport
import Foundation
import Testing

/// Two apps and three tokens at once: two merchants have signed in to the first app and one to the second. The local
/// service's own count of each is the judge.
@Suite("limits of tokens and apps", .serialized)
struct SeparateLimitsTests {
    struct Limits: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let tokenPerSecond: Int
        let tokenInFlight: Int
        let appPerSecond: Int
        let appInFlight: Int
        /// How long a response takes.
        let latency: Double
        /// What the first app, whose tokens get into each other's way, and the token of the second may do in this many
        /// seconds.
        let mostOfApp: @Sendable (_ seconds: Double) -> Double
        let mostOfToken: @Sendable (_ seconds: Double) -> Double

        /// The options of the service and the variables of the client.
        var names: [(String, Int)] {
            [
                ("requests-per-second", tokenPerSecond), ("in-flight", tokenInFlight),
                ("app-requests-per-second", appPerSecond), ("app-in-flight", appInFlight),
            ]
        }
    }

    static let limits = [
        Limits(
            testDescription: "rate", tokenPerSecond: 8, tokenInFlight: 5, appPerSecond: 12, appInFlight: 10,
            latency: 0.02, mostOfApp: { 12 * ($0.rounded(.down) + 1) }, mostOfToken: { 8 * ($0.rounded(.down) + 1) }),
        Limits(
            testDescription: "in flight", tokenPerSecond: 16, tokenInFlight: 3, appPerSecond: 50, appInFlight: 4,
            latency: 0.5, mostOfApp: { 4 * ($0 / 0.5 + 1) }, mostOfToken: { 3 * ($0 / 0.5 + 1) }),
    ]

    @Test("each limit holds on its own, and each budget is used", arguments: limits)
    func twoApps(_ limits: Limits) async throws {
        let seconds = Scale.pick(6.0, full: 60)
        let flags = limits.names.flatMap { ["--" + $0.0, String($0.1)] }
        try await Sandbox.run(
            emulator: [
                // Ten records a page: many requests a run, so that the budget is used up on a busy machine too.
                "--orders", "100", "--clamp", "10", "--auto-approve", "--apps", "2", "--merchants", "2", "--latency",
                "\(Int(limits.latency * 1000))ms",
            ] + flags, weight: 4
        ) { given, emulator in
            var variables: [String: String] = [:]
            for (name, value) in limits.names {
                variables["CLOVER_" + name.uppercased().replacing("-", with: "_")] = String(value)
            }
            let sandbox = given.without("CLOVER_ENVIRONMENT", "CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID")
                .with(variables)
            let second = try #require(emulator.otherAppIDs.first)
            let branch = try #require(emulator.otherMerchantIDs.first)
            let signIns = [
                ("first", emulator.appID, emulator.merchantID), ("branch", emulator.appID, branch),
                ("second", second, emulator.merchantID),
            ]
            for (profile, appID, merchantID) in signIns {
                try await sandbox.receive(
                    SignInService(emulator, appID: appID, merchantID: merchantID), "--profile", profile)
            }
            let end = ContinuousClock.now + .seconds(seconds)
            let runs = try await withThrowingTaskGroup(of: Int.self) { group in
                for (profile, _, _) in signIns {
                    for _ in 0..<4 { group.addTask { try await Self.ask(sandbox, profile, until: end) } }
                }
                return try await group.reduce(0, +)
            }
            let stats = try await emulator.stats()
            #expect(stats.requests >= runs)
            #expect(stats.rejectedInAll == 0)
            for token in stats.tokens {
                #expect(token.peakPerSecond <= limits.tokenPerSecond)
                #expect(token.peakInFlight <= limits.tokenInFlight)
                #expect(token.requests > 0)
            }
            #expect(
                Set(stats.tokens.map { "\($0.appID ?? "-") \($0.merchantID ?? "-")" })
                    == Set(signIns.map { "\($0.1) \($0.2)" }))
            for app in stats.apps {
                #expect(app.peakPerSecond <= limits.appPerSecond)
                #expect(app.peakInFlight <= limits.appInFlight)
            }
            try check(limits, stats, emulator.appID, second, runs)
        }
    }

    /// That limits are kept proves nothing if no process came near them.
    private func check(
        _ limits: Limits, _ stats: EmulatorProcess.Stats, _ first: String, _ second: String, _ runs: Int
    ) throws {
        let app = try #require(stats.apps.first { $0.appID == first })
        let token = try #require(stats.tokens.first { $0.appID == second })
        // Beyond what one token may do: the app's limit is the one that was met.
        #expect(
            app.peakPerSecond > limits.tokenPerSecond || app.peakInFlight > limits.tokenInFlight, "\(app), \(token)")
        let ofApp = Double(app.requests) / limits.mostOfApp(app.seconds)
        let ofToken = Double(token.requests) / limits.mostOfToken(token.seconds)
        // How much gets through in a short time depends on what else the machine does.
        if Scale.isFull { #expect(min(ofApp, ofToken) >= 0.9, "\(app), \(token)") }
        try Scale.report(
            "Two apps, three tokens, twelve processes; the app's limit binds in one, the token's in the other:"
                + " \(limits.testDescription)",
            count: "\(runs) runs, \(stats.requests) requests",
            result: "app at most \(app.peakPerSecond) in a second and \(app.peakInFlight) in flight,"
                + " \(Int((100 * ofApp).rounded())) % of what is permitted; token at most \(token.peakPerSecond) and"
                + " \(token.peakInFlight), \(Int((100 * ofToken).rounded())) %; \(stats.rejectedInAll) refused")
    }

    /// One run after the other; gives how many there were.
    private static func ask(
        _ sandbox: Sandbox, _ profile: String, until end: ContinuousClock.Instant
    ) async throws -> Int {
        var runs = 0
        while ContinuousClock.now < end {
            let result = try await sandbox.clover(
                "get", "orders", "--all", "--profile", profile, "-q", "-r", "--jq", ".id")
            expectSuccess(result)
            #expect(Set(result.lines).count == 100)
            runs += 1
        }
        return runs
    }
}
