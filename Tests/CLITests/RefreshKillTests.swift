import CloverTestSupport
import Foundation
import Testing

/// Whenever a process dies during a refresh, the sign-in is intact afterwards, or its loss is explained.
@Suite("auth: kill -9 during a refresh", .serialized)
struct RefreshKillTests {
    @Test("at every step: the old or the new pair is whole, and the next run works or explains the loss")
    func everyStep() async throws {
        let sides: [KillPoint.Side] = Scale.pick([.after], full: [.before, .after])
        try await withWorld { world in
            let steps = try await world.countedSteps()
            // What no refresh can do without; a library that counted nothing would prove nothing.
            for step in ["rename", "fsync", "send", "receive", "lock"] {
                #expect(steps.contains { $0 == step || $0.hasPrefix(step + " ") }, "no \(step) in \(steps)")
            }
            var points = 0
            var outcomes: [Outcome: Int] = [:]
            for side in sides {
                var number = 1
                while true {
                    let run = "\(side)-\(number)"
                    let sandbox = try await world.newSignIn(run)
                    let armed = try await KillPoint(number: number, side: side).arm(sandbox, log: run + ".log")
                    let death = try await world.check(sandbox, run) { try await armed.clover("auth", "token") }
                    guard let death else { break }
                    outcomes[death.outcome, default: 0] += 1
                    points += 1
                    number += 1
                    try #require(number < 1000)
                }
            }
            #expect(points >= steps.count * sides.count - 2)
            #expect((outcomes[.lost] ?? 0) > 0 && (outcomes[.worksWithNew] ?? 0) > 0, "\(outcomes)")
            try Scale.report(
                "`kill -9` before and after every system call of a refresh", count: "\(points) points",
                result: Outcome.describe(outcomes))
        }
    }

    @Test("at random times during a refresh, until enough kills hit it and each outcome was seen")
    func randomMoments() async throws {
        let wanted = Scale.pick(6, full: 200)
        try await withWorld(["--oauth-latency", "15ms", "--oauth-answer-delay", "15ms"]) { world in
            var outcomes: [Outcome: Int] = [:]
            var hits = 0
            var rounds = 0
            while hits < wanted || outcomes.count < 3 {
                try #require(rounds < 50 + 10 * wanted, "\(hits) hits: \(outcomes)")
                let run = "random-\(rounds)"
                let sandbox = try await world.newSignIn(run)
                // A refresh is over soon after its pair is kept, so that every other death counts from there.
                let sign = rounds % 2 == 0 ? RefreshSign.begun : .kept
                let moment = Duration.microseconds(Int.random(in: 0...(sign == .begun ? 60_000 : 4_000)))
                rounds += 1
                let death = try await world.check(sandbox, run) {
                    let sighting = try sandbox.watch(for: sign)
                    let command = try sandbox.start("auth", "token")
                    while try !sighting(), !command.hasEnded { try await Task.sleep(for: .microseconds(200)) }
                    // Not a wait for anything: the time of death is what is tested.
                    try await Task.sleep(for: moment)
                    command.send(9)
                    return try await command.result()
                }
                guard let death, death.isUnderWay else { continue }
                hits += 1
                outcomes[death.outcome, default: 0] += 1
            }
            #expect(hits >= wanted)
            for outcome in Outcome.allCases { #expect((outcomes[outcome] ?? 0) > 0, "never seen: \(outcome.rawValue)") }
            try Scale.report(
                "`kill -9` at random moments of a refresh under way", count: "\(hits) hits in \(rounds) runs",
                result: Outcome.describe(outcomes))
        }
    }

    @Test("a killed refresh that was not needed yet is settled by the next 401")
    func settledBy401() async throws {
        try await withWorld { world in
            let sandbox = try await world.newSignIn("early")
            // The access token is not due; it dies at the service with the rotation whose response was lost.
            let old = try sandbox.keptTokens()
            let armed = try await KillPoint(number: nil, side: .after).arm(sandbox, log: "early.log")
            let calm = try await armed.clover("auth", "refresh")
            #expect(calm.ending == .exited(0), "\(calm)")
            let received = try #require(
                try KillPoint.calls(in: sandbox, log: "early.log").firstIndex { $0.hasPrefix("receive") })

            let other = try await world.newSignIn("early-2", expired: false)
            let killer = try await KillPoint(number: received + 1, side: .before).arm(other, log: "early-2.log")
            let killed = try await killer.clover("auth", "refresh")
            #expect(killed.ending == .signalled(9), "\(killed)")
            let get = try await other.clover("get", "merchant")
            expectFailure(get, status: 77, saying: "clover auth login")
            #expect(get.errorText.contains("never arrived"), "\(get)")
            #expect(try other.journal()?["state"]?.string == "lost")
            #expect(old.access != (try sandbox.keptTokens().access))
        }
    }

    // MARK: - What is checked after each death

    /// How a process died.
    struct Death: Sendable {
        let outcome: Outcome
        /// The refresh had been written down, or its pair kept: not a death before or after all of it.
        let isUnderWay: Bool
    }

    enum Outcome: String, Hashable, CaseIterable, Sendable {
        /// The refresh had not been done; the next run does it.
        case worksFromOld = "refreshed by the next run"
        /// The new pair had been kept; the next run uses it.
        case worksWithNew = "new pair kept"
        /// The service had given the new pair in a response that was lost with the process.
        case lost = "loss explained"

        static func describe(_ outcomes: [Outcome: Int]) -> String {
            allCases.map { "\(outcomes[$0] ?? 0) \($0.rawValue)" }.joined(separator: ", ")
                + "; never an empty or mixed file"
        }
    }

    private func withWorld(
        _ flags: [String] = [], _ body: (RefreshWorld) async throws -> Void
    ) async throws {
        try await Sandbox.run(weight: 2) { sandbox in
            let emulator = try await EmulatorProcess(
                ["--orders", "20", "--auto-approve", "--no-limits"] + flags, limit: .seconds(3600))
            let relay = try await RecordingRelay(to: emulator)
            try await body(RefreshWorld(sandbox: sandbox, emulator: emulator, relay: relay))
        }
    }
}
