import CloverTestSupport
import Testing

@Suite("get: the receipt")
struct ReceiptTests {
    @Test(
        "a receipt tells what was delivered, and its sum is that of standard output", arguments: [[], ["--jq", ".id"]])
    func whole(_ options: [String]) async throws {
        try await Sandbox.run(emulator: ["--orders", "1500"]) { sandbox, emulator in
            let folder = try sandbox.directory.makeFolder("receipts")
            let before = try await emulator.stats().requests
            let result = try await sandbox.clover(
                ["get", "orders", "--all", "--receipt", folder + "/r.json"] + options)
            expectSuccess(result)
            let calls = try await emulator.stats().requests - before
            let listed = try await sandbox.shell("ls -A '\(folder)'; cat '\(folder)/r.json'").lines
            #expect(listed.count == 2)
            #expect(listed.first == "r.json")
            let receipt = try JSONValue(listed.last ?? "")
            #expect(receipt["complete"] == .bool(true))
            #expect(receipt["reasons"]?.elements?.isEmpty == true)
            #expect(receipt["records"]?.integer == 1500)
            #expect(receipt["calls"]?.integer == calls)
            #expect(receipt["retries"]?.integer == 0)
            #expect(receipt["bytes"]?.integer == result.output.count)
            #expect(receipt["sha256"]?.string == (try await Self.sum(result.output)))
            let ids = try await sandbox.clover("get", "orders", "--all", "-r", "--jq", ".id").lines
            #expect(receipt["firstId"]?.string == ids.first)
            #expect(receipt["lastId"]?.string == ids.last)
            #expect(receipt["windows"]?.elements?.count == 1)
        }
    }

    @Test("windows are in the receipt one by one")
    func windows() async throws {
        try await Sandbox.run(emulator: ["--orders", "7000"]) { sandbox, _ in
            let result = try await sandbox.clover("get", "payments", "--all", "--receipt", "-")
            #expect(result.status == 0)
            let receipt = try JSONValue(result.errorText)
            let windows = try #require(receipt["windows"]?.elements)
            #expect(windows.count > 3)
            #expect(windows.compactMap { $0["records"]?.integer }.reduce(0, +) == result.lines.count)
            for (newer, older) in zip(windows, windows.dropFirst()) {
                #expect(newer["from"]?.string == older["to"]?.string)
            }
            #expect(receipt["sha256"]?.string == (try await Self.sum(result.output)))
        }
    }

    @Test("an incomplete run has a receipt too, which says so")
    func incomplete() async throws {
        let lines = (0..<100).map { #"{"id":"L\#($0)"}"# }.joined(separator: ",")
        let order = #"{"id":"A","lineItems":{"elements":[\#(lines)]}}"#
        try await Sandbox.run(server: { request, _ in
            request.path.hasSuffix("/line_items")
                ? LoopbackAnswer(status: "500 Error", "{}") : ServedList(records: [order]).answer(to: request)
        }) { sandbox, _ in
            let path = sandbox.directory["receipt"]
            let result = try await sandbox.clover(
                "get", "orders", "--all", "--expand", "lineItems", "--retry", "0", "--receipt", path)
            #expect(result.status == 79)
            let receipt = try JSONValue(try await sandbox.shell("cat '\(path)'").outputText)
            #expect(receipt["complete"] == .bool(false))
            #expect(receipt["reasons"]?.elements?.first?.string?.contains("lineItems of A") == true)
            #expect(receipt["records"]?.integer == 1)
        }
    }

    @Test("a run that breaks off has a receipt that says so")
    func brokenOff() async throws {
        try await Sandbox.run(server: { _, number in
            number == 1 ? .page(Record.orders(1000)) : LoopbackAnswer(status: "503 Service Unavailable", "{}")
        }) { sandbox, _ in
            let path = sandbox.directory["receipt"]
            let result = try await sandbox.clover("get", "items", "--all", "--retry", "0", "--receipt", path)
            #expect(result.status == 69)
            let receipt = try JSONValue(try await sandbox.shell("cat '\(path)'").outputText)
            #expect(receipt["complete"] == .bool(false))
            #expect(receipt["records"]?.integer == 1000)
            #expect(receipt["sha256"]?.string == (try await Self.sum(result.output)))
        }
    }

    @Test("a place that cannot be written to is refused before anything is sent, and an old receipt stays")
    func unwritable() async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(1)) }) { sandbox, server in
            for path in ["/no/such/folder/r.json", "/proc/r.json", sandbox.directory.path] {
                let result = try await sandbox.clover("get", "orders", "--receipt", path)
                expectFailure(result, status: 73, saying: "cannot write \(path)")
            }
            #expect(server.requests.isEmpty)
        }
    }

    private static func sum(_ bytes: [UInt8]) async throws -> String {
        let result = try await CommandRunner(executable: "/usr/bin/sha256sum", environment: [:]).run(
            [], input: .bytes(bytes))
        return String(result.outputText.prefix(64))
    }
}
