import CloverTestSupport
import Foundation
import Testing

/// An emulator behind a relay, and sign-ins in state folders of their own.
struct RefreshWorld: Sendable {
    let sandbox: Sandbox
    let emulator: EmulatorProcess
    let relay: RecordingRelay

    /// A new sign-in whose access token is over.
    func newSignIn(_ name: String, expired: Bool = true) async throws -> Sandbox {
        let sandbox = sandbox.withState(name)
        try await sandbox.receive(SignInService(emulator, at: relay.url))
        if expired { try sandbox.expireAccessToken() }
        return sandbox
    }

    /// The system calls of a refresh that nothing disturbs.
    func countedSteps() async throws -> [String] {
        let sandbox = try await newSignIn("calm")
        let armed = try await KillPoint(number: nil, side: .after).arm(sandbox, log: "calm.log")
        let result = try await armed.clover("auth", "token")
        #expect(result.ending == .exited(0), "\(result)")
        return try KillPoint.calls(in: sandbox, log: "calm.log")
    }

    /// Runs a refresh that is killed, and checks what is left; nil when it was not killed.
    func check(
        _ sandbox: Sandbox, _ name: String, _ run: () async throws -> CommandResult
    ) async throws -> RefreshKillTests.Death? {
        let old = try sandbox.keptTokens()
        let before = try await emulator.stats().refreshes
        let result = try await run()
        let place = Comment(rawValue: "\(name), \(try KillPoint.calls(in: sandbox, log: name + ".log").last ?? "")")
        if result.ending == .exited(0) {
            #expect(try sandbox.keptTokens().generation == 1, place)
            return nil
        }
        try #require(result.ending == .signalled(9), place)
        let hasKeptNew = try sandbox.keptTokens().pair != old.pair
        let isUnderWay = try hasKeptNew || sandbox.journal() != nil

        // The relay finishes what was under way, so that what is counted and recorded is final.
        let settled = try await settledRefreshes(from: before, name)
        let issued = try relay.pairs()
        let kept = try sandbox.keptTokens()
        let keepsOld = kept.pair == old.pair
        let pair = try #require(kept.pair, place)
        #expect(issued.contains(pair), "mixed pair: \(name)")
        #expect(keepsOld || settled == before + 1, place)
        // Nothing that was printed may be unkept.
        if !result.outputText.isEmpty { #expect(result.outputText == kept.access + "\n", place) }

        let next = try await sandbox.clover("auth", "token")
        let wasLost = keepsOld && settled == before + 1
        if wasLost {
            try await checkLoss(sandbox, next, place)
            return RefreshKillTests.Death(outcome: .lost, isUnderWay: isUnderWay)
        }
        #expect(next.ending == .exited(0), "\(place): \(next)")
        let now = try sandbox.keptTokens()
        #expect(next.outputText == now.access + "\n", place)
        #expect(try relay.pairs().contains(try #require(now.pair)), place)
        #expect(now.generation == 1, place)
        let use = try await Visitor.status(
            "\(emulator.url)/v3/merchants/\(emulator.merchantID)", token: now.access)
        #expect(use == "200", place)
        // The refresh token is good, too, and the next refresh clears away whatever this one left.
        let refresh = try await sandbox.clover("auth", "refresh")
        #expect(refresh.ending == .exited(0), "\(place): \(refresh)")
        #expect(try relay.pairs().contains(try #require(try sandbox.keptTokens().pair)), place)
        try expectNoLeftovers(sandbox, place)
        return RefreshKillTests.Death(outcome: keepsOld ? .worksFromOld : .worksWithNew, isUnderWay: isUnderWay)
    }

    /// The number of refreshes at the service when no request is under way any more.
    private func settledRefreshes(from before: Int, _ name: String) async throws -> Int {
        // Requests of a killed client that had not arrived never will; those that had are in the relay's record when the
        // emulator has counted them.
        let limit = ContinuousClock.now + .seconds(300)
        while ContinuousClock.now < limit {
            let stats = try await emulator.stats()
            let recorded = try relay.exchanges().count { $0.target == "/oauth/v2/refresh" && $0.status == 200 }
            let inFlight = try JSONValue(
                String(decoding: try await emulator.page("/emulator/stats"), as: UTF8.self))["inFlight"]?.integer
            if recorded == stats.refreshes, inFlight == 0, try await isQuiet(recorded) { return stats.refreshes }
        }
        throw CommandError.notSeen(awaited: "the end of the refresh of \(name)", output: "", errors: "")
    }

    /// Whether nothing more is recorded while a request of our own goes through the relay and the pauses of the
    /// emulator, behind everything that was under way.
    private func isQuiet(_ recorded: Int) async throws -> Bool {
        let marker = CommandRunner(executable: "/usr/bin/curl", environment: [:])
        for _ in 0..<2 {
            _ = try await marker.run([
                "--disable", "--silent", "--data", "{}", "--header", "Content-Type: application/json",
                relay.url + "/oauth/v2/refresh",
            ])
        }
        return try relay.exchanges().count { $0.target == "/oauth/v2/refresh" && $0.status == 200 } == recorded
    }

    /// The service rotated and the response was lost: reported plainly, remembered, and healed by a new sign-in.
    private func checkLoss(_ sandbox: Sandbox, _ next: CommandResult, _ place: Comment) async throws {
        #expect(next.ending == .exited(77), "\(place): \(next)")
        #expect(next.output == [], place)
        #expect(next.errorText.contains("never arrived"), "\(place): \(next)")
        #expect(next.errorText.contains("clover auth login"), "\(place): \(next)")
        #expect(try sandbox.journal()?["state"]?.string == "lost", place)
        let asked = try relay.exchanges().count
        let again = try await sandbox.clover("auth", "token")
        #expect(again.ending == .exited(77), "\(place): \(again)")
        #expect(again.errorText.contains("never arrived"), "\(place): \(again)")
        #expect(try relay.exchanges().count == asked, "the service was asked again: \(place)")
        let status = try await sandbox.status()
        #expect(status["loggedIn"] == .bool(false), place)
        #expect(status["reason"]?.string?.contains("lost") == true, place)

        try await sandbox.receive(SignInService(emulator, at: relay.url))
        let healed = try await sandbox.clover("auth", "token")
        #expect(healed.ending == .exited(0), "\(place): \(healed)")
        try expectNoLeftovers(sandbox, place)
    }

    /// Nothing but the credential, locks and the choice of it.
    private func expectNoLeftovers(_ sandbox: Sandbox, _ place: Comment) throws {
        let files = sandbox.directory.files(below: sandbox.stateFolder).map {
            String($0.split(separator: "/").last ?? "")
        }
        let unexpected = files.filter { name in
            !name.hasSuffix(".lock") && name != "current.json"
                && (name.hasPrefix(".") || name.hasSuffix(".refresh.json") || !name.hasSuffix(".json"))
        }
        #expect(unexpected == [], place)
        for file in sandbox.directory.files(below: sandbox.stateFolder) {
            #expect(try mode(of: sandbox.directory[file]) & 0o077 == 0, "\(place): \(file)")
        }
    }
}

/// What a refresh leaves on the disk while it is under way.
enum RefreshSign: Sendable { case begun, kept }

extension Sandbox {
    /// Whether the sign has come since this was called.
    func watch(for sign: RefreshSign) throws -> () throws -> Bool {
        switch sign {
        case .begun:
            let path = directory[try journalFile()]
            return { FileManager.default.fileExists(atPath: path) }
        case .kept:
            let path = directory[try tokenFile()]
            let before = try Self.fileNumber(path)
            return { try Self.fileNumber(path) != before }
        }
    }

    private static func fileNumber(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
    }
}
