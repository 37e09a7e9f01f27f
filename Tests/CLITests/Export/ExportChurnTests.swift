import CloverTestSupport
import Foundation
import Testing

/// A shop that keeps changing while it is exported.
@Suite("export: a shop that keeps changing", .serialized)
struct ExportChurnTests {
    /// Lists with modification times, and customers, which have none and are exported in full.
    private static let changing = ["orders", "payments", "items"]

    @Test("a run exports every remaining row once, though rows come and go between requests")
    func drifting() async throws {
        // New rows fall into the range, because the shop's clock is behind; removed rows shift all others.
        for clamp in ["50", "1000"] {
            let flags = ["--orders", "1500", "--clamp", clamp, "--drift", "2", "--no-limits", "--days", "80"]
            try await Sandbox.run(emulator: flags) { sandbox, emulator in
                let folder = sandbox.exports("out")
                let before = Set(try await emulator.truth("orders").keys)
                let result = try await sandbox.clover(
                    "export", "orders", "--to", folder.path, "--no-pacing", "--summary")
                expectSuccess(result)
                try folder.expectWhole()
                let ids = try folder.records(of: "orders").compactMap { $0["id"]?.string }
                #expect(Set(ids).count == ids.count)
                let stayed = before.intersection(try await emulator.truth("orders").keys)
                #expect(stayed.count > 1000 && stayed.count < before.count)
                #expect(stayed.subtracting(ids) == [])
                let summary = try JSONValue(result.lines.last ?? "")
                let calls = try #require(summary["calls"]?.integer)
                #expect(calls < 150, "\(calls)")
            }
        }
    }

    @Test("several runs, some of them killed, together have every row of the shop")
    func churning() async throws {
        let runs = Scale.pick(6, full: 30)
        // Pages so small that every list has several, with rows added, moved and removed between pages.
        let flags = [
            "--orders", "1000", "--now", "clock", "--no-limits", "--churn", "40", "--clamp", "40", "--latency", "2ms",
        ]
        try await Sandbox.run(emulator: flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let arguments = ["export"] + Self.changing + ["customers", "--to", folder.path, "--window", "20d"]
            var (killed, run) = (0, 0)
            while run < runs || killed < runs / 2 {
                try #require(run < 3 * runs, "only \(killed) of \(run) runs were killed")
                if run % 2 == 1 {
                    // At a call that changes something, in the state or in the files.
                    let point = KillPoint(number: Int.random(in: 1...600), side: run % 4 == 1 ? .after : .before)
                    let armed = try await point.arm(sandbox, log: "run-\(run).log", everywhere: true)
                    let result = try await armed.clover(arguments)
                    if result.ending == .signalled(9) {
                        let calls = try KillPoint.calls(in: sandbox, log: "run-\(run).log")
                        if calls.contains(where: { $0.hasPrefix("send") }) { killed += 1 }
                    } else {
                        expectSuccess(result)
                    }
                } else {
                    expectSuccess(try await sandbox.clover(arguments))
                }
                run += 1
            }
            try await emulator.control("/emulator/churn?rate=0")
            expectSuccess(try await sandbox.clover(arguments))
            // Changes in the second of the last run.
            expectSuccess(try await sandbox.clover(arguments))
            try folder.expectWhole()
            let lists = try await emulator.control("/emulator/churn", method: "GET")["lists"]
            var (rows, gone) = (0, 0)
            for list in Self.changing {
                let truth = try await emulator.truth(list)
                var published = try folder.newest(of: list)
                // A deleted customer is in no list any more, and no export has a record of that.
                for id in lists?[list]?["removed"]?.elements ?? [] where published[id.string ?? ""] != nil {
                    published[id.string ?? ""] = nil
                    gone += 1
                }
                let others = Set(truth.keys).union(published.keys).filter { truth[$0] != published[$0] }
                #expect(others.isEmpty, "\(list) \(others)")
                let twice = Dictionary(grouping: try folder.records(of: list)) { $0 }.filter { $0.value.count > 1 }
                #expect(twice.isEmpty, "\(list) \(twice.keys)")
                rows += truth.count
            }
            let customers = try await emulator.truth("customers")
            #expect(customers.count > 50)
            let file = try #require(
                try folder.manifest().last { $0["resource"]?.string == "customers" }?["file"]?.string)
            let last = try JSONValue.lines(try folder.lines(of: file))
            #expect(last.count == customers.count)
            #expect(Dictionary(last.map { ($0["id"]?.string ?? "", $0) }) { $1 } == customers)
            for list in ["orders", "items", "customers"] {
                #expect(lists?[list]?["removed"]?.elements?.isEmpty == false, "no \(list) were removed")
            }
            try Scale.report(
                "Exports of a shop that keeps changing, every other run killed", count: "\(run) runs, \(killed) killed",
                result: "the newest version of each record that is left is the shop's own, \(rows + customers.count)"
                    + " rows; \(gone) that were published are gone since; no version came twice")
        }
    }
}
