import CloverTestSupport
import Foundation
import Testing

/// A run that was killed around the publication of its files, followed by a different one.
@Suite("export: an interrupted run followed by a different one")
struct ExportBrokenOffTests {
    private static let flags = ["--orders", "60", "--now", "clock", "--no-limits"]

    /// Calls of a run that change something, from shortly before its first file is published: the run is killed before or
    /// after each. All that follow a publication are among them, and some of the others.
    private func points(_ arguments: [String], _ sandbox: Sandbox) async throws -> [KillPoint] {
        let armed = try await KillPoint(number: nil, side: .after)
            .arm(sandbox.withState("state-of-calm"), log: "calm.log", everywhere: true)
        expectSuccess(try await armed.clover(arguments + ["--to", sandbox.exports("calm").path]))
        let calls = try KillPoint.calls(in: sandbox, log: "calm.log")
        let names = calls.indices.filter { calls[$0].hasPrefix("rename") && calls[$0].contains("ndjson") }
        let first = try #require(names.first, "no file got its name: \(Set(calls))")
        let step = Scale.pick(60, full: 7)
        return (first - 2..<calls.count).filter { index in
            index % step == 0 || names.contains { (-2...4).contains(index - $0) }
        }.map { KillPoint(number: $0 + 1, side: $0 % 2 == 0 ? .before : .after) }
    }

    /// Kills the run at each of the points and passes the remains to `then`.
    ///
    /// - Parameter next: the next step, for the record of the long proofs.
    private func die(
        _ arguments: [String], before next: String, _ sandbox: Sandbox,
        then: (_ sandbox: Sandbox, _ folder: ExportFolder, _ point: KillPoint) async throws -> Void
    ) async throws {
        let points = try await points(arguments, sandbox)
        try #require(points.count > 6)
        var deaths = 0
        for (run, point) in points.enumerated() {
            let (folder, own) = (sandbox.exports("run-\(run)"), sandbox.withState("state-of-run-\(run)"))
            let result = try await point.arm(own, log: "run-\(run).log", everywhere: true)
                .clover(arguments + ["--to", folder.path])
            if result.ending == .signalled(9) { deaths += 1 }
            try await then(own, folder, point)
        }
        #expect(deaths > points.count / 2)
        try Scale.report(
            "`kill -9` of `\(arguments.joined(separator: " "))` around the moments at which files get their names, then"
                + " \(next)", count: "\(deaths) points",
            result: "the run after it has all, and the manifest every file")
    }

    @Test("a full export is read again even when it had been written completely")
    func wholeList() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, emulator in
            try await die(["export", "customers"], before: "a change and the same", sandbox) { own, folder, point in
                expectSuccess(try await sandbox.clover("post", "customers", "--field", "firstName=Ann"))
                expectSuccess(try await own.clover("export", "customers", "--to", folder.path))
                let published = try folder.newest(of: "customers")
                for id in try await emulator.truth("customers").keys { #expect(published[id] != nil, "\(point) \(id)") }
                try folder.expectWhole()
            }
        }
    }

    @Test(
        "with other names or parts, nothing is there twice, and the manifest has every file",
        arguments: [
            (first: [], then: ["--name", "{resource}/then/{window}.{extension}"]),
            (first: [], then: ["--with", "line_items"]),
            (first: [], then: ["--name", "{resource}/then/{window}.{extension}", "--with", "line_items"]),
            (first: ["--state", "current"], then: []),
            (first: ["--state", "current"], then: ["--name", "{resource}/then/{window}.{extension}"]),
        ])
    func otherFiles(first: [String], options: [String]) async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, emulator in
            let next = "`\(options.joined(separator: " "))`"
            let arguments = ["export", "orders", "customers"] + first
            try await die(arguments, before: next, sandbox) { own, folder, point in
                expectSuccess(try await own.clover(["export", "orders", "customers", "--to", folder.path] + options))
                try folder.expectWhole()
                for list in ["orders", "customers"] {
                    let ids = try folder.records(of: list).compactMap { $0["id"]?.string }
                    // With another part a run starts again.
                    if !options.contains("--with") {
                        #expect(Set(ids).count == ids.count, "\(point) \(list): \(ids.count - Set(ids).count) twice")
                    }
                    #expect(try await Set(ids) == Set(emulator.truth(list).keys), "\(point) \(list)")
                }
            }
        }
    }

    @Test(
        "a file whose publication is killed repeatedly is there once in the end",
        arguments: [
            [[], []], [[], ["--name", "{resource}/then/{window}.{extension}"]],
            [["--with", "line_items"], ["--with", "line_items"]],
        ])
    func again(options: [[String]]) async throws {
        let naming = KillPoint.Calls(name: "rename", about: "ndjson")
        try await Sandbox.run(emulator: ["--orders", "150", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            let arguments = ["export", "orders", "customers", "--window", "1d"]
            let calm = sandbox.exports("calm")
            expectSuccess(
                try await sandbox.withState("state-of-calm").clover(arguments + options[0] + ["--to", calm.path]))
            // A log keeps its name, because it grows.
            let count = calm.files.count { $0.contains("ndjson") }
            try #require(count > 2)
            let places = Scale.pick([1, 2, count], full: Array(1...count))
            let counts = Scale.pick([2], full: [2, 3])
            for (place, deaths) in places.flatMap({ place in counts.map { (place, $0) } }) {
                let (folder, own) = (
                    sandbox.exports("out-\(place)-\(deaths)"), sandbox.withState("state-\(place)-\(deaths)")
                )
                // The earlier windows are done: the same file is the first one of later runs.
                for death in 0..<deaths {
                    let point = KillPoint(number: death == 0 ? place : 1, side: .after, among: naming)
                    let armed = try await point.arm(own, log: "killed.log", everywhere: true)
                    let result = try await armed.clover(arguments + options[0] + ["--to", folder.path])
                    #expect(result.ending == .signalled(9), "\(place) \(death) \(result)")
                }
                for run in 0..<3 {
                    expectSuccess(try await own.clover(arguments + options[1] + ["--to", folder.path]))
                    try folder.expectWhole()
                    for list in ["orders", "customers"] {
                        let ids = try folder.records(of: list).compactMap { $0["id"]?.string }
                        #expect(Set(ids).count == ids.count, "\(place) \(deaths) \(run) \(list)")
                        #expect(
                            try await Set(ids) == Set(emulator.truth(list).keys), "\(place) \(deaths) \(run) \(list)")
                    }
                }
                if options[0].contains("--with") {
                    #expect(try folder.lineItems() == (try calm.lineItems()), "\(place) \(deaths)")
                }
            }
            try Scale.report(
                "`kill -9` two and three times at the name of the same file, of `\(options[0].joined(separator: " "))`"
                    + " and then `\(options[1].joined(separator: " "))`", count: "\(count) files",
                result: "three runs later each record is there once, and the manifest has every file")
        }
    }

    @Test("a run of other resources updates the manifest for a replaced file")
    func replaced() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, _ in
            let arguments = ["export", "customers", "--name", "{resource}.{extension}"]
            let folder = sandbox.exports("out")
            expectSuccess(try await sandbox.clover(arguments + ["--to", folder.path]))
            expectSuccess(try await sandbox.clover("post", "customers", "--field", "firstName=Ann"))
            let armed = try await KillPoint(number: nil, side: .after)
                .arm(sandbox.withState("state-of-calm"), log: "calm.log", everywhere: true)
            expectSuccess(try await armed.clover(arguments + ["--to", sandbox.exports("calm").path]))
            let calls = try KillPoint.calls(in: sandbox, log: "calm.log")
            let renamed = try #require(calls.firstIndex { $0.hasPrefix("rename") && $0.contains("customers") }) + 1
            // The run that replaces a file creates no folder; its calls are those after that.
            var wasReplaced = false
            for number in max(1, renamed - 12)...renamed {
                let before = try folder.contents()
                let result = try await KillPoint(number: number, side: .after)
                    .arm(sandbox, log: "out-\(number).log", everywhere: true).clover(arguments + ["--to", folder.path])
                guard result.ending == .signalled(9), try folder.contents() != before else { continue }
                wasReplaced = true
                break
            }
            try #require(wasReplaced)
            expectSuccess(try await sandbox.clover("export", "employees", "--to", folder.path))
            try folder.expectWhole()
        }
    }
}
