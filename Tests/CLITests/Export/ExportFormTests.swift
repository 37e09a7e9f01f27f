import CloverTestSupport
import Foundation
import Testing

/// Runs of one resource that write its records in different forms.
@Suite("export: changing forms")
struct ExportFormTests {
    private static let columns = ["--format", "csv", "--fields", "id,total"]

    @Test("changes are not split between two forms: 73, and --full switches to the new one")
    func changedForm() async throws {
        try await Sandbox.run(unpaced: ["--orders", "120", "--now", "clock", "--no-limits"]) { sandbox, emulator in
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
                    saying: "orders is exported to \(folder.path) in another form: --format ndjson", "--full",
                    "--to DIRECTORY"
                )
            }
            // Compression, names and windows are not part of the form.
            let files = folder.files
            for same in [["--compress", "gzip"], ["--name", "x-{resource}/{window}.ndjson"], ["--window", "1d"]] {
                expectSuccess(try await sandbox.clover(arguments + same))
            }
            #expect(folder.files == files)

            // An explicit range does not affect incremental runs.
            try await emulator.churn(20)
            let range = ["--since", "2026-01-01T00:00Z"] + Self.columns
            expectSuccess(try await sandbox.clover(arguments + range))
            #expect(Set(try csvIDs()) == Set(try await emulator.truth("orders").keys))
            expectSuccess(try await sandbox.clover(arguments))
            let published = try ExportedLines.newest(
                folder.files.filter { $0.hasSuffix(".ndjson") }.flatMap { try folder.lines(of: $0) })
            #expect(Set(published.keys).isSuperset(of: try await emulator.truth("orders").keys))

            // After a --full run, the new form is kept.
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

    @Test("the same on standard output, where a failed first run fixes no form")
    func standardOutput() async throws {
        try await Sandbox.run(emulator: ["--orders", "20"]) { sandbox, _ in
            expectFailure(
                try await sandbox.clover("export", "orders", "--jq", "error(\"no\")"), status: 65, output: nil)
            let first = try await sandbox.clover("export", "orders", "--jq", ".id")
            #expect(first.status == 0 && first.lines.count == 20, "\(first)")
            expectFailure(
                try await sandbox.clover("export", "orders"), status: 73,
                saying: "orders is exported to standard output in another form: --format ndjson --jq '.id'")
            let all = try await sandbox.clover("export", "orders", "--full")
            #expect(all.status == 0 && all.lines.count == 20, "\(all)")
            expectSuccess(try await sandbox.clover("export", "orders", "--since", "last"))
        }
    }

    @Test("a file is not replaced by the same records in another form (73), except with --full")
    func formOfFile() async throws {
        try await Sandbox.run(unpaced: ["--orders", "300", "--no-limits"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            let range = [
                "export", "orders", "--to", folder.path, "--since", "2026-01-26T00:00Z", "--until", "2026-01-28T00:00Z",
            ]
            let whole = ["export", "customers", "--to", folder.path, "--name", "{resource}.ndjson"]
            expectSuccess(try await sandbox.clover(range))
            expectSuccess(try await sandbox.clover(whole))
            let contents = try folder.contents()
            #expect(contents.count == 2)
            for arguments in [range, whole] {
                let refused = try await sandbox.clover(arguments + ["--jq", "{id}"])
                expectFailure(
                    refused, status: 73,
                    saying: "holds the same records in another form", "choose another --name")
                // A full export differs from a range.
                #expect(refused.errorText.contains("--full") == (arguments == whole), "\(refused)")
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

    @Test("the manifest has one line for a day or full export that was replaced")
    func replacedFiles() async throws {
        try await Sandbox.run(unpaced: ["--orders", "60", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let day = ["export", "orders", "--to", folder.path, "--day", "today"]
            for _ in 0..<3 {
                expectSuccess(try await sandbox.clover(day))
                expectSuccess(try await sandbox.clover("export", "customers", "--to", folder.path))
                try folder.expectWhole()
                try await emulator.churn(40)
            }
            // The log of a list's changes grows, with a line for each part.
            let names = try folder.manifest().compactMap { $0["file"]?.string }.filter { !$0.hasSuffix(".log") }
            #expect(names.count == Set(names).count)
        }
    }

    @Test("a growing file does not get the records of a range twice: 73")
    func rangeInGrowingFile() async throws {
        try await Sandbox.run(unpaced: ["--orders", "200", "--days", "40", "--no-limits"]) { sandbox, emulator in
            for (name, range) in [
                ("day", ["--day", "2026-01-20"]),
                ("bounded", ["--since", "2026-01-15T00:00Z", "--until", "2026-01-20T00:00Z"]),
            ] {
                let folder = sandbox.exports(name)
                let arguments = ["export", "orders", "--to", folder.path, "--append"]
                expectSuccess(try await sandbox.clover(arguments + range))
                let bytes = try folder.read("orders.ndjson")
                #expect(!bytes.isEmpty)
                let next = try await sandbox.clover(arguments)
                if name == "day" {
                    // The next incremental run would start with everything.
                    expectFailure(next, status: 73, saying: "already, and would have records twice")
                    #expect(try folder.read("orders.ndjson") == bytes)
                    expectSuccess(try await sandbox.clover(arguments + ["--name", "all.ndjson"]))
                    #expect(try folder.lines(of: "all.ndjson").count == 200)
                } else {
                    // The first run began there, and this one continues.
                    expectSuccess(next)
                    let ids = try JSONValue.lines(folder.lines(of: "orders.ndjson")).compactMap { $0["id"]?.string }
                    #expect(Set(ids).count == ids.count)
                }
                try folder.expectWhole()
            }
            _ = emulator
        }
    }

    @Test("after a growing file is moved away as advised, the export continues in a new one")
    func movedAway() async throws {
        let arguments = ["--orders", "200", "--now", "clock", "--no-limits"]
        try await Sandbox.run(unpaced: arguments) { sandbox, emulator in
            for (name, first) in [("day", ["--day", "yesterday"]), ("parts", []), ("full", [])] {
                let folder = sandbox.exports(name)
                let file = name == "parts" ? "orders.line_items.ndjson" : "orders.ndjson"
                let base = ["export", "orders", "--append", "--window", "7d", "--to", folder.path]
                let next = base + (name == "parts" ? ["--with", "line_items"] : [])
                expectSuccess(try await sandbox.clover(base + first))
                let full = name == "full" ? ["--full"] : []
                let again = try await sandbox.clover(next + full)
                if name == "parts" {
                    expectSuccess(again)
                } else {
                    expectFailure(again, status: 73, saying: "move the file away")
                    try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)")
                    expectSuccess(try await sandbox.clover(next + full + ["--accept-missing"]))
                }
                for _ in 0..<2 {
                    try await emulator.churn(10)
                    expectSuccess(try await sandbox.clover(next))
                }
                let lines = try folder.lines(of: "orders.ndjson")
                #expect(Set(lines).count == lines.count, "\(name)")
                let newest = try ExportedLines.newest(lines)
                #expect(Set(newest.keys).isSuperset(of: try await emulator.truth("orders").keys), "\(name)")
                try folder.expectWhole()
            }
        }
    }

    @Test("additions to another file, or to one moved away, do not count for this one")
    func daysOfMovedFile() async throws {
        try await Sandbox.run(unpaced: ["--orders", "200", "--days", "40", "--no-limits"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "--append", "--to", folder.path, "--day"]
            expectSuccess(try await sandbox.clover(arguments + ["2026-01-20"]))
            let bytes = try folder.read("orders.ndjson")
            try FileManager.default.removeItem(atPath: "\(folder.path)/orders.ndjson")
            expectSuccess(try await sandbox.clover(arguments + ["2026-01-22", "--accept-missing"]))
            expectSuccess(try await sandbox.clover(arguments + ["2026-01-20"]))
            #expect(try folder.read("orders.ndjson").suffix(bytes.count) == bytes[...])
            #expect(try folder.manifest().count == 2)
            try folder.expectWhole()
        }
    }

    @Test("an interrupted run and the next one put nothing into a growing file twice")
    func brokenOff() async throws {
        for (name, broken, next) in [
            ("until", ["--until", "2026-02-01T00:00Z"], ["--window", "5d"]),
            ("parts", ["--with", "line_items"], ["--window", "5d"]), ("same", ["--with", "line_items"], []),
            ("full", [], ["--full", "--name", "full.ndjson"]),
        ] {
            let shop = ["--orders", "300", "--days", "60", "--no-limits", "--fault", "503-html@9"]
            try await Sandbox.run(emulator: shop) { sandbox, _ in
                let folder = sandbox.exports("out")
                let base = ["export", "orders", "--append", "--window", "7d", "--retry", "0", "--to", folder.path]
                expectFailure(try await sandbox.clover(base + broken), status: 79, saying: "503")
                let count = try folder.lines(of: "orders.ndjson").count
                #expect(count > 0 && count < 300, "\(name)")
                let result = try await sandbox.clover(base + next)
                if name == "full" {
                    expectSuccess(result)
                    expectSuccess(try await sandbox.clover(base + ["--name", "full.ndjson"]))
                    #expect(try folder.lines(of: "full.ndjson").count == 300)
                } else if name == "same" {
                    // Some of the same windows are there already.
                    #expect(result.status == 0, "\(result)")
                    let whole = try await sandbox.clover(base + broken)
                    #expect(whole.status == 0, "\(whole)")
                    for file in ["orders.ndjson", "orders.line_items.ndjson"] {
                        let lines = try folder.lines(of: file)
                        #expect(Set(lines).count == lines.count, "\(file)")
                    }
                    #expect(try folder.lines(of: "orders.ndjson").count == 300)
                } else {
                    expectFailure(result, status: 73, saying: "move the file away")
                    #expect(try folder.lines(of: "orders.ndjson").count == count)
                    // Or it is resumed.
                    #expect(try await sandbox.clover(base + broken).status == 0)
                    let lines = try folder.lines(of: "orders.ndjson")
                    #expect(lines.count == 300 && Set(lines).count == 300, "\(name)")
                }
                try folder.expectWhole()
            }
        }
    }

    @Test("an interrupted --full run also has what other runs exported meanwhile")
    func everythingGoneOnWith() async throws {
        let shop = ["--orders", "200", "--now", "clock", "--no-limits", "--fault", "503-html@14"]
        try await Sandbox.run(emulator: shop, weight: 0) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let base = ["export", "orders", "--to", folder.path, "--retry", "0", "--overlap", "2s"]
            let full = base + ["--window", "3d", "--full", "--name", "full/{window}.ndjson"]
            expectSuccess(try await sandbox.clover(base))
            expectFailure(try await sandbox.clover(full), status: 79, saying: "503")
            try await Task.sleep(for: .seconds(3))
            try await emulator.churn(30)
            try await Task.sleep(for: .seconds(3))
            expectSuccess(try await sandbox.clover(base))
            expectSuccess(try await sandbox.clover(full))
            let lines = try folder.files.filter { $0.hasPrefix("full/") }.flatMap { try folder.lines(of: $0) }
            let truth = try await emulator.truth("orders")
            let published = Dictionary(
                try JSONValue.lines(lines).map { ($0["id"]?.string ?? "", $0) }
            ) { ($0["modifiedTime"]?.integer ?? 0) > ($1["modifiedTime"]?.integer ?? 0) ? $0 : $1 }
            #expect(truth.filter { published[$0.key] != $0.value }.isEmpty)
        }
    }

    @Test("a program is identified by its text, not by its path")
    func programFile() async throws {
        try await Sandbox.run(emulator: ["--orders", "20"]) { sandbox, _ in
            try sandbox.directory.write("p.jq", "{id}".utf8)
            try sandbox.directory.write("q.jq", "{id}".utf8)
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "--to", folder.path, "--from-file"]
            expectSuccess(try await sandbox.clover(arguments + [sandbox.directory["p.jq"]]))
            expectSuccess(try await sandbox.clover(arguments + [sandbox.directory["q.jq"]]))
            try sandbox.directory.write("q.jq", "{id,total}".utf8)
            expectFailure(
                try await sandbox.clover(arguments + [sandbox.directory["q.jq"]]), status: 73, saying: "another form")
        }
    }

    @Test("parts exported in another form start from the beginning")
    func partsOfAnotherForm() async throws {
        try await Sandbox.run(unpaced: ["--orders", "100", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            let (folder, fresh) = (sandbox.exports("out"), sandbox.exports("fresh"))
            let arguments = ["export", "orders", "--to", folder.path]
            let (csv, with) = (["--format", "csv"], ["--with", "line_items"])
            expectSuccess(try await sandbox.clover(arguments + with))
            try await emulator.churn(10)
            expectSuccess(try await sandbox.clover(arguments + csv + ["--full"]))
            try await emulator.churn(10)
            expectSuccess(try await sandbox.clover(arguments + csv + with))
            expectSuccess(try await sandbox.clover(["export", "orders", "--to", fresh.path] + csv + with))
            func lines(_ folder: ExportFolder) throws -> Set<String> {
                Set(
                    try folder.files.filter { $0.hasPrefix("orders.line_items/") && $0.hasSuffix(".csv") }
                        .flatMap { try folder.lines(of: $0) })
            }
            let (all, published) = (try lines(fresh), try lines(folder))
            #expect(all.count > 50 && all.subtracting(published).isEmpty)
        }
    }

    @Test("a copy of a growing file is not filled from the beginning again: 73")
    func copyOfGrowingFile() async throws {
        try await Sandbox.run(unpaced: ["--orders", "50", "--now", "clock", "--no-limits"]) { sandbox, _ in
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

    @Test("a foreign page instead of the merchant is retried and ends with 76")
    func foreignPage() async throws {
        let page = LoopbackResponse(headers: ["Content-Type: text/html"], body: "<html>Welcome</html>".utf8)
        for owner in ["properties", "merchant"] {
            try await Sandbox.run(server: { request, _ in
                let isMerchant = request.path.split(separator: "/").count == 3
                if request.path.hasSuffix("/properties") ? owner == "properties" : isMerchant && owner == "merchant" {
                    return page
                }
                if request.path.hasSuffix("/properties") {
                    return LoopbackResponse(#"{"timezone":"America/New_York","defaultCurrency":"USD"}"#)
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
