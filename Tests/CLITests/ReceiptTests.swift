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
            #expect(receipt["mayHaveMore"] == .bool(false))
            #expect(receipt.keys.contains("secondsWaitedByRequests"))
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
                ? LoopbackResponse(status: "500 Error", "{}") : ServedList(records: [order]).answer(to: request)
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
            number == 1 ? .page(Record.orders(1000)) : LoopbackResponse(status: "503 Service Unavailable", "{}")
        }) { sandbox, _ in
            let path = sandbox.directory["receipt"]
            let result = try await sandbox.clover("get", "items", "--all", "--retry", "0", "--receipt", path)
            #expect(result.status == 69)
            try await expectPart(of: result, in: path, sandbox)
        }
    }

    @Test("a run whose time runs out has a receipt with what was delivered until then")
    func timeRanOut() async throws {
        try await Sandbox.run(server: { _, number in
            number == 1 ? .page(Record.orders(1000)) : LoopbackResponse(bytes: [], ending: .hold)
        }) { sandbox, _ in
            let path = sandbox.directory["receipt"]
            let result = try await sandbox.clover("get", "items", "--all", "--max-time", "15.0001", "--receipt", path)
            #expect(result.status == 83 && result.errorText.contains("--max-time 15 s ran out"), "\(result)")
            try await expectPart(of: result, in: path, sandbox)
        }
    }

    /// The receipt at `path` tells of the thousand records in the output, and that they are not all.
    private func expectPart(of result: CommandResult, in path: String, _ sandbox: Sandbox) async throws {
        let ids = try JSONValue.lines(result.lines).map { $0["id"]?.string }
        #expect(ids.count == 1000)
        let receipt = try JSONValue(try await sandbox.shell("cat '\(path)'").outputText)
        #expect(receipt["complete"] == .bool(false))
        #expect(receipt["records"]?.integer == 1000)
        #expect(receipt["firstId"]?.string == ids.first)
        #expect(receipt["lastId"]?.string == ids.last)
        let windows = try #require(receipt["windows"]?.elements)
        #expect(windows.map { $0["records"]?.integer } == [1000])
        #expect(windows.map { $0["failure"]?.string } == ["broken off"])
        #expect(receipt["sha256"]?.string == (try await Self.sum(result.output)))
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

    @Test("whatever is no plain file is written to and never replaced; links are followed")
    func places() async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(2)) }) { sandbox, _ in
            let folder = try sandbox.directory.makeFolder("receipts")
            let script = """
                cd '\(folder)'
                mkfifo fifo; ln -s fifo link-to-fifo; mkdir sub; echo old >sub/file; chmod 600 sub/file
                ln -s sub/file link-to-file; ln -s sub/new link-to-nothing
                cat fifo >read & clover get orders --receipt fifo >/dev/null || exit 1; wait; cat read
                cat fifo >read & clover get orders --receipt link-to-fifo >/dev/null || exit 2; wait; cat read
                clover get orders --receipt link-to-file >/dev/null || exit 3; cat sub/file
                clover get orders --receipt link-to-nothing >/dev/null || exit 4; cat sub/new
                clover get orders --receipt /dev/fd/3 3>third >/dev/null || exit 5; cat third
                clover get orders --receipt /dev/stdout >both || exit 6; grep complete both
                [ -p fifo ] && [ -L link-to-fifo ] && [ -L link-to-file ] && [ -L link-to-nothing ] || exit 7
                stat -c %a sub/file; grep -c . both; ls -A . sub | tr '\\n' ' '
                """
            let result = try await sandbox.shell(script)
            #expect(result.status == 0, "\(result.errorText)")
            let lines = result.lines
            try #require(lines.count == 9)
            for line in lines.prefix(6) { #expect(try JSONValue(line)["records"]?.integer == 2) }
            #expect(lines[6] == "600")
            #expect(lines[7] == "3")
            #expect(
                lines[8] == ".: both fifo link-to-fifo link-to-file link-to-nothing read sub third  sub: file new ")
        }
    }

    @Test("a place that takes nothing is an error, and stays what it is")
    func fullPlace() async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(2)) }) { sandbox, _ in
            let result = try await sandbox.shell("exec 3>/dev/full; clover get orders --receipt /dev/fd/3")
            #expect(result.status == 74)
            #expect(result.lines.count == 2)
            #expect(result.errorText.contains("cannot write /dev/fd/3: No space left on device"))
        }
    }

    @Test(
        "a single raw response has no receipt and no columns",
        arguments: [["--receipt", "-"], ["--fields", "id"], ["--format", "csv"], ["--format", "table"]])
    func raw(_ options: [String]) async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(2)) }) { sandbox, server in
            let result = try await sandbox.clover(["get", "orders", "--no-complete"] + options)
            expectFailure(result, status: 64, saying: "--no-complete exclude each other")
            #expect(server.requests.isEmpty)
        }
    }

    private static func sum(_ bytes: [UInt8]) async throws -> String {
        let result = try await CommandRunner(executable: "/usr/bin/sha256sum", environment: [:]).run(
            [], input: .bytes(bytes))
        return String(result.outputText.prefix(64))
    }
}
