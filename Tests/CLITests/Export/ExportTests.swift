import CloverTestSupport
import Foundation
import Testing

@Suite("export: what changed since the last run")
struct ExportTests {
    @Test("the first run exports everything, the next one nothing, and a later one only changes")
    func increments() async throws {
        try await Sandbox.run(unpaced: ["--orders", "300", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "payments", "items", "customers", "--to", folder.path]
            expectSuccess(try await sandbox.clover(arguments))
            try folder.expectWhole()
            for list in ["orders", "payments", "items", "customers"] {
                #expect(try folder.newest(of: list) == (try await emulator.truth(list)), "\(list)")
                #expect(try folder.records(of: list).count == (try folder.newest(of: list).count), "\(list)")
            }
            let before = try folder.contents()
            expectSuccess(try await sandbox.clover(arguments))
            #expect(try folder.contents() == before)

            try await emulator.churn(60)
            let next = try await sandbox.clover(arguments + ["--summary"])
            expectSuccess(next)
            try folder.expectWhole()
            for list in ["orders", "payments", "items", "customers"] {
                let published = try folder.newest(of: list)
                for (id, record) in try await emulator.truth(list) { #expect(published[id] == record, "\(list) \(id)") }
            }
            let count = try #require(try sandbox.summary(next, "orders")["records"]?.integer)
            #expect(count > 0 && count <= 60)
            for (file, bytes) in before where !file.hasPrefix("customers/") {
                #expect(try folder.read(file) == bytes, "\(file) was changed")
            }
        }
    }

    @Test("a list without modification times is written again only when something changed")
    func whole() async throws {
        try await Sandbox.run(unpaced: ["--orders", "50", "--now", "clock", "--no-limits"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            let arguments = ["export", "customers", "--to", folder.path]
            expectSuccess(try await sandbox.clover(arguments))
            expectSuccess(try await sandbox.clover(arguments))
            #expect(folder.files == ["customers/changes.log", "customers/current.ndjson"])
            let log = try folder.read("customers/changes.log")
            let id = try #require(try folder.records(of: "customers").first?["id"]?.string)
            let changed = try await sandbox.clover("post", "customers/\(id)", "--field", "lastName=Anders")
            #expect(changed.status == 0, "\(changed)")
            expectSuccess(try await sandbox.clover(arguments))
            #expect(folder.files == ["customers/changes.log", "customers/current.ndjson"])
            #expect(try folder.newest(of: "customers")[id]?["lastName"]?.string == "Anders")
            let added = try JSONValue.lines(
                String(decoding: try folder.read("customers/changes.log").dropFirst(log.count), as: UTF8.self)
                    .split(separator: "\n").map(String.init))
            #expect(added.count == 1 && added[0]["record"]?["id"]?.string == id, "\(added)")
            // Other options write a file of their own.
            expectSuccess(try await sandbox.clover(arguments + ["--format", "csv"]))
            #expect(folder.files.contains("customers/current.csv"))
        }
    }

    @Test("the same window gives the same file, and never overwrites another one's")
    func names() async throws {
        try await Sandbox.run(unpaced: ["--orders", "400", "--no-limits"]) { sandbox, _ in
            let (one, two) = (sandbox.exports("one"), sandbox.exports("two"))
            for folder in [one, two] {
                expectSuccess(
                    try await sandbox.clover(
                        "export", "orders", "--to", folder.path, "--until", "2026-02-02T00:00Z", "--window", "7d"))
            }
            #expect(one.files.count > 1)
            #expect(try one.contents() == (try two.contents()))

            let fixed = sandbox.exports("fixed")
            let arguments = ["export", "orders", "--to", fixed.path, "--name", "{resource}.ndjson", "--since"]
            expectSuccess(try await sandbox.clover(arguments + ["2026-01-20T00:00Z", "--until", "2026-01-25T00:00Z"]))
            let bytes = try fixed.read("orders.ndjson")
            expectFailure(
                try await sandbox.clover(arguments + ["2026-01-25T00:00Z", "--until", "2026-01-30T00:00Z"]), status: 73,
                saying: "holds other records: orders 2026-01-20T00:00:00.000Z..2026-01-25T00:00:00.000Z")
            #expect(try fixed.read("orders.ndjson") == bytes)
            // The same range again is no error.
            expectSuccess(try await sandbox.clover(arguments + ["2026-01-20T00:00Z", "--until", "2026-01-25T00:00Z"]))
            #expect(try fixed.manifest().count == 1)

            let foreign = sandbox.exports("foreign")
            try sandbox.directory.makeFolder("foreign")
            try sandbox.directory.write("foreign/orders.ndjson", Array("mine\n".utf8))
            expectFailure(
                try await sandbox.clover(
                    "export", "orders", "--to", foreign.path, "--name", "orders.ndjson", "--since", "2026-01-20T00:00Z",
                    "--until", "2026-01-25T00:00Z"),
                status: 73, saying: "exists, but was not made by an export")
            #expect(try foreign.read("orders.ndjson") == Array("mine\n".utf8))
        }
    }

    @Test("the manifest describes each file")
    func manifest() async throws {
        try await Sandbox.run(emulator: ["--orders", "200"]) { sandbox, emulator in
            let folder = sandbox.exports("out")
            expectSuccess(
                try await sandbox.clover("export", "orders", "--to", folder.path, "--until", "2026-02-02T00:00Z"))
            let line = try #require(try folder.manifest().first)
            let file = try #require(line["file"]?.string)
            let sum = try await CommandRunner(executable: "/usr/bin/sha256sum", environment: [:])
                .run(["\(folder.path)/\(file)"])
            #expect(sum.outputText.hasPrefix(try #require(line["sha256"]?.string)))
            let records = try JSONValue.lines(try folder.lines(of: file))
            #expect(line["records"]?.integer == records.count)
            #expect(line["firstId"] == records.first?["id"])
            #expect(line["lastId"] == records.last?["id"])
            #expect(line["merchant"]?.string == emulator.merchantID)
            #expect(line["to"]?.string == "2026-02-02T00:00:00.000Z")
            #expect(line["field"]?.string == "modifiedTime")
            #expect((line["calls"]?.integer ?? 0) > 0)
            #expect(
                line.keys == [
                    "bytes", "calls", "environment", "field", "file", "firstId", "from", "lastId", "merchant",
                    "publishedAt", "range", "records", "resource", "results", "retries", "sha256", "to", "version",
                    "waited",
                ])
            // A lost manifest is written again.
            let text = try folder.read("manifest.ndjson")
            try FileManager.default.removeItem(atPath: folder.path + "/manifest.ndjson")
            expectSuccess(try await sandbox.clover("export", "orders", "--to", folder.path))
            #expect(try folder.read("manifest.ndjson") == text)
        }
    }

    @Test("parts are exported completely to their own files and removed from the records")
    func parts() async throws {
        try await Sandbox.run(unpaced: ["--orders", "2000", "--no-limits"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            expectSuccess(
                try await sandbox.clover("export", "orders", "--to", folder.path, "--with", "line_items,payments"))
            try folder.expectWhole()
            let lines = try folder.records(of: "orders.line_items")
            let counts = Dictionary(grouping: lines) { $0["parentId"]?.string ?? "" }.mapValues(\.count)
            // More than the service's cut at a hundred.
            let largest = try #require(counts.max { $0.value < $1.value })
            #expect(largest.value > 100)
            let expected = try await sandbox.clover(
                "get", "orders/\(largest.key)/line_items", "--all", "-r", "--jq", ".id")
            expectSuccess(expected)
            #expect(
                lines.filter { $0["parentId"]?.string == largest.key }.compactMap { $0["id"]?.string }
                    == expected.lines)
            let orders = try folder.records(of: "orders")
            #expect(orders.count == 2000)
            #expect(orders.allSatisfy { $0["lineItems"] == nil && $0["payments"] == nil })
            let plain = try await sandbox.clover("get", "orders/\(largest.key)")
            #expect(orders.first { $0["id"]?.string == largest.key } == (try JSONValue(plain.outputText)))
            let payments = try await sandbox.clover("get", "payments", "--all", "-r", "--jq", ".id")
            #expect(
                try folder.records(of: "orders.payments").compactMap { $0["id"]?.string }.sorted()
                    == payments.lines.sorted())
            expectFailure(
                try await sandbox.clover("export", "orders", "--to", folder.path, "--with", "nothing"), status: 64,
                saying: "orders has no parts 'nothing'", "line_items")
        }
    }

    @Test("without a directory records go to standard output, without repeating earlier ones")
    func standardOutput() async throws {
        try await Sandbox.run(emulator: ["--orders", "100", "--now", "clock"]) { sandbox, emulator in
            let first = try await sandbox.clover("export", "orders", "-r", "--jq", ".id")
            expectSuccess(first)
            #expect(Set(first.lines) == Set(try await emulator.truth("orders").keys))
            let second = try await sandbox.clover("export", "orders", "-r", "--jq", ".id", "--since", "last")
            expectSuccess(second)
            #expect(second.output == [])
            // These did not reach a reader.
            try await emulator.churn(30)
            let lost = try await sandbox.shell(
                "clover export orders -r --jq .id | head -c 1 >/dev/null; echo ${PIPESTATUS[0]}")
            #expect(["0", "141"].contains(lost.lines.first))
            expectFailure(
                try await sandbox.clover("export", "orders", "items"), status: 64, saying: "several resources need --to"
            )
        }
    }
}
