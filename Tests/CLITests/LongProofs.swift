import CloverTestSupport
import Foundation
import Testing

/// The promises that need many requests to prove. `make soak` runs the same tests with the full counts.
@Suite("long proofs", .serialized)
struct LongProofs {
    @Test("eight processes at once stay within 16 requests in any second and 5 in flight, without a 429")
    func eightProcesses() async throws {
        let rounds = Scale.pick(1, full: 3)
        try await Sandbox.run(emulator: ["--orders", "500", "--latency", "120ms"], weight: 4) { sandbox, emulator in
            var requests = 0
            for _ in 0..<rounds {
                let end = ContinuousClock.now + .seconds(60)
                requests += try await withThrowingTaskGroup(of: Int.self) { group in
                    for worker in 0..<8 {
                        group.addTask {
                            var runs = 0
                            while Scale.isFull ? ContinuousClock.now < end : runs < 6 {
                                let result = try await sandbox.clover(
                                    "get", "orders", "--limit", "3", "--offset", String(worker * 10), "-r", "--jq",
                                    ".id")
                                expectSuccess(result)
                                #expect(result.lines.count == 3)
                                runs += 1
                            }
                            return runs
                        }
                    }
                    return try await group.reduce(0, +)
                }
            }
            let stats = try await emulator.stats()
            #expect(stats.requests >= requests)
            #expect(stats.peakPerSecond <= 16)
            #expect(stats.peakInFlight <= 5)
            #expect(stats.rejectedInAll == 0)
            try Scale.report(
                "Eight processes on one token, started again and again", count: "\(requests) runs",
                result: "at most \(stats.peakPerSecond) requests in a second, \(stats.peakInFlight) in flight,"
                    + " \(stats.rejectedInAll) refused")
        }
    }

    @Test("eight processes that page through everything at once stay within the limits and get everything")
    func eightPagers() async throws {
        let orders = Scale.pick(6000, full: 50_000)
        try await Sandbox.run(emulator: ["--orders", String(orders)], weight: 4) { given, emulator in
            let sandbox = given.limited(to: .seconds(900))
            let commands = try (0..<8).map { _ in
                try sandbox.start("get", "orders", "--all", "-r", "--jq", ".id")
            }
            for command in commands {
                let result = try await command.result()
                expectSuccess(result)
                #expect(Set(result.lines).count == orders)
                #expect(result.lines.count == orders)
            }
            let stats = try await emulator.stats()
            #expect(stats.peakPerSecond <= 16)
            #expect(stats.peakInFlight <= 5)
            #expect(stats.rejectedInAll == 0)
            try Scale.report(
                "Eight processes reading \(orders) orders each at once", count: "\(stats.requests) requests",
                result: "at most \(stats.peakPerSecond) requests in a second, \(stats.peakInFlight) in flight,"
                    + " \(stats.rejectedInAll) refused; every record once in each")
        }
    }

    @Test("every order comes exactly once, in flat memory")
    func allOrders() async throws {
        let orders = Scale.pick(20_000, full: 100_000)
        try await Sandbox.run(emulator: ["--orders", String(orders)], weight: 3) { given, _ in
            let sandbox = given.limited(to: .seconds(300))
            let count = try await sandbox.shell("set -o pipefail; clover get orders --all --jq .id | sort -u | wc -l")
            expectSuccess(count)
            #expect(count.lines == ["\(orders)"])
            for options in [[], ["--expand", "lineItems"], ["--expand", "lineItems", "--jq", "{id,total}"]] {
                let part = try await sandbox.measured(["get", "orders", "--limit", String(orders / 4)] + options)
                let measured = try await sandbox.measured(["get", "orders", "--all"] + options)
                // The shop has orders with more line items than an expanded list shows: they are completed on the way.
                for result in [part.result, measured.result] { expectSuccess(result) }
                // Flat: four times the records need no more, but for what happens to wait on a busy machine and what
                // the allocator keeps. Records that were kept would be some twenty megabytes.
                #expect(measured.peakMemoryInBytes <= part.peakMemoryInBytes + (12 << 20), "\(options)")
                #expect(measured.peakMemoryInBytes <= 34 << 20, "\(options)")
                try Scale.report(
                    "All orders, options: \(options.isEmpty ? "none" : "`\(options.joined(separator: " "))`")",
                    count: "\(orders) orders",
                    result: "complete, at most \(measured.peakMemoryInBytes >> 10) KiB resident;"
                        + " \(part.peakMemoryInBytes >> 10) KiB for a quarter of them")
            }
        }
    }

    @Test("through a storm of faults, interrupted and killed runs leave whole lines and the others are complete")
    func interruptedStorm() async throws {
        let orders = 4200
        let rounds = Scale.pick(6, full: 60)
        try await Sandbox.run(weight: 4) { calm in
            let reference = try await EmulatorProcess(["--orders", String(orders), "--seed", "5"])
            let expected = try await calm.using(reference).clover("get", "orders", "--all")
            expectSuccess(expected)
            let emulator = try await EmulatorProcess([
                "--orders", String(orders), "--seed", "5", "--fault", "503-html:0.1", "--fault", "truncate:0.1",
                "--fault", "reset:0.1", "--fault", "429-rate:0.03",
            ])
            let sandbox = calm.using(emulator).limited(to: .seconds(300))
            var complete = 0
            for round in 0..<rounds {
                let runs = try [0, 2, 9].map { signal in
                    (signal, try sandbox.start("get", "orders", "--all", "--retry", "30"))
                }
                for (signal, run) in runs where signal != 0 {
                    let lines = 1 + round * 37 % 3000
                    try await run.waitForOutput("\(lines) records", limit: .seconds(120)) { bytes in
                        bytes.count { $0 == 10 } >= lines
                    }
                    run.send(Int32(signal))
                }
                for (signal, run) in runs {
                    let result = try await run.result()
                    if signal == 0 || result.ending == .exited(0) {
                        expectSuccessAfterPauses(result)
                        #expect(result.output == expected.output)
                        complete += 1
                    } else {
                        #expect(result.ending == .signalled(Int32(signal)))
                        #expect(expected.output.starts(with: result.output))
                        if signal == 2 { #expect(result.endsWithWholeLine) }
                    }
                }
            }
            let stats = try await emulator.stats()
            #expect(stats.peakPerSecond <= 16)
            try Scale.report(
                "Faults (503, cut, reset, 429) with runs interrupted and killed",
                count: "\(rounds * 3) runs, \(stats.requests) requests",
                result: "\(complete) complete and identical to a calm run, the others whole lines of it;"
                    + " at most \(stats.peakPerSecond) requests in a second")
        }
    }

    @Test("a ledger that is deleted, cut, overwritten or of another boot in mid-run never lets more through")
    func damagedInMidRun() async throws {
        let rounds = Scale.pick(5, full: 40)
        try await Sandbox.run(
            emulator: ["--orders", "4000", "--clamp", "20", "--latency", "10ms"], weight: 4
        ) { given, emulator in
            let sandbox = given.limited(to: .seconds(900))
            let otherBoot = try await Self.ledgerOfOtherBoot(sandbox)
            let runs = try (0..<4).map { _ in
                try sandbox.startShell("while clover get orders --all -q -r --jq .id >/dev/null; do :; done")
            }
            for round in 0..<rounds {
                // More than one second's worth, so that the limit binds between one damage and the next.
                try await emulator.waitForRequests(20 * (round + 1))
                let file = try sandbox.ledgerFile()
                switch round % 5 {
                case 0: try FileManager.default.removeItem(atPath: sandbox.directory[file])
                case 1: try sandbox.directory.overwrite(file, [])
                case 2: try sandbox.directory.overwrite(file, otherBoot)
                case 3: try sandbox.directory.overwrite(file, (0..<500).map { _ in UInt8.random(in: 0...255) })
                default: try sandbox.directory.overwrite(file, Array("CLVRLEDG".utf8))
                }
            }
            try await emulator.waitForRequests(20 * (rounds + 1))
            let stats = try await emulator.stats()
            for run in runs {
                let hasEnded = run.hasEnded
                run.send(SIGKILL)
                let result = try await run.result()
                #expect(!hasEnded, "a run failed: \(result)")
            }
            #expect(stats.rejectedInAll == 0)
            #expect(stats.peakPerSecond <= 16)
            #expect(stats.peakInFlight <= 5)
            #expect(stats.peakPerSecond >= 8, "the limit did not bind")
            // While others write, the ledger of the other boot may be replaced before anyone looks at it.
            try sandbox.directory.overwrite(try sandbox.ledgerFile(), otherBoot)
            let result = try await sandbox.clover("get", "orders", "--limit", "1")
            #expect(result.ending == .exited(0))
            #expect(result.errorText.contains("was unusable (other-boot)"), "\(result)")
            let kept = sandbox.directory.files(below: "state/ratelimit")
            #expect(kept.contains { $0.contains(".other-boot-") }, "\(kept)")
            try Scale.report(
                "Ledger deleted, cut, overwritten or of another boot while four processes use all of the budget",
                count: "\(rounds) times, \(stats.requests) requests",
                result: "at most \(stats.peakPerSecond) requests in a second, \(stats.rejectedInAll) refused")
        }
    }

    /// What a run leaves under a kernel with another identity.
    private static func ledgerOfOtherBoot(_ sandbox: Sandbox) async throws -> [UInt8] {
        let server = try LoopbackServer { _, _ in .page([]) }
        let other = sandbox.using(server.url).with(["CLOVER_STATE_DIR": sandbox.directory["other"]])
        try sandbox.directory.write("boot_id", "11111111-2222-3333-4444-555555555555\n".utf8)
        expectSuccess(
            try await other.shell(
                "\(MountSpace.command) bash -c 'mount --bind boot_id /proc/sys/kernel/random/boot_id"
                    + " && exec clover get orders'"))
        let file = sandbox.directory.files(below: "other/ratelimit").first { $0.hasSuffix(".ledger") }
        return try sandbox.directory.read(try #require(file))
    }

    @Test("all processes wait out a storm of 429s without losing a record")
    func limitedStorm() async throws {
        let orders = Scale.pick(3000, full: 30_000)
        try await Sandbox.run(
            emulator: ["--orders", String(orders), "--fault", "429-rate:0.15", "--fault", "429-concurrent:0.05"],
            weight: 4
        ) { given, emulator in
            let sandbox = given.limited(to: .seconds(1200))
            let commands = try (0..<4).map { _ in
                try sandbox.start("get", "orders", "--all", "--retry", "50", "-r", "--jq", ".id")
            }
            for command in commands {
                let result = try await command.result()
                expectSuccessAfterPauses(result)
                #expect(result.lines.count == orders)
                #expect(Set(result.lines).count == orders)
            }
            let stats = try await emulator.stats()
            #expect(stats.peakPerSecond <= 16)
            try Scale.report(
                "429 on every fifth request, four processes", count: "\(stats.requests) requests",
                result: "every record once in each run, at most \(stats.peakPerSecond) requests in a second")
        }
    }
}
