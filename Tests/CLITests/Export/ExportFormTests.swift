import CloverTestSupport
import Foundation
import Testing

/// Runs of one resource that write its records in different forms.
@Suite("export: one form after another")
struct ExportFormTests {
    private static let columns = ["--format", "csv", "--fields", "id,total"]

    @Test("what changed is not shared out between two forms: 73, and --full goes on in the new one")
    func changedForm() async throws {
        try await Sandbox.run(emulator: ["--orders", "120", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "--to", folder.path]
            func csvIDs() throws -> [String] {
                try folder.files.filter { $0.hasSuffix(".csv") }.flatMap { try folder.lines(of: $0).dropFirst() }
                    .map { String($0.prefix { $0 != "," }) }
            }
            expectSuccess(try await sandbox.clover(arguments))
            for other in [
                Self.columns, ["--jq", ".id"], ["--expand", "lineItems"], ["--tag-merchant"],
            ] {
                expectFailure(
                    try await sandbox.clover(arguments + other), status: 73,
                    saying: "orders goes to \(folder.path) in another form: --format ndjson", "--full", "--to DIRECTORY"
                )
            }
            // How it is packed, called and divided is no form of the records.
            let files = folder.files
            for same in [["--compress", "gzip"], ["--name", "x-{resource}/{window}.ndjson"], ["--window", "1d"]] {
                expectSuccess(try await sandbox.clover(arguments + same))
            }
            #expect(folder.files == files)

            // A range of its own takes nothing away from the runs that follow each other.
            try await emulator.churn(20)
            let range = ["--since", "2026-01-01"] + Self.columns
            expectSuccess(try await sandbox.clover(arguments + range))
            #expect(Set(try csvIDs()) == Set(try await emulator.truth("orders").keys))
            expectSuccess(try await sandbox.clover(arguments))
            let published = try ExportedLines.newest(
                folder.files.filter { $0.hasSuffix(".ndjson") }.flatMap { try folder.lines(of: $0) })
            #expect(Set(published.keys).isSuperset(of: try await emulator.truth("orders").keys))

            // From a run over everything on, the new form is the one that is kept.
            expectSuccess(try await sandbox.clover(arguments + ["--full"] + Self.columns))
            expectFailure(
                try await sandbox.clover(arguments), status: 73, saying: "--format csv --fields id,total")
            let before = Set(try csvIDs())
            try await emulator.churn(20)
            expectSuccess(try await sandbox.clover(arguments + Self.columns))
            #expect(before.union(try csvIDs()).isSuperset(of: try await emulator.truth("orders").keys))
            try folder.expectWhole()
        }
    }

    @Test("on standard output too, where a first run that failed binds nobody")
    func standardOutput() async throws {
        try await Sandbox.run(emulator: ["--orders", "20"]) { sandbox, _ in
            expectFailure(
                try await sandbox.clover("export", "orders", "--jq", "error(\"no\")"), status: 65, output: nil)
            let first = try await sandbox.clover("export", "orders", "--jq", ".id")
            #expect(first.status == 0 && first.lines.count == 20, "\(first)")
            expectFailure(
                try await sandbox.clover("export", "orders"), status: 73,
                saying: "orders goes to standard output in another form: --format ndjson --jq '.id'")
            let all = try await sandbox.clover("export", "orders", "--full")
            #expect(all.status == 0 && all.lines.count == 20, "\(all)")
            expectSuccess(try await sandbox.clover("export", "orders"))
        }
    }

    @Test("a file is not replaced by the same records in another form: 73, but by --full")
    func formOfFile() async throws {
        try await Sandbox.run(emulator: ["--orders", "300", "--no-limits"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            let range = ["export", "orders", "--to", folder.path, "--since", "2026-01-26", "--until", "2026-01-28"]
            let whole = ["export", "customers", "--to", folder.path, "--name", "{resource}.ndjson"]
            expectSuccess(try await sandbox.clover(range))
            expectSuccess(try await sandbox.clover(whole))
            let contents = try folder.contents()
            #expect(contents.count == 2)
            for arguments in [range, whole] {
                expectFailure(
                    try await sandbox.clover(arguments + ["--jq", "{id}"]), status: 73,
                    saying: "holds the same records in another form", "choose another --name")
            }
            #expect(try folder.contents() == contents)
            try folder.expectWhole()
            expectSuccess(try await sandbox.clover(range + ["--jq", "{id}", "--name", "ids/{window}.ndjson"]))
            expectSuccess(try await sandbox.clover(whole + ["--full", "--jq", "{id}"]))
            #expect(try folder.records(of: "customers").allSatisfy { $0["firstName"] == nil })
            #expect(folder.files.count == 3)
            try folder.expectWhole()
        }
    }

    @Test("the manifest speaks of the files that are there: a day, or a whole list, that came again has one line")
    func replacedFiles() async throws {
        try await Sandbox.run(emulator: ["--orders", "60", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let day = ["export", "orders", "--to", folder.path, "--day", "today"]
            for _ in 0..<3 {
                expectSuccess(try await sandbox.clover(day))
                expectSuccess(try await sandbox.clover("export", "customers", "--to", folder.path))
                try folder.expectWhole()
                try await emulator.churn(40)
            }
            let names = try folder.manifest().compactMap { $0["file"]?.string }
            #expect(names.count == Set(names).count)
        }
    }

    @Test("a file that grows does not get twice what a range has put there: 73")
    func rangeInGrowingFile() async throws {
        try await Sandbox.run(emulator: ["--orders", "200", "--days", "40", "--no-limits"]) { sandbox, emulator in
            for (name, range) in [
                ("day", ["--day", "2026-01-20"]), ("bounded", ["--since", "2026-01-15", "--until", "2026-01-20"]),
            ] {
                let folder = sandbox.exports(name)
                let arguments = ["export", "orders", "--to", folder.path, "--append"]
                expectSuccess(try await sandbox.clover(arguments + range))
                let bytes = try folder.read("orders.ndjson")
                #expect(!bytes.isEmpty)
                let next = try await sandbox.clover(arguments)
                if name == "day" {
                    // What follows would begin with everything.
                    expectFailure(next, status: 73, saying: "already, and would have records twice")
                    #expect(try folder.read("orders.ndjson") == bytes)
                    expectSuccess(try await sandbox.clover(arguments + ["--name", "all.ndjson"]))
                    #expect(try folder.lines(of: "all.ndjson").count == 200)
                } else {
                    // The first run began there, and this one goes on.
                    expectSuccess(next)
                    let ids = try JSONValue.lines(folder.lines(of: "orders.ndjson")).compactMap { $0["id"]?.string }
                    #expect(Set(ids).count == ids.count)
                }
                try folder.expectWhole()
            }
            _ = emulator
        }
    }

    @Test("a copy of a file that grows is not added to from the beginning: 73")
    func copyOfGrowingFile() async throws {
        try await Sandbox.run(emulator: ["--orders", "50", "--now", "clock", "--no-limits"]) { sandbox, _ in
            let (original, copy) = (sandbox.exports("original"), sandbox.exports("copy"))
            let arguments = ["export", "orders", "--append", "--to"]
            expectSuccess(try await sandbox.clover(arguments + [original.path]))
            try FileManager.default.copyItem(atPath: original.path, toPath: copy.path)
            expectFailure(
                try await sandbox.clover(arguments + [copy.path]), status: 73,
                saying: "already, and would have records twice")
            #expect(try copy.read("orders.ndjson") == (try original.read("orders.ndjson")))
            expectSuccess(try await sandbox.clover(arguments + [original.path]))
        }
    }

    @Test("a page that somebody on the way answers with is no merchant without a time zone: asked again, then 76")
    func foreignPage() async throws {
        let page = LoopbackAnswer(headers: ["Content-Type: text/html"], body: "<html>Welcome</html>".utf8)
        for owner in ["properties", "merchant"] {
            try await Sandbox.run(server: { request, _ in
                let isMerchant = request.path.split(separator: "/").count == 3
                if request.path.hasSuffix("/properties") ? owner == "properties" : isMerchant && owner == "merchant" {
                    return page
                }
                if request.path.hasSuffix("/properties") {
                    return LoopbackAnswer(#"{"timezone":"America/New_York","defaultCurrency":"USD"}"#)
                }
                return .page([])
            }) { sandbox, server in
                let folder = sandbox.exports("out")
                let arguments = ["export", "orders", "--to", folder.path, "--retry", "1"]
                let result = try await sandbox.clover(
                    arguments + (owner == "properties" ? ["--day", "2026-01-20"] : []))
                expectFailure(result, status: 76, saying: "an HTML page, not JSON")
                #expect(!result.errorText.contains("--time-zone"), "\(result)")
                #expect(folder.files.isEmpty)
            }
        }
    }
}
