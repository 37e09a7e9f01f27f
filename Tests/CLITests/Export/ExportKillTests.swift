import CloverTestSupport
import Foundation
import Testing

/// At whatever time an export is killed, the next run ends as if nothing had happened.
@Suite("export: kill -9", .serialized)
struct ExportKillTests {
    /// Several windows with several pages each, and lists without a time that have more than one page, too.
    private static let shop = ["--orders", "600", "--days", "200", "--clamp", "50", "--no-limits"]

    @Test("killed at any call that changes something, the next run gives the same files", arguments: KilledExport.all)
    func anyCall(export: KilledExport) async throws {
        try await Sandbox.run(emulator: Self.shop) { sandbox, _ in
            let calm = try await export.calm(sandbox)
            for call in ["fsync", "create"] + (export.options.contains("--append") ? [] : ["rename"]) {
                #expect(calm.calls.contains { $0.hasPrefix(call) }, "no \(call) in \(Set(calm.calls))")
            }
            let times = Scale.pick(4, full: export.full)
            let deaths = try await export.die(times, sandbox, calm) { try await $0.clover($1) }
            try Scale.report(
                "`kill -9` at calls of `export \(export.testDescription)`",
                count: "\(deaths.onTheWay) points, and \(deaths.early) before the first request",
                result: "the next run ends with the same bytes, nothing twice, nothing left behind")
        }
    }

    @Test("after a power failure and restart, the next run gives the same files", arguments: KilledExport.all.prefix(2))
    func reboot(export: KilledExport) async throws {
        var export = export
        export.isPaced = true
        try await Sandbox.run(emulator: Self.shop) { sandbox, _ in
            try sandbox.directory.write("boot_id", "11111111-2222-3333-4444-555555555555\n".utf8)
            let calm = try await export.calm(sandbox)
            let times = Scale.pick(3, full: export.full / 2)
            // Unsynced data is lost, and the kernel has another boot id.
            let cuts = KillPoint.Cut.allCases
            let deaths = try await export.die(times, cuts: cuts, sandbox, calm) { sandbox, arguments in
                try await sandbox.shell(
                    "\(MountSpace.command) bash -c 'mount --bind boot_id /proc/sys/kernel/random/boot_id"
                        + " && exec clover \"$@\"' clover " + arguments.map { "'\($0)'" }.joined(separator: " "))
            }
            try Scale.report(
                "The power fails during `export \(export.testDescription)`",
                count: "\(deaths.onTheWay) points, and \(deaths.early) before the first request",
                result: "with what was not synced lost, the next run under another boot ends with the same bytes")
        }
    }

    @Test("killed while waiting for service exports, the next run requests none twice without need")
    func exportAPI() async throws {
        let times = Scale.pick(5, full: 100)
        let flags = ["--orders", "900", "--days", "32", "--no-limits", "--export-time", "30ms"]
        try await Sandbox.run(emulator: flags) { sandbox, emulator in
            let export = KilledExport(
                resources: ["orders"],
                options: [
                    "--via", "export-api", "--since", "2026-01-02T00:00Z", "--until", "2026-02-01T00:00Z", "--window",
                    "10d",
                ])
            let calm = try await export.calm(sandbox)
            let before = try await exports(emulator)
            #expect(before == 3)
            let deaths = try await export.die(times, sandbox, calm) { try await $0.clover($1) }
            // Only an export that was being requested when the run was killed may be requested again.
            #expect(try await exports(emulator) - before <= deaths.runs * 3 + deaths.onTheWay)
            try Scale.report(
                "`kill -9` at calls of an export with --via export-api", count: "\(deaths.onTheWay) points",
                result: "the next run ends with the same bytes; an export that was asked for is not asked for again")
        }
    }

    private func exports(_ emulator: EmulatorProcess) async throws -> Int {
        try await emulator.control("/emulator/exports", method: "GET")["exports"]?.elements?.count ?? 0
    }
}
