import CloverTestSupport
import Foundation
import Testing

/// Whatever moment an export dies at, the next run ends as if nothing had happened.
@Suite("export: kill -9", .serialized)
struct ExportKillTests {
    @Test(
        "at any call that changes something, the next run ends with the same files",
        arguments: [
            [], ["--append", "--name", "{resource}.ndjson"], ["--with", "line_items,payments", "--compress", "gzip"],
            ["--append", "--name", "{resource}.csv", "--format", "csv", "--compress", "zstd"],
        ])
    func anyCall(options: [String]) async throws {
        let appends = options.contains("--append")
        let points = Scale.pick(12, full: 200)
        try await Sandbox.run(emulator: ["--orders", "600", "--no-limits"]) { sandbox, _ in
            let what = ["export", "orders", "customers", "--until", "2026-02-02", "--window", "30d", "--no-pacing"]
            // Customers have no times, and so no end.
            let base = what.filter { $0 != "customers" } + options
            let reference = sandbox.exports("reference")
            expectSuccess(try await sandbox.clover(base + ["--to", reference.path]))
            let expected = try reference.contents()
            #expect(!expected.isEmpty)

            let calm = try await armed(sandbox, at: nil, side: .after, log: "calm.log")
            expectSuccess(try await calm.clover(base + ["--to", sandbox.directory["calm"]]))
            let calls = try KillPoint.calls(in: sandbox, log: "calm.log")
            for call in ["rename", "fsync", "create"] where !appends || call != "rename" {
                #expect(calls.contains { $0.hasPrefix(call) }, "no \(call) in \(Set(calls))")
            }
            var killed = 0
            for point in 0..<points {
                let name = "run-\(point)"
                let number = Self.place(of: point, of: points, in: calls.count)
                let side: KillPoint.Side = point % 2 == 0 ? .after : .before
                let arguments = base + ["--to", sandbox.directory[name]]
                let result = try await armed(sandbox, at: number, side: side, log: name + ".log").clover(arguments)
                if result.ending == .signalled(9) { killed += 1 } else { expectSuccess(result) }
                expectSuccess(try await sandbox.clover(arguments))
                let folder = sandbox.exports(name)
                #expect(try folder.contents() == expected, "\(side) call \(number): \(calls[number - 1])")
                try folder.expectWhole()
                #expect(try folder.manifest().count == (try reference.manifest().count))
                #expect(
                    Set(try folder.manifest().map { "\($0["file"]!) \($0["from"]!)" }).count
                        == (try folder.manifest().count))
            }
            #expect(killed >= points - 3)
            try Scale.report(
                "`kill -9` at calls of an export, options: \(options.isEmpty ? "none" : "`\(options.joined(separator: " "))`")",
                count: "\(killed) points",
                result: "the next run ends with the same bytes, nothing twice, nothing left behind")
        }
    }

    @Test("while it waits for the service's own exports, too, and none is asked for twice without need")
    func exportAPI() async throws {
        let points = Scale.pick(8, full: 200)
        let flags = ["--orders", "900", "--days", "32", "--no-limits", "--export-time", "30ms"]
        try await Sandbox.run(emulator: flags) { sandbox, emulator in
            let base = [
                "export", "orders", "--via", "export-api", "--until", "2026-02-01", "--no-pacing", "--since",
                "2026-01-02", "--window", "10d",
            ]
            let calm = try await armed(sandbox, at: nil, side: .after, log: "calm.log")
            let reference = sandbox.exports("calm")
            expectSuccess(try await calm.clover(base + ["--to", reference.path]))
            let expected = try reference.contents()
            #expect(expected.count == 3)
            let calls = try KillPoint.calls(in: sandbox, log: "calm.log")
            let before = try await exports(emulator)
            var killed = 0
            for point in 0..<points {
                let name = "run-\(point)"
                let number = Self.place(of: point, of: points, in: calls.count)
                let side: KillPoint.Side = point % 2 == 0 ? .after : .before
                let arguments = base + ["--to", sandbox.directory[name]]
                let result = try await armed(sandbox, at: number, side: side, log: name + ".log").clover(arguments)
                if result.ending == .signalled(9) { killed += 1 } else { expectSuccess(result) }
                expectSuccess(try await sandbox.clover(arguments))
                let folder = sandbox.exports(name)
                #expect(try folder.contents() == expected, "\(side) call \(number): \(calls[number - 1])")
                try folder.expectWhole()
            }
            #expect(killed >= points - 3)
            // Only one that was asked for in the moment of death may be asked for again.
            #expect(try await exports(emulator) - before <= points * 3 + killed)
            try Scale.report(
                "`kill -9` at calls of an export with --via export-api", count: "\(killed) points",
                result: "the next run ends with the same bytes; an export that was asked for is not asked for again")
        }
    }

    /// The number of the call at which a run dies: every third at an even distance, so that none of the whole is left out,
    /// and the others anywhere.
    private static func place(of point: Int, of points: Int, in count: Int) -> Int {
        point % 3 == 0 ? 1 + (count - 1) * point / max(1, points - 1) : Int.random(in: 1...count)
    }

    private func exports(_ emulator: EmulatorProcess) async throws -> Int {
        try await emulator.control("/emulator/exports", method: "GET")["exports"]?.elements?.count ?? 0
    }

    private func armed(
        _ sandbox: Sandbox, at number: Int?, side: KillPoint.Side, log: String
    ) async throws -> Sandbox {
        // State and destination are both in the sandbox's directory.
        try await KillPoint(number: number, side: side).arm(sandbox, log: log)
            .with(["KILL_POINT_FOLDER": sandbox.directory.path])
    }
}
