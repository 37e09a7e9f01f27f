import CloverTestSupport
import Testing

@Suite("get: records of the emulator")
struct GetTests {
    struct Resource: Sendable, CustomTestStringConvertible {
        let path: String
        var testDescription: String { path }
    }

    static let resources = ["orders", "payments", "items", "customers", "employees"].map(Resource.init)

    @Test("records are the server's own bytes, one on each line", arguments: resources)
    func recordsAreTheServersBytes(_ resource: Resource) async throws {
        try await Sandbox.run(emulator: ["--orders", "300", "--seed", "7"]) { sandbox, emulator in
            let result = try await sandbox.clover("get", resource.path, "--limit", "1000", "--show-sensitive")
            expectSuccess(result)
            #expect(!result.lines.isEmpty)
            // A page is these bytes between the brackets, with commas in place of the line breaks.
            let page = try await emulator.fetch("/v3/merchants/\(emulator.merchantID)/\(resource.path)?limit=1000")
            let joined = result.lines.joined(separator: ",")
            #expect(String(decoding: page, as: UTF8.self).contains("[\(joined)]"))
            let reference = try await sandbox.jq(["-c", ".elements[]"], page)
            let compacted = try await sandbox.jq(["-c", "."], result.output)
            #expect(reference == compacted)
        }
    }

    @Test("the merchant itself is one line with the server's bytes")
    func merchant() async throws {
        try await Sandbox.run(emulator: ["--orders", "10"]) { sandbox, emulator in
            let result = try await sandbox.clover("get", "merchant")
            expectSuccess(result)
            let body = try await emulator.fetch("/v3/merchants/\(emulator.merchantID)")
            #expect(result.lines.count == 1)
            #expect(
                result.outputText.filter { !$0.isNewline }
                    == String(decoding: body, as: UTF8.self).filter { !$0.isNewline })
            let absolute = try await sandbox.clover("get", "/v3/merchants/\(emulator.merchantID)")
            #expect(absolute.output == result.output)
        }
    }

    @Test("what is for lists is refused for a single record", arguments: ["merchant", "orders/X1"])
    func listOptions(_ path: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.using("http://127.0.0.1:1").clover("get", path, "--limit", "3")
            expectFailure(
                result, status: 64, saying: "\(path) is a single record and not a list: --limit does not apply",
                "leave --limit out")
        }
    }

    @Test("orders/ID, 'orders ID' and the absolute path give the same record")
    func oneRecord() async throws {
        try await Sandbox.run(emulator: ["--orders", "50"]) { sandbox, emulator in
            let first = try await sandbox.clover("get", "orders", "--limit", "1", "-r", "--jq", ".id")
            let id = try #require(first.lines.first)
            let joined = try await sandbox.clover("get", "orders/\(id)")
            expectSuccess(joined)
            #expect(joined.lines.count == 1)
            #expect(try JSONValue(joined.outputText)["id"]?.string == id)
            let apart = try await sandbox.clover("get", "orders", id)
            #expect(apart.output == joined.output)
            let absolute = try await sandbox.clover("get", "/v3/merchants/\(emulator.merchantID)/orders/\(id)")
            #expect(absolute.output == joined.output)
        }
    }

    @Test("orders/ID/line_items lists the order's line items")
    func lineItems() async throws {
        try await Sandbox.run(emulator: ["--orders", "50"]) { sandbox, emulator in
            let order = try await sandbox.clover(
                "get", "orders", "--expand", "lineItems", "--limit", "1", "-c", "--jq",
                "{id, lines: [.lineItems.elements[].id]}")
            let value = try JSONValue(order.outputText)
            let id = try #require(value["id"]?.string)
            let lines = try await sandbox.clover("get", "orders/\(id)/line_items", "-r", "--jq", ".id")
            expectSuccess(lines)
            #expect(lines.lines.sorted() == value["lines"]?.elements?.compactMap(\.string).sorted())
            #expect(!lines.lines.isEmpty)
        }
    }

    @Test("100 records without --limit, all with --all, and --limit counts across pages")
    func limits() async throws {
        try await Sandbox.run(emulator: ["--orders", "2350"]) { sandbox, _ in
            let all = try await sandbox.clover("get", "orders", "--all")
            expectSuccess(all)
            #expect(all.lines.count == 2350)
            #expect(Set(all.lines).count == 2350)
            let byDefault = try await sandbox.clover("get", "orders")
            #expect(byDefault.lines == Array(all.lines.prefix(100)))
            for limit in [1, 999, 1000, 1001, 2350, 5000] {
                let some = try await sandbox.clover("get", "orders", "--limit", String(limit))
                expectSuccess(some)
                #expect(some.lines == Array(all.lines.prefix(limit)), "--limit \(limit)")
            }
        }
    }

    @Test("--offset skips records, also across pages and past the end")
    func offsets() async throws {
        try await Sandbox.run(emulator: ["--orders", "1500"]) { sandbox, _ in
            let all = try await sandbox.clover("get", "orders", "--all").lines
            for (offset, limit) in [(0, 10), (95, 10), (400, 1050), (1499, 100)] {
                let some = try await sandbox.clover(
                    "get", "orders", "--offset", String(offset), "--limit", String(limit))
                expectSuccess(some)
                #expect(some.lines == Array(all.dropFirst(offset).prefix(limit)), "--offset \(offset)")
            }
            let rest = try await sandbox.clover("get", "orders", "--offset", "1200", "--all")
            #expect(rest.lines == Array(all.dropFirst(1200)))
            let none = try await sandbox.clover("get", "orders", "--offset", "1500")
            expectSuccess(none)
            #expect(none.output == [])
        }
    }

    @Test(
        "a record that is not JSON, or not an object, ends the run with 76",
        arguments: ["{\"id\":NaN}", "null", "{\"a\":1,}"])
    func notJSON(_ record: String) async throws {
        try await Sandbox.run(server: { _, _ in .page([record]) }) { sandbox, _ in
            expectFailure(try await sandbox.clover("get", "orders"), status: 76)
        }
    }

    @Test("what is not UTF-8 in records is replaced, and counted once on standard error")
    func notUTF8() async throws {
        let bytes = Array(#"{"elements":[{"id":"A","n":"Z"#.utf8) + [0xFC] + Array(#"rich"},{"id":"B"}]}"#.utf8)
        try await Sandbox.run(server: { _, _ in LoopbackResponse(body: bytes) }) { sandbox, _ in
            let result = try await sandbox.clover("get", "orders")
            #expect(result.status == 0)
            #expect(
                result.lines
                    == [#"{"id":"A","n":"Z\u{FFFD}rich"}"#, #"{"id":"B"}"#].map {
                        $0.replacing(#"\u{FFFD}"#, with: "\u{FFFD}")
                    })
            #expect(result.errorText.contains("1 record has bytes that are not UTF-8; U+FFFD replaces them in 1 place"))
        }
    }

    @Test("filters, a sort and an expand reach the service and come back right")
    func selection() async throws {
        try await Sandbox.run(emulator: ["--orders", "800"]) { sandbox, _ in
            // Ninety days are the most that the service searches; the emulator's history ends on 2026-01-31.
            let time = [
                "--filter", "createdTime>=2025-12-01T00:00:00Z", "--filter", "createdTime<2026-02-01T00:00:00Z",
            ]
            let everything = try JSONValue.lines(try await sandbox.clover(["get", "orders", "--all"] + time).lines)
            let expected = everything.compactMap { $0["total"]?.integer }.filter { $0 >= 2000 && $0 < 3000 }
            #expect(!expected.isEmpty)
            let result = try await sandbox.clover(
                ["get", "orders", "--all", "--filter", "total>=2000", "--filter", "total<3000", "--sort", "total:desc"]
                    + ["--expand", "lineItems"] + time)
            expectSuccess(result)
            let found = try JSONValue.lines(result.lines)
            #expect(found.compactMap { $0["total"]?.integer } == expected.sorted(by: >))
            #expect(found.allSatisfy { $0["lineItems"]?["elements"]?.elements != nil })
            let nothing = try await sandbox.clover("get", "orders", "--filter", "total>99999999")
            expectSuccess(nothing)
            #expect(nothing.output == [])
        }
    }

    @Test("a list of ids with 'in' gives these records")
    func listOfIDs() async throws {
        try await Sandbox.run(emulator: ["--orders", "60"]) { sandbox, _ in
            let ids = try await sandbox.clover("get", "orders", "--limit", "3", "-r", "--jq", ".id").lines
            let list = ids.map { "'\($0)'" }.joined(separator: ",")
            let result = try await sandbox.clover("get", "orders", "--filter", "id in (\(list))", "-r", "--jq", ".id")
            expectSuccess(result)
            #expect(result.lines.sorted() == ids.sorted())
        }
    }

    @Test("on a terminal, one line on stderr says that more exists; in a pipe, none does")
    func moreExists() async throws {
        try await Sandbox.run(emulator: ["--orders", "20"]) { sandbox, _ in
            // script(1) runs its command on a separate terminal; stdout goes to a file, so the terminal shows stderr.
            let line = "script --quiet --return --command 'clover get orders --limit 5 >records' /dev/null </dev/null"
            let more = try await sandbox.shell(line)
            #expect(more.status == 0)
            #expect(more.lines.count == 1)
            #expect(more.outputText.contains("more") && more.outputText.contains("--all"), "\(more)")
            let complete = try await sandbox.shell(line.replacing("--limit 5", with: "--all"))
            #expect(complete.output == [], "\(complete)")
            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "5"))
        }
    }
}

extension Sandbox {
    /// What the real jq makes of some bytes.
    func jq(_ arguments: [String], _ input: [UInt8]) async throws -> String {
        let jq = CommandRunner(executable: "/usr/bin/jq", environment: ["TZ": "UTC"])
        let result = try await jq.run(arguments, input: .bytes(input))
        #expect(result.status == 0, "\(result)")
        return result.outputText
    }
}
