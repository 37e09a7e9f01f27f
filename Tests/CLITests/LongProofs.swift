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
                #expect(measured.peakMemoryInBytes <= 56 << 20, "\(options)")
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
                        expectSuccess(result)
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

    @Test("a ledger that is damaged again and again in mid-run never lets more through")
    func damagedInMidRun() async throws {
        let rounds = Scale.pick(4, full: 40)
        try await Sandbox.run(emulator: ["--orders", "100"], weight: 4) { sandbox, emulator in
            expectSuccess(try await sandbox.clover("get", "orders"))
            let file = try sandbox.ledgerFile()
            var runs = 0
            for round in 0..<rounds {
                let commands = try (0..<8).map { _ in try sandbox.start("get", "orders", "--limit", "1", "-q") }
                let bytes: [UInt8] =
                    switch round % 3 {
                    case 0: []
                    case 1: (0..<500).map { _ in UInt8.random(in: 0...255) }
                    default: Array("CLVRLEDG".utf8)
                    }
                try sandbox.directory.overwrite(file, bytes)
                for command in commands { expectSuccess(try await command.result()) }
                runs += commands.count
            }
            let stats = try await emulator.stats()
            #expect(stats.rejectedInAll == 0)
            #expect(stats.peakPerSecond <= 16)
            #expect(stats.peakInFlight <= 5)
            try Scale.report(
                "Ledger emptied or overwritten while eight processes use it", count: "\(rounds) times, \(runs) runs",
                result: "at most \(stats.peakPerSecond) requests in a second, \(stats.rejectedInAll) refused")
        }
    }

    @Test("a storm of 429s is waited out by everybody and costs no record")
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
                expectSuccess(result)
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
