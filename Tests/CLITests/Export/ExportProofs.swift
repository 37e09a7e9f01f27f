import CloverTestSupport
import Foundation
import Testing

/// Guarantees of exports that need many records, or a separate file system. `make soak` runs them with the full counts.
@Suite("export: long proofs", .serialized)
struct ExportProofs {
    @Test("five years of history are complete in few calls, though the service returns 90 days at a time")
    func fiveYears() async throws {
        let orders = Scale.pick(3000, full: 82_000)
        let flags = ["--orders", "\(orders)", "--days", "1826", "--no-limits"]
        try await Sandbox.run(emulator: flags, weight: 2) { given, emulator in
            let sandbox = given.limited(to: .seconds(900))
            let folder = sandbox.exports("out")
            let result = try await sandbox.clover("export", "orders", "payments", "--to", folder.path, "--summary")
            expectSuccess(result)
            let summary = try #require(result.lines.last)
            let calls = try #require(try JSONValue(summary)["calls"]?.integer)
            #expect(calls == (try await emulator.stats().requests))
            var windows: Set<String> = []
            for list in ["orders", "payments"] {
                let ids = try folder.records(of: list).compactMap { $0["id"]?.string }
                #expect(ids.count == Set(ids).count, "\(list)")
                #expect(Set(ids) == Set(try await emulator.truth(list).keys), "\(list)")
                for line in try folder.manifest() where line["resource"]?.string == list {
                    windows.insert("\(list) \(line["from"]?.string ?? "")")
                }
            }
            // 1826 days in pieces of 89 are 21 for each of the two lists.
            #expect(windows.count >= 42)
            // A page or more for each window, two requests that prove its end, the empty ones up to today, and twelve
            // requests to find the oldest record of each list.
            #expect(calls < 3 * windows.count + (orders + orders) / 900 + 2 * 12 + 10, "\(calls) calls")
            try Scale.report(
                "An export of five years of orders and payments", count: "\(orders) orders, \(windows.count) files",
                result: "the shop's own records, each once, in \(calls) calls")
        }
    }

    @Test("all orders are exported in flat memory", arguments: [[], ["--with", "line_items", "--compress", "gzip"]])
    func flatMemory(options: [String]) async throws {
        let orders = Scale.pick(20_000, full: options.isEmpty ? 1_000_000 : 100_000)
        try await Sandbox.run(emulator: ["--orders", "\(orders)", "--no-limits"], weight: 3) { given, _ in
            let sandbox = given.limited(to: .seconds(3000))
            let (part, whole) = (sandbox.exports("part"), sandbox.exports("whole"))
            // A tenth of the orders is in the last tenth of the history.
            let first = try await sandbox.clover("get", "orders", "--limit", "1", "--offset", "\(orders / 10)")
            let order = try #require(first.lines.first)
            let time = try #require(try JSONValue(order)["createdTime"]?.integer)
            let base = ["export", "orders", "--no-pacing"] + options
            let some = try await sandbox.measured(base + ["--since", "\(time)", "--to", part.path])
            let all = try await sandbox.measured(base + ["--to", whole.path])
            for result in [some.result, all.result] { expectSuccess(result) }
            let counts = try [part, whole].map { folder in
                try folder.manifest().filter { $0["resource"]?.string == "orders" }
                    .reduce(0) { $0 + ($1["records"]?.integer ?? 0) }
            }
            #expect(counts[1] == orders)
            #expect(counts[0] < orders / 5 && counts[0] >= orders / 10, "\(counts)")
            // Ten times the orders need no more, except for pages in flight beside the one being written, of which the tenth
            // has next to none, and what the allocator keeps. Their ids alone would be thirty megabytes.
            #expect(all.peakMemoryInBytes <= some.peakMemoryInBytes + (10 << 20))
            #expect(all.peakMemoryInBytes <= (options.isEmpty ? 33 : 37) << 20)
            try Scale.report(
                "An export of all orders, options: \(options.isEmpty ? "none" : "`\(options.joined(separator: " "))`")",
                count: "\(orders) orders",
                result: "complete, at most \(all.peakMemoryInBytes >> 10) KiB resident;"
                    + " \(some.peakMemoryInBytes >> 10) KiB for \(counts[0]) of them")
        }
    }

    @Test("a full disk ends with 74 and keeps complete files; with space the next run exports the rest")
    func fullDevice() async throws {
        try await Sandbox.run(emulator: ["--orders", "3000", "--no-limits"]) { sandbox, emulator in
            // A separate file system that only these commands see; its contents are copied out before it is removed.
            let result = try await sandbox.shell(
                MountSpace.command + #"""
                     bash -c '
                    mkdir out before after
                    mount -t tmpfs -o size=700k none out
                    clover export orders --to out --until 2026-02-02 --window 10d
                    echo "status $?"
                    cp -r out/. before
                    mount -o remount,size=64m out
                    clover export orders --to out --until 2026-02-02 --window 10d
                    echo "status $?"
                    cp -r out/. after'
                    """#)
            #expect(result.lines == ["status 74", "status 0"], "\(result)")
            #expect(result.errorText.contains("No space left on device"), "\(result)")
            #expect(result.errorText.contains("free some space and run again"), "\(result)")
            let (before, after) = (sandbox.exports("before"), sandbox.exports("after"))
            #expect(!before.files.isEmpty)
            try before.expectWhole()
            try after.expectWhole()
            for (file, bytes) in try before.contents() { #expect(try after.read(file) == bytes, "\(file)") }
            #expect(Set(try after.newest(of: "orders").keys) == Set(try await emulator.truth("orders").keys))
        }
    }

    @Test("a full disk under the state publishes nothing unrecorded; with space the next run exports the rest")
    func fullState() async throws {
        try await Sandbox.run(emulator: ["--orders", "1500", "--no-limits"]) { sandbox, emulator in
            let state = sandbox.directory[sandbox.stateFolder]
            let result = try await sandbox.shell(
                MountSpace.command + #"""
                     bash -c '
                    mkdir -p '\#(state)'
                    mount -t tmpfs -o size=300k,mode=700 none '\#(state)'
                    export="clover export orders items --to out --until 2026-02-02 --window 5d --no-pacing"
                    clover export items --to out
                    head -c 1m /dev/zero >'\#(state)'/filler 2>/dev/null
                    $export
                    echo "status $?"
                    rm '\#(state)'/filler
                    $export
                    echo "status $?"
                    clover export status --to out'
                    """#)
            #expect(result.lines.prefix(2) == ["status 73", "status 0"], "\(result)")
            #expect(result.errorText.contains("CLOVER_STATE_DIR"), "\(result)")
            #expect(result.lines.count == 4, "\(result)")
            let folder = sandbox.exports("out")
            try folder.expectWhole()
            #expect(Set(try folder.newest(of: "orders").keys) == Set(try await emulator.truth("orders").keys))
        }
    }
}
