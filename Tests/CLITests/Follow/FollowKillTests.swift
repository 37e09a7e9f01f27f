import CloverTestSupport
import Foundation
import Testing

/// A follower that is killed again and again at a chosen system call, while the shop keeps changing.
@Suite("follow: kills", .serialized)
struct FollowKillTests {
    private static let lists = ["orders", "payments", "items", "customers"]
    private static let flags = [
        "--orders", "100", "--now", "clock", "--no-limits", "--churn", "40", "--clamp", "100", "--latency", "2ms",
    ]
    private static let command =
        ["follow"] + lists + ["--interval", "1s", "--overlap", "5s", "--since", "2010-01-01", "--no-pacing"]

    /// Where a run ends that is not killed: it has no more than this to do.
    private static let complete = ["--until-idle", "0", "--complete-every", "1s"]

    /// Expects that the lines lead to the shop, and that no version came twice to a reader that takes each number once.
    private static func check(_ lines: [JSONValue], _ emulator: EmulatorProcess) async throws {
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
                #expect(isKnown, "\(resource) \(id) was deleted before it came")
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
        let runs = Scale.pick(12, full: 200)
        try await Sandbox.run(emulator: Self.flags) { sandbox, emulator in
            var (lines, killed, repeated): ([String], Int, Int) = ([], 0, 0)
            for run in 0..<runs {
                let point = KillPoint(number: Int.random(in: 300...3000), side: run % 2 == 0 ? .after : .before)
                let armed = try await point.arm(sandbox, log: "run-\(run).log")
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
                "A follower of a shop that keeps changing, to a pipe", count: "\(runs) runs, \(killed) killed",
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
        let runs = Scale.pick(12, full: 200)
        try await Sandbox.run(emulator: Self.flags) { sandbox, emulator in
            let file = sandbox.directory["feed.ndjson"]
            func line(_ more: [String]) -> String {
                "exec clover " + (Self.command + more).joined(separator: " ") + " >>'\(file)'"
            }
            var killed = 0
            for run in 0..<runs {
                let point = KillPoint(
                    number: Int.random(in: 300...3000), side: run % 2 == 0 ? .after : .before,
                    cut: run % 4 < 2 ? .bytes : nil)
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
}
