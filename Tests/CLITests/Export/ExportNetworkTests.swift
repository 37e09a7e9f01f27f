import CloverTestSupport
import Foundation
import Testing

/// The service becomes unreachable midway and comes back with the same data.
@Suite("export: network loss", .serialized)
struct ExportNetworkTests {
    private static let arguments = ["export", "orders", "customers", "employees", "--window", "89d", "--no-pacing"]
    /// Slow enough to be stopped midway.
    private static let shop = [
        "--orders", "600", "--days", "200", "--clamp", "50", "--no-limits", "--latency", "60ms", "--state",
    ]

    /// An emulator that can be stopped for a while, with a change that only its file has, and the export of it.
    private static func run(_ body: (Sandbox, inout EmulatorProcess, Left) async throws -> Void) async throws {
        try await Sandbox.run(weight: 2) { given in
            var emulator = try await EmulatorProcess(Self.shop + [given.directory["shop.jsonl"]])
            let sandbox = given.using(emulator)
            try await emulator.control("/emulator/churn?changes=50")
            let calm = sandbox.withState("state-of-calm")
            expectSuccess(try await calm.clover(Self.arguments + ["--to", calm.exports("calm").path]))
            try await body(sandbox, &emulator, try Left(calm.exports("calm")))
        }
    }

    /// Result of an export: files by name, and the manifest's entry of each.
    private struct Left: Equatable {
        let files: [String: [[UInt8]]]
        let lines: [String]

        init(_ folder: ExportFolder) throws {
            files = try KilledExport.files(folder)
            lines = try KilledExport.lines(folder)
        }
    }

    /// The same emulator at the same address.
    private static func restart(_ emulator: EmulatorProcess, _ sandbox: Sandbox) async throws -> EmulatorProcess {
        let port = String(emulator.url.reversed().prefix { $0 != ":" }.reversed())
        let next = try await EmulatorProcess(Self.shop + [sandbox.directory["shop.jsonl"], "--port", port])
        try #require(next.url == emulator.url && next.accessToken == emulator.accessToken)
        return next
    }

    @Test("a run whose service goes away fails, and the next one ends with the same files")
    func gone() async throws {
        let times = Scale.pick(4, full: 50)
        try await Self.run { sandbox, emulator, expected in
            for time in 0..<times {
                let own = sandbox.withState("state-\(time)")
                let folder = own.exports("out-\(time)")
                let before = try await emulator.stats().requests
                let run = try own.start(Self.arguments + ["--to", folder.path, "--no-retry"])
                // From the first request to about the last.
                let requests = 1 + (time * 17 + 10) % 20
                while try await emulator.stats().requests < before + requests { try #require(!run.hasEnded) }
                try await emulator.stop()
                let result = try await run.result()
                #expect([.exited(69), .exited(79), .exited(82)].contains(result.ending), "\(requests): \(result)")
                #expect(result.errorText.contains("cannot reach"), "\(result)")
                // Nothing listens there.
                let refused = try await own.clover(Self.arguments + ["--to", folder.path, "--no-retry"])
                expectFailure(refused, status: 69, saying: "cannot reach")
                emulator = try await Self.restart(emulator, sandbox)
                expectSuccess(try await own.clover(Self.arguments + ["--to", folder.path]))
                try folder.expectWhole()
                #expect(try Left(folder) == expected, "\(requests)")
            }
            try Scale.report(
                "The service goes away in the middle of an export", count: "\(times) times",
                result: "the next run ends with the same bytes, nothing left behind")
        }
    }

    @Test("a run waits for a service that is gone for a while, and ends with the same files")
    func backInTime() async throws {
        try await Self.run { sandbox, emulator, expected in
            let folder = sandbox.exports("out")
            let before = try await emulator.stats().requests
            // Slowly, so that it is still running when the service stops, on a busy machine too.
            let run = try sandbox.start(
                Self.arguments.filter { $0 != "--no-pacing" } + [
                    "--requests-per-second", "4", "--to", folder.path, "--retry", "50", "-v",
                ])
            while try await emulator.stats().requests < before + 10 { try #require(!run.hasEnded) }
            try await emulator.stop()
            try await run.waitForErrors(containing: "Failed to connect")
            emulator = try await Self.restart(emulator, sandbox)
            let result = try await run.result()
            #expect(result.ending == .exited(0), "\(result)")
            try folder.expectWhole()
            #expect(try Left(folder) == expected)
        }
    }
}
