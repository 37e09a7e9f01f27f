import CloverTestSupport
import Foundation
import Testing

@Suite("words that people know: whoami, open, --output, --sort -FIELD, lists with formats")
struct FamiliarWordsTests {
    @Test("whoami asks the service for the merchant's name, and fails if the token is not accepted")
    func whoami() async throws {
        try await Sandbox.run(emulator: ["--orders", "1"], weight: 2) { sandbox, emulator in
            let result = try await sandbox.clover("whoami")
            expectSuccess(result)
            let facts = try JSONValue(result.outputText)
            #expect(facts["merchant"]?.string == emulator.merchantID)
            let merchant = try JSONValue(try await sandbox.clover("get", "merchant").outputText)
            #expect(facts["name"]?.string == merchant["name"]?.string)
            #expect(facts["name"]?.string?.isEmpty == false)
            expectFailure(
                try await sandbox.with(["CLOVER_ACCESS_TOKEN": "wrong"]).clover("whoami"), status: 77, saying: "")
        }
    }

    @Test(
        "open prints the address and opens it only with a browser",
        arguments: [
            ([], "https://sandbox.dev.clover.com/dashboard/m/TESTMERCHANT1"),
            (["orders"], "https://sandbox.dev.clover.com/orders/m/TESTMERCHANT1/orders"),
            (["orders", "AB/1"], "https://sandbox.dev.clover.com/orders/m/TESTMERCHANT1/orders/AB%2F1"),
            (["docs"], "https://docs.clover.com/dev/docs"),
            (["docs", "webhooks"], "https://docs.clover.com/dev/docs/webhooks"),
            (["docs", "reference/get orders"], "https://docs.clover.com/dev/reference/get%20orders"),
        ])
    func open(_ words: [String], _ address: String) async throws {
        try await Sandbox.run { sandbox in
            let signedIn = sandbox.using("sandbox")
            let printed = try await signedIn.clover(["open"] + words)
            expectSuccess(printed)
            #expect(printed.lines == [address])

            let script = try await sandbox.makeScript("browser", "echo \"$1\" >\(sandbox.directory["opened"])")
            let browser = signedIn.with(["BROWSER": script])
            expectSuccess(try await browser.clover(["open", "--print"] + words))
            #expect(!sandbox.directory.files(below: "").contains("opened"))
            expectSuccess(try await browser.clover(["open"] + words))
            let seen = try await sandbox.shell(
                "for i in $(seq 100); do [ -s opened ] && break; sleep 0.1; done; cat opened")
            #expect(seen.lines == [address])
        }
    }

    @Test("--output writes what standard output would have got, in one step; an incomplete run leaves the file")
    func output() async throws {
        try await Sandbox.run(emulator: ["--orders", "30"], weight: 2) { sandbox, _ in
            let file = sandbox.directory["orders.ndjson"]
            for option in [["-o", file], ["--output=\(file)"]] {
                let result = try await sandbox.clover(["get", "orders", "--all"] + option)
                expectSuccess(result)
                #expect(result.output == [])
                let plain = try await sandbox.clover("get", "orders", "--all")
                #expect(try String(contentsOfFile: file, encoding: .utf8) == plain.outputText)
            }
            let before = try String(contentsOfFile: file, encoding: .utf8)
            let failed = try await sandbox.clover("get", "orders", "--all", "--jq", "error(\"x\")", "-o", file)
            #expect(failed.ending == .exited(65), "\(failed)")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
            #expect(sandbox.directory.files(below: "").filter { $0.hasSuffix(".new") } == [])
            // What a killed run left, also one with the number of this process, as in a container, hinders nothing.
            let after = try await sandbox.shell(
                "touch .orders.ndjson.1.new .orders.ndjson.$$.new .orders.ndjson.x.new;"
                    + " exec clover get orders --limit 1 -o orders.ndjson")
            expectSuccess(after)
            #expect(sandbox.directory.files(below: "").filter { $0.hasSuffix(".new") } == ["/.orders.ndjson.x.new"])
            expectFailure(
                try await sandbox.clover("get", "orders", "-o", sandbox.directory["no/such/file"]), status: 73,
                saying: "cannot write")
            #expect(try await sandbox.clover("get", "orders", "--limit", "1", "-o", "-").lines.count == 1)
            expectFailure(
                try await sandbox.clover("get", "orders", "-o", "json"), status: 64,
                saying: "for a format: --format json")
            let misnamed = try await sandbox.clover("get", "orders", "--limit", "1", "-o", "orders.xlsx")
            #expect(misnamed.ending == .exited(0), "\(misnamed)")
            #expect(misnamed.errorText.contains("orders.xlsx has JSON; for xlsx, add --format xlsx"), "\(misnamed)")

            let table = sandbox.directory["endpoints.csv"]
            expectSuccess(try await sandbox.clover("endpoints", "orders", "--format", "csv", "-o", table))
            #expect(try String(contentsOfFile: table, encoding: .utf8).hasPrefix("method,path,"))
        }
    }

    @Test("--log-file and CLOVER_LOG get one line for each run, without arguments and secrets")
    func log() async throws {
        try await Sandbox.run(emulator: ["--orders", "3"], weight: 2) { sandbox, emulator in
            let file = sandbox.directory["runs.log"]
            let filter = ["--filter", "title=Confidential"]
            expectSuccess(try await sandbox.clover(["get", "orders", "--all", "--log-file", file]))
            let logged = sandbox.with(["CLOVER_LOG": file])
            expectSuccess(try await logged.clover(["get", "orders"] + filter))
            _ = try await logged.clover("get", "ordrs")
            _ = try await logged.clover("charge", "list")
            _ = try await logged.clover("export", "orders")
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(!text.contains("Confidential") && !text.contains(emulator.accessToken))
            let lines = try JSONValue.lines(text.split(separator: "\n").map(String.init))
            #expect(lines.map { $0["command"]?.string } == ["get", "get", "get", "charge list", "export run"])
            #expect(lines.map { $0["status"]?.integer } == [0, 0, 64, 0, 0])
            #expect(lines.map { $0["records"]?.integer } == [3, 0, nil, nil, 3])
            #expect(lines[2]["error"]?.string == "unknown_path")
            #expect(lines[2]["requests"]?.integer == 0)
            let requests = try #require(lines[0]["requests"]?.integer)
            #expect(requests > 0 && lines[0]["responses"]?["2xx"]?.integer == requests)
            #expect(
                lines[0].keys == [
                    "bytes", "command", "ending", "error", "pid", "records", "requestIds", "requests", "responses",
                    "seconds", "status", "time", "unanswered", "version",
                ])
            let full = try await sandbox.clover("version", "--log-file", "/dev/full")
            #expect(full.ending == .exited(0) && full.errorText.contains("cannot write the log /dev/full: "), "\(full)")
        }
    }

    @Test("the zone of times is named below a table that shows one; all lists have the merchant's")
    func zones() async throws {
        try await Sandbox.run(emulator: ["--orders", "5", "--now", "clock"], weight: 2) { sandbox, _ in
            func table(_ words: String..., columns: Int) async throws -> String {
                let result = try await sandbox.startOnTerminal(words, columns: columns, rows: 60).result()
                #expect(result.ending == .exited(0), "\(result)")
                return result.terminalText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            }
            let orders = try await table("get", "orders", "--limit", "2", columns: 200)
            #expect(orders.contains("times are in America/"), "\(orders)")
            let items = try await table("get", "items", "--limit", "2", columns: 40)
            #expect(!items.contains("times are in"), "\(items)")
            expectSuccess(try await sandbox.clover("export", "items", "--to", sandbox.directory["out"]))
            let exports = try await table("export", "status", columns: 200)
            #expect(exports.contains("times are in America/"), "\(exports)")
            let status = try await table("export", "status", columns: 40)
            #expect(!status.contains("times are in"), "\(status)")
        }
    }

    @Test("with --period, times are in the zone of its days, unless --zone names another")
    func periodZone() async throws {
        try await Sandbox.run(server: { request, _ in
            request.path.hasSuffix("/properties")
                ? LoopbackResponse(#"{"timezone":"America/New_York","defaultCurrency":"USD"}"#)
                : .page([#"{"id":"A","createdTime":1793494800000}"#])
        }) { sandbox, _ in
            let get = [
                "get", "payments", "--all", "--period", "2026-10-31", "--format", "csv", "--times", "iso", "--fields",
                "createdTime", "--no-header",
            ]
            for (options, time) in [
                ([], "2026-10-31T21:00:00.000-04:00"), (["--zone", "UTC"], "2026-11-01T01:00:00.000Z"),
            ] {
                let result = try await sandbox.clover(get + options)
                #expect(result.outputText.hasPrefix(time), "\(result)")
            }
        }
    }

    @Test("--sort -total is total:desc")
    func sort() async throws {
        try await Sandbox.run(emulator: ["--orders", "20"], weight: 2) { sandbox, _ in
            let short = try await sandbox.clover("get", "orders", "--sort", "-total", "--jq", ".total")
            expectSuccess(short)
            #expect(
                short.outputText
                    == (try await sandbox.clover("get", "orders", "--sort", "total:desc", "--jq", ".total")).outputText)
            expectFailure(
                try await sandbox.clover("get", "orders", "--sort", "-total:desc"), status: 64, saying: "or -total")
        }
    }

    @Test(
        "our own lists take a jq program and a format",
        arguments: [
            (["endpoints", "orders"], ".method", "method,path"), (["schema", "orders"], ".field", "model,field,type"),
            (["schema"], ".model", "model,api,fields"), (["limits"], ".scope", "scope,merchant"),
            (["auth", "list"], ".merchant", "profile,environment"), (["reader", "list"], ".id", "id,name,transport"),
        ])
    func lists(_ words: [String], _ program: String, _ head: String) async throws {
        try await Sandbox.run { sandbox in
            let signedIn = sandbox.using("http://127.0.0.1:9")
            let records = try await signedIn.clover(words)
            expectSuccess(records)
            let filtered = try await signedIn.clover(words + ["--jq", program])
            expectSuccess(filtered)
            #expect(filtered.lines.count == records.lines.count)
            let table = try await signedIn.clover(words + ["--format", "csv"])
            expectSuccess(table)
            #expect(records.lines.isEmpty || table.outputText.hasPrefix(head), "\(table.lines.prefix(1))")
        }
    }
}
