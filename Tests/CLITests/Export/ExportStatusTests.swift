import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// Which exports are late, and how to stop watching one.
@Suite("export status: late exports")
struct ExportStatusTests {
    private static let judge = ["export", "status", "--fail-if-older-than", "12h", "-q"]

    @Test("an export that ran once is never late, one that goes on is, and each late one has its line")
    func once() async throws {
        try await Sandbox.run(unpaced: ["--orders", "20", "--now", "clock", "--no-limits"]) { sandbox, _ in
            let clock = try await WallClock(ahead: 0, in: sandbox.directory)
            let armed = sandbox.with(clock.variables)
            // Nothing was ever exported.
            expectFailure(try await armed.clover(Self.judge), status: 79, saying: "not exported for 12h: anything")
            let runs = [
                ["items"], ["orders", "--since", "2026-01-01", "--to", "since"],
                ["orders", "--day", "2026-01-02", "--time-zone", "UTC", "--to", "day"],
                ["orders", "--day", "yesterday", "--time-zone", "UTC", "--to", "once"],
            ]
            for words in runs { #expect(try await armed.clover(["export"] + words).status == 0) }
            try clock.set(86_400)
            expectSuccess(try await armed.clover(Self.judge))
            // Standard output counts when it is repeated, and a directory from its first run.
            #expect(try await armed.clover("export", "items").status == 0)
            expectSuccess(try await armed.clover("export", "orders", "payments", "--to", "out"))
            expectSuccess(try await armed.clover(Self.judge))
            try clock.set(2 * 86_400)
            let late = try await armed.clover(Self.judge)
            expectFailure(late, status: 79, saying: "3 exports did not run for 12h")
            let table = try await armed.clover("export", "status", "--format", "table")
            #expect(table.lines.first?.contains("LAST RUN") == true && table.lines.count > 5, "\(table)")
            for name in ["items of ", "orders of ", "payments of "] {
                let lines = late.errorText.split(separator: "\n").filter { $0.contains(name) }
                #expect(
                    lines.count == 1 && lines.allSatisfy { $0.hasPrefix("clover: not exported for 12h: ") }, "\(late)")
            }
        }
    }

    @Test("a database or a directory that is gone is shown by its relative name, too, and fails an age")
    func gone() async throws {
        try await Sandbox.run(unpaced: ["--orders", "20", "--now", "clock", "--no-limits"]) { sandbox, _ in
            for address in ["sqlite:shop.db", "out"] {
                expectSuccess(try await sandbox.clover("export", "orders", "--to", address))
                let name = address == "out" ? "out" : "shop.db"
                let status = ["export", "status", "--to", address]
                expectSuccess(try await sandbox.clover(status + ["--fail-if-older-than", "1d", "-q"]))
                try FileManager.default.moveItem(
                    atPath: sandbox.directory[name], toPath: sandbox.directory["\(name).moved"])
                let shown = try await sandbox.clover(status)
                #expect(shown.status == 0 && shown.outputText.contains("\"missing\":true"), "\(shown)")
                let judged = try await sandbox.clover(status + ["--fail-if-older-than", "1d"])
                expectFailure(judged, status: 79, saying: "which is gone", output: nil)
                #expect(judged.outputText.contains("\"missing\":true"), "\(judged)")
            }
        }
    }

    private static func filters(_ request: LoopbackRequest) -> [String] {
        request.values(of: "filter").compactMap(\.removingPercentEncoding)
    }

    /// Two orders, six weeks apart, as a list that filters by their times.
    private static func orders(_ request: LoopbackRequest) -> [String] {
        let filters = filters(request)
        return [1_767_268_800_000, 1_770_897_600_000].filter { time in
            filters.allSatisfy { filter in
                guard let bound = Int(filter.drop { !$0.isNumber }) else { return true }
                return filter.contains(">=") ? time >= bound : filter.contains("<") ? time < bound : true
            }
        }.map { #"{"id":"O\#($0)","createdTime":\#($0),"modifiedTime":\#($0)}"# }
    }

    @Test("forget stops watching a directory until it is exported again, and keeps how far it got")
    func forget() async throws {
        try await Sandbox.run(unpaced: ["--orders", "50", "--now", "clock", "--no-limits"]) { sandbox, _ in
            let clock = try await WallClock(ahead: 0, in: sandbox.directory)
            let armed = sandbox.with(clock.variables)
            let folder = sandbox.exports("out")
            let run = ["export", "orders", "--to", folder.path]
            expectFailure(
                try await armed.clover("export", "forget", folder.path), status: 66, saying: "nothing has been exported"
            )
            expectSuccess(try await armed.clover(run))
            let files = try folder.contents()
            try clock.set(86_400)
            expectFailure(try await armed.clover(Self.judge), status: 79, saying: "orders of ")
            expectSuccess(try await armed.clover("export", "forget", folder.path))
            #expect(try await armed.clover("export", "status").status == 66)
            expectFailure(
                try await armed.clover("export", "forget", folder.path), status: 66, saying: "nothing has been exported"
            )
            // The next run goes on.
            expectSuccess(try await armed.clover(run))
            #expect(try folder.contents() == files)
            expectSuccess(try await armed.clover(Self.judge))
        }
    }
}
