import CloverTestSupport
import Foundation
import Testing

/// The order in which an export writes to disk, and the result of a power failure in between.
@Suite("export: on the device", .serialized)
struct ExportDeviceTests {
    private static let shop = ["--orders", "300", "--days", "100", "--clamp", "50", "--no-limits"]

    @Test(
        "data is on disk before it is published, and published before the bookmark moves",
        arguments: [
            "{resource}/{resource}-{window}.ndjson", "{resource}-{window}.ndjson", "a/b/{resource}-{window}.csv",
        ])
    func order(name: String) async throws {
        try await Sandbox.run(emulator: Self.shop) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let form = name.hasSuffix("csv") ? "csv" : "ndjson"
            let arguments = [
                "export", "orders", "customers", "--no-pacing", "--name", name, "--format", form, "--to", folder.path,
            ]
            // The first run creates the folders, and the second one finds them.
            for run in 1...2 {
                let armed = try await KillPoint(number: nil, side: .after)
                    .arm(sandbox, log: "run-\(run).log", everywhere: true)
                expectSuccess(try await armed.clover(arguments))
                try await emulator.churn(100)
                let calls = try KillPoint.calls(in: sandbox, log: "run-\(run).log")
                let published = calls.indices.filter {
                    calls[$0].hasPrefix("rename ") && calls[$0].hasSuffix(".\(form)")
                }
                #expect(published.count >= 2, "\(calls)")
                for place in published {
                    let last = calls[..<place].last { $0.hasSuffix(".part") } ?? ""
                    #expect(last.hasPrefix("fsync ") || last.hasPrefix("fdatasync "), "\(last), then \(calls[place])")
                    let rest = calls[(place + 1)...]
                    let commit = rest.firstIndex { $0.hasPrefix("pwrite") && $0.contains("exports.sqlite") } ?? place
                    #expect(commit > place)
                    let synced = calls[place..<max(place, commit)].filter { $0.contains("sync ") }
                        .map { String($0.split(separator: " ").last ?? "") }
                    // Also existing folders, because the run that created them may have been killed.
                    let resource = calls[place].contains("orders") ? "orders" : "customers"
                    for folder in ["out"] + name.split(separator: "/").dropLast().map(String.init) {
                        let folder = folder.replacing("{resource}", with: resource)
                        #expect(synced.contains(folder), "\(folder) is not among \(synced) after \(calls[place])")
                    }
                }
            }
        }
    }

    @Test(
        "after a power failure during replacement, the file is old or new, and the next run has the new one")
    func replaced() async throws {
        let times = Scale.pick(4, full: 60)
        try await Sandbox.run(emulator: Self.shop) { sandbox, emulator in
            let own = sandbox.withState("state-of-out")
            let folder = own.exports("out")
            let arguments = [
                "export", "customers", "--full", "--name", "{resource}.ndjson", "--no-pacing", "--to", folder.path,
            ]
            func again() async throws {
                let result = try await sandbox.shell("rm -rf out state-of-out && cp -a before/. .")
                try #require(result.ending == .exited(0), "\(result)")
            }
            expectSuccess(try await own.clover(arguments))
            let old = try folder.contents()
            try await emulator.churn(300)
            let kept = try await sandbox.shell("mkdir before && cp -a out state-of-out before")
            try #require(kept.ending == .exited(0), "\(kept)")
            let counted = try await KillPoint(number: nil, side: .after).arm(own, log: "calm.log", everywhere: true)
            expectSuccess(try await counted.clover(arguments))
            let calls = try KillPoint.calls(in: sandbox, log: "calm.log")
            let new = try folder.contents()
            #expect(Array(new.keys) == ["customers.ndjson"] && new != old)
            let renames = calls.indices.filter {
                calls[$0].hasPrefix("rename ") && calls[$0].hasSuffix("customers.ndjson")
            }
            #expect(renames.count == 1)
            // Calls are counted from 1: right after a rename, at the next ones, and anywhere.
            var points = renames.flatMap { [$0 + 1, $0 + 2, $0 + 3] }
            points += (0..<times).map { _ in Int.random(in: 1...calls.count) }
            for (run, number) in points.enumerated() {
                try await again()
                let point = KillPoint(number: number, side: .after, cut: .names)
                let armed = try await point.arm(own, log: "run-\(run).log", everywhere: true)
                let result = try await armed.clover(arguments)
                let place = "\(number) of \(calls.count): \(calls[number - 1])"
                if result.ending != .signalled(9) { expectSuccess(result) }
                for (file, bytes) in try folder.contents() {
                    #expect(bytes == old[file] || bytes == new[file], "\(file) at \(place)")
                }
                expectSuccess(try await own.clover(arguments))
                #expect(try folder.contents() == new, "\(place)")
            }
            try Scale.report(
                "The power fails while files of an export are replaced", count: "\(points.count) points",
                result: "each file is whole, the old one or the new one; the next run has the new ones")
        }
    }
}
