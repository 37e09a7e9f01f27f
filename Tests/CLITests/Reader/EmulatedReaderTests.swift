import CloverTestSupport
import Foundation
import Testing

@Suite("clover-emulator reader-driver")
struct EmulatedReaderTests {
    private func ids(_ world: ReaderWorld, _ flags: String, count: Int = 3) async throws -> [String] {
        let result = try await world.emulated(flags).clover(
            "reader", "scan", "--transport", "driver", "--timeout", "120s", "--count", "\(count)")
        expectSuccess(result)
        return try result.records().compactMap { $0["id"]?.string }
    }

    @Test("the same seed gives the same readers, another seed others")
    func seeds() async throws {
        try await ReaderWorld.run { world in
            let one = try await ids(world, "--seed 7")
            #expect(one.count == 3)
            #expect(try await ids(world, "--seed 7") == one)
            #expect(Set(try await ids(world, "--seed 8")).isDisjoint(with: one))
        }
    }

    @Test("a script of faults is a file with one on each line, and comments")
    func script() async throws {
        try await ReaderWorld.run { world in
            let file = try world.sandbox.directory.write(
                "faults", Array("# the first is away\nout-of-range@1\n\nbusy@2 # a phone has it\n".utf8))
            #expect(try await ids(world, "--script '\(file)'", count: 2) == [ReaderWorld.second, ReaderWorld.third])
            let sandbox = try world.emulated("--script '\(file)'")
            expectFailure(
                try await sandbox.clover("reader", "connect", ReaderWorld.second), status: 75,
                saying: "connected to another device")
        }
    }

    @Test("refuses a script with an invalid fault and names the line")
    func badScript() async throws {
        try await ReaderWorld.run { world in
            let file = try world.sandbox.directory.write("faults", Array("busy@1\n\nexplode\n".utf8))
            let emulator = CommandRunner(
                executable: try CommandRunner.builtProgram("clover-emulator"), environment: [:])
            let result = try await emulator.run(["reader-driver", "--script", file])
            #expect(result.ending == .exited(64), "\(result)")
            #expect(result.errorText.contains("line 3 is not a fault"), "\(result)")
        }
    }

    @Test("the merchant's devices are found at the service")
    func cloud() async throws {
        try await Sandbox.run(emulator: ["--orders", "10"]) { sandbox, _ in
            let result = try await sandbox.clover("reader", "scan", "--transport", "cloud", "--timeout", "20s")
            expectSuccess(result)
            let records = try result.records()
            #expect(!records.isEmpty)
            #expect(records.allSatisfy { $0["transport"]?.string == "cloud" && $0["rssi"] == .null })
            let id = try #require(records.first?["id"]?.string)
            let connected = try await sandbox.clover("reader", "connect", id, "--transport", "cloud")
            expectSuccess(connected)
            #expect(try connected.records().last?["state"]?.string == "ready")
        }
    }
}
