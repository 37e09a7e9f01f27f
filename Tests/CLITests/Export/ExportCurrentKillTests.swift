import CloverTestSupport
import Foundation
import Testing

/// Whenever a run or a compaction is killed, the next one completes the current files.
@Suite("export: current files, kill -9", .serialized)
struct ExportCurrentKillTests {
    @Test("runs that are killed at any call leave a current file that the next run completes")
    func runs() async throws {
        try await Sandbox.run(unpaced: CurrentExport.flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let arguments = CurrentExport.run(to: folder)
            let armed = try await KillPoint(number: nil, side: .after).arm(sandbox, log: "calm.log", everywhere: true)
            expectSuccess(try await armed.clover(arguments))
            let calls = try KillPoint.calls(in: sandbox, log: "calm.log").count
            let times = Scale.pick(4, full: 60)
            var deaths = 0
            for _ in 0..<times {
                try await emulator.churn(20)
                let point = KillPoint(number: Int.random(in: 1...calls), side: .after)
                let killed = try await point.arm(sandbox, log: "killed.log", everywhere: true).clover(arguments)
                if killed.ending == .signalled(9) { deaths += 1 }
                try await CurrentExport.expectCompleted(sandbox, folder, "\(point)")
            }
            try Scale.report(
                "`kill -9` at calls of an export to current files, while the shop changes",
                count: "\(times) runs, \(deaths) killed",
                result: "the next run has each record once, as it was exported last, and `export verify` finds nothing")
        }
    }

    @Test("compact that is killed at any call leaves nothing missing or foreign, and the next one completes it")
    func compact() async throws {
        try await CompactedExport.run { world in
            try await world.kill(at: KillPoint(number: nil, side: .after), log: "calm.log")
            let calls = try KillPoint.calls(in: world.sandbox, log: "calm.log").count
            let times = Scale.pick(4, full: 100)
            var deaths = 0
            for round in 0..<times {
                let number = 1 + (calls - 1) * round / (times - 1)
                let point = KillPoint(number: number, side: round % 2 == 0 ? .after : .before)
                if try await world.kill(at: point, log: "round-\(round).log").isKilled { deaths += 1 }
            }
            try Scale.report(
                "`kill -9` at calls of `export compact`", count: "\(times) points of \(calls) calls, \(deaths) killed",
                result: "nothing is missing or foreign, and the next one ends with each record once")
        }
    }
}

/// Runs that keep current files.
enum CurrentExport {
    static let flags = ["--orders", "200", "--now", "clock", "--no-limits"]

    static func run(to folder: ExportFolder) -> [String] {
        ["export", "orders", "tenders", "--state", "current", "--to", folder.path]
    }

    /// Runs again after a run that was killed, and expects all of what it left.
    static func expectCompleted(_ sandbox: Sandbox, _ folder: ExportFolder, _ place: String) async throws {
        expectSuccess(try await sandbox.clover(run(to: folder)))
        #expect(try folder.rows(of: "orders/current.ndjson") == folder.newest(of: "orders"), "\(place)")
        #expect(
            try folder.replay("tenders/changes.log") == folder.rows(of: "tenders/current.ndjson"), "\(place)")
        expectSuccess(try await sandbox.clover("export", "verify", folder.path))
    }
}

/// A destination with the names that earlier versions gave to lists in full, which is compacted again and again.
struct CompactedExport {
    let sandbox: Sandbox
    private let folder: ExportFolder
    /// Copies of the destination and its state, before.
    private let before: [String: String]

    static func run(_ body: (CompactedExport) async throws -> Void) async throws {
        try await Sandbox.run(unpaced: CurrentExport.flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            for _ in 0..<2 {
                expectSuccess(
                    try await sandbox.clover(
                        "export", "orders", "customers", "--to", folder.path, "--name",
                        "{resource}/{window}.{extension}"))
                try await emulator.churn(30)
            }
            var before: [String: String] = [:]
            for path in [folder.path, sandbox.directory[sandbox.stateFolder]] {
                before[path] = path + "-before"
                try FileManager.default.copyItem(atPath: path, toPath: path + "-before")
            }
            try await body(CompactedExport(sandbox: sandbox, folder: folder, before: before))
        }
    }

    /// Kills a compaction, and completes it.
    ///
    /// - Returns: whether it was killed, and the result of `export verify` after it.
    @discardableResult
    func kill(at point: KillPoint, log: String) async throws -> (isKilled: Bool, interrupted: CommandResult) {
        for (path, copy) in before {
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.copyItem(atPath: copy, toPath: path)
        }
        let compact = ["export", "compact", folder.path, "--jq", "empty"]
        let killed = try await point.arm(sandbox, log: log, everywhere: true).clover(compact)
        let interrupted = try await sandbox.clover("export", "verify", folder.path)
        #expect(interrupted.status == 0, "\(point) \(interrupted)")
        expectSuccess(try await sandbox.clover(compact))
        expectSuccess(try await sandbox.clover("export", "verify", folder.path))
        #expect(try folder.rows(of: "orders/current.ndjson") == folder.newest(of: "orders"), "\(point)")
        try folder.expectWhole()
        return (killed.ending == .signalled(9), interrupted)
    }
}
