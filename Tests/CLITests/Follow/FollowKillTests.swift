import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// A follower that is killed again and again at a chosen system call, while the shop keeps changing.
@Suite("follow: kills", .serialized)
struct FollowKillTests {
    private static let lists = ["orders", "payments", "items", "customers"]
    private static let flags = [
        "--orders", "100", "--now", "clock", "--no-limits", "--churn", "50", "--clamp", "100", "--latency", "2ms",
    ]
    private static let command =
        ["follow"] + lists + ["--interval", "300ms", "--overlap", "5s", "--since", "2010-01-01", "--no-pacing"]

    /// Where a run ends that is not killed: it has no more than this to do.
    private static let complete = ["--until-idle", "0", "--complete-every", "1s"]

    /// Where a run is killed: mostly soon, sometimes after seconds.
    private static func point(_ run: Int, cut: KillPoint.Cut? = nil) -> KillPoint {
        KillPoint(
            number: Int.random(in: run % 8 == 7 ? 1300...3000 : 300...1300), side: run % 2 == 0 ? .after : .before,
            cut: cut)
    }

    /// Expects that the lines lead to the shop, and that no version came twice to a reader that takes each number once.
    ///
    /// - Parameter hearsay: whether the feed hears of deletions of records that it never saw.
    private static func check(
        _ lines: [JSONValue], _ emulator: EmulatorProcess, hearsay: Bool = false
    ) async throws {
        var (state, versions): ([String: [String: JSONValue]], Set<JSONValue>) = ([:], [])
        var last = 0
        for line in lines {
            let sequence = try #require(line["sequence"]?.integer)
            guard sequence > last else { continue }
            #expect(sequence == last + 1, "a number is missing")
            last = sequence
            let resource = try #require(line["resource"]?.string)
            let record = try #require(line["record"])
            let id = try #require(record["id"]?.string)
            let isKnown = state[resource]?[id] != nil
            switch line["change"]?.string {
            case "deleted":
                #expect(isKnown || hearsay, "\(resource) \(id) was deleted before it came")
                state[resource]?[id] = nil
                continue
            case "created": #expect(!isKnown, "\(resource) \(id) was created twice")
            default: break
            }
            #expect(versions.insert(record).inserted, "\(resource) \(id) came twice as it is")
            state[resource, default: [:]][id] = record
        }
        for list in lists {
            let truth = try await emulator.truth(list)
            let found = state[list] ?? [:]
            let others = Set(found.keys).union(truth.keys).filter { truth[$0] != found[$0] }
            #expect(others.isEmpty, "\(list): \(others.prefix(3))")
            #expect(found.count > 10, "\(list)")
        }
    }

    @Test("to a pipe, a kill repeats at most the last lines, with the same numbers and bytes")
    func pipe() async throws {
        let runs = Scale.pick(12, full: 100)
        try await Sandbox.run(emulator: Self.flags) { sandbox, emulator in
            var (lines, killed, repeated): ([String], Int, Int) = ([], 0, 0)
            var run = 0
            // A few kills may all come where nothing is in doubt.
            while run < runs || repeated == 0 && run < 10 * runs {
                defer { run += 1 }
                let armed = try await Self.point(run).arm(sandbox, log: "run-\(run).log")
                let result = try await armed.clover(Self.command + ["--max-time", "6s"])
                if result.ending == .signalled(9) { killed += 1 } else { #expect(result.status == 83, "\(result)") }
                repeated += try Self.repeats(result.lines, after: lines)
                lines += result.lines
            }
            let before = lines.count
            try await emulator.control("/emulator/churn?rate=0")
            for _ in 0..<2 {
                let result = try await sandbox.clover(Self.command + Self.complete)
                expectSuccess(result)
                repeated += try Self.repeats(result.lines, after: lines)
                lines += result.lines
            }
            #expect(killed > runs / 3 && before > 200 && repeated > 0, "\(killed) \(before) \(repeated)")
            try await Self.check(JSONValue.lines(lines), emulator)
            try Scale.report(
                "A follower of a shop that keeps changing, to a pipe", count: "\(run) runs, \(killed) killed",
                result: "\(lines.count) lines lead to the shop; \(repeated) came again after a kill, byte for byte")
        }
    }

    /// The number of lines that are the same as before; those with a number that came before must be.
    private static func repeats(_ lines: [String], after before: [String]) throws -> Int {
        let known = Set(before)
        let last = try before.last.map { try JSONValue($0)["sequence"]?.integer ?? 0 } ?? 0
        var count = 0
        for line in lines where try JSONValue(line)["sequence"]?.integer ?? 0 <= last {
            #expect(known.contains(line), "\(line.prefix(100))")
            count += 1
        }
        return count
    }

    @Test("appended to a file, nothing is repeated or torn, even if unwritten bytes are lost as by a power failure")
    func file() async throws {
        let runs = Scale.pick(12, full: 100)
        try await Sandbox.run(emulator: Self.flags) { sandbox, emulator in
            let file = sandbox.directory["feed.ndjson"]
            func line(_ more: [String]) -> String {
                "exec clover " + (Self.command + more).joined(separator: " ") + " >>'\(file)'"
            }
            var killed = 0
            for run in 0..<runs {
                let point = Self.point(run, cut: run % 4 < 2 ? .bytes : nil)
                let armed = try await point.arm(sandbox, log: "run-\(run).log", everywhere: true)
                let result = try await armed.shell(line(["--max-time", "6s"]))
                if result.ending == .signalled(9) { killed += 1 } else { #expect(result.status == 83, "\(result)") }
            }
            let before = try sandbox.directory.read("feed.ndjson").count
            try await emulator.control("/emulator/churn?rate=0")
            for _ in 0..<2 { expectSuccess(try await sandbox.shell(line(Self.complete))) }
            #expect(killed > runs / 3 && before > 100_000, "\(killed) \(before)")
            let text = String(decoding: try sandbox.directory.read("feed.ndjson"), as: UTF8.self)
            let lines = try JSONValue.lines(text.split(separator: "\n").map(String.init))
            #expect(lines.compactMap { $0["sequence"]?.integer } == Array(1...lines.count))
            try await Self.check(lines, emulator)
            try Scale.report(
                "A follower of a shop that keeps changing, appended to a file", count: "\(runs) runs, \(killed) killed",
                result: "\(lines.count) lines lead to the shop, each number once")
        }
    }

    @Test(
        "with a listener that is killed as well, and webhooks that are lost, doubled and in any order, or switched off",
        arguments: [true, false])
    func webhooks(areSent: Bool) async throws {
        let (kills, changes) = (Scale.pick(5, full: 200), Scale.pick(300, full: 10_000))
        try await Sandbox.run { sandbox in
            try sandbox.directory.write("code", Array("the-code\n".utf8))
            let address = try await KilledListeners.address(sandbox)
            let sending = [
                "--webhook-url", address, "--webhook-auth-code", "the-code", "--fault", "webhook-lose=10%",
                "--fault", "webhook-double=20%", "--fault", "webhook-reorder=100%",
            ]
            let emulator = try await EmulatorProcess(Self.flags + (areSent ? sending : []))
            let shop = sandbox.using(emulator)
            func made() async throws -> Int {
                try #require(try await emulator.control("/emulator/churn", method: "GET")["changes"]?.integer)
            }
            let isOver = Mutex(false)
            async let listeners = KilledListeners.run(sandbox, address, atLeast: kills) { isOver.withLock(\.self) }
            var (lines, runs, killed): ([String], Int, Int) = ([], 0, 0)
            func take(_ result: CommandResult) throws {
                _ = try Self.repeats(result.lines, after: lines)
                lines += result.lines
            }
            while try await made() < changes || killed < kills {
                let armed = try await Self.point(runs).arm(shop, log: "run-\(runs).log")
                let result = try await armed.clover(Self.command + ["--max-time", "6s"])
                if result.ending == .signalled(9) { killed += 1 } else { #expect(result.status == 83, "\(result)") }
                try take(result)
                runs += 1
                try #require(runs < 20 * kills, "\(killed) of \(runs) killed")
            }
            isOver.withLock { $0 = true }
            let (listenerKills, events) = try await listeners
            try await emulator.control("/emulator/churn?rate=0")
            for _ in 0..<2 {
                let result = try await shop.clover(Self.command + Self.complete)
                expectSuccess(result)
                try take(result)
            }
            #expect(areSent ? events > 20 : events == 0)
            try await Self.check(JSONValue.lines(lines), emulator, hearsay: areSent)
            let total = try await made()
            try Scale.report(
                areSent
                    ? "A follower with webhooks, 10 % lost, 20 % doubled, all in random order"
                    : "A follower beside a listener, with webhooks switched off",
                count: "\(total) changes, \(killed) followers and \(listenerKills) listeners killed",
                result: "\(lines.count) lines lead to the shop, each version once; \(events) events printed")
        }
    }
}

/// Listeners for webhooks at one address, one after the other.
private enum KilledListeners {
    static func start(_ sandbox: Sandbox, at address: String) async throws -> (RunningCommand, address: String) {
        let port = address.split(separator: ":").last.map(String.init) ?? "0"
        let command = try sandbox.start([
            "webhook", "listen", "--port", port, "--auth-code-file", sandbox.directory["code"],
        ])
        try await command.waitForErrors(matching: "a whole address") { $0.contains(/\nhttp:[^\n]+\n/) }
        let match = try #require(command.errorsSoFar.firstMatch(of: /\n(http:[^\n]+)\n/))
        return (command, String(match.1))
    }

    /// An address that a listener can take.
    static func address(_ sandbox: Sandbox) async throws -> String {
        let (command, address) = try await start(sandbox, at: "0")
        command.send(SIGKILL)
        _ = try await command.result()
        return address
    }

    /// Starts listeners and kills them until it is over, and at least this many.
    ///
    /// - Returns: how many were killed, and how many lines they printed.
    static func run(
        _ sandbox: Sandbox, _ address: String, atLeast minimum: Int, isOver: @Sendable () -> Bool
    ) async throws -> (kills: Int, events: Int) {
        var (kills, events) = (0, 0)
        while kills < minimum || !isOver() {
            let (command, _) = try await start(sandbox, at: address)
            try await Task.sleep(for: .milliseconds(Int.random(in: 100...1200)))
            command.send(SIGKILL)
            events += try await command.result().lines.count
            kills += 1
        }
        return (kills, events)
    }
}
