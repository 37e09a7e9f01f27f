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
            (["docs", "/v3/merchants/M1/orders"], "https://docs.clover.com/dev/reference/ordergetorders"),
            (["docs", "/v3/merchants/{mId}/items"], "https://docs.clover.com/dev/reference/inventorygetitems"),
            (
                ["docs", "v3/merchants/M1/orders/O1/payments"],
                "https://docs.clover.com/dev/reference/paygetorderpayments"
            ),
            (["docs", "/v3/merchants/M1/order_types"], "https://docs.clover.com/dev/reference/merchantgetordertypes"),
            (["docs", "/v3/merchants/M1/refunds/R1"], "https://docs.clover.com/dev/reference/paygetrefund-3"),
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
            let partly = try await sandbox.clover(
                "get", "orders", "--all", "-o", file, "--jq", "if .total > 1000 then error(\"x\") else .id end")
            #expect(partly.ending == .exited(65), "\(partly)")
            #expect(partly.errorText.contains("'\(file)' was not written"), "\(partly)")
            #expect(partly.errorText.contains("which are missing in the output"), "\(partly)")
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
            let full = try await sandbox.clover("get", "orders", "--limit", "2", "-o", "/dev/full")
            expectFailure(full, status: 74, saying: "cannot write /dev/full: No space left")
            #expect(!full.errorText.contains("standard output"), "\(full)")
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

    @Test("--output of commands with their own output; a verdict on what was written leaves it in the file")
    func ownOutput() async throws {
        try await Sandbox.run(emulator: ["--orders", "3"], weight: 2) { sandbox, _ in
            let file = sandbox.directory["file"]
            func written(_ words: String..., status: Int32 = 0) async throws -> String {
                let result = try await sandbox.clover(words + ["-o", file])
                #expect(result.ending == .exited(status) && result.output == [], "\(result)")
                return try String(contentsOfFile: file, encoding: .utf8)
            }
            #expect(try await written("auth", "status").contains("\"loggedIn\":true"))
            #expect(
                try await written("config", "list", "--explain").contains("\"key\":\"zone\",\"value\":\"merchant\""))
            #expect(try await written("doctor", "--offline", "--skip", "bluetooth").contains("\"result\""))
            expectSuccess(try await sandbox.clover("export", "items", "--to", "out", "-q"))
            let name = try #require(sandbox.directory.files(below: "out").first { $0.contains("items") })
            try FileManager.default.removeItem(atPath: sandbox.directory[name])
            #expect(try await written("export", "verify", "out", status: 79).contains("missing"))
            expectFailure(
                try await sandbox.clover("follow", "orders", "-o", file), status: 64, saying: ">>FILE")
            expectFailure(
                try await sandbox.clover("post", "items", "-f", "name=x", "-o", file), status: 64, saying: ">FILE")
        }
    }

    @Test("a value that the catalogue does not know is sent with a notice")
    func unlistedValue() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            let result = try await sandbox.clover("get", "payments", "--filter", "result=REVERSED")
            #expect(result.ending == .exited(0), "\(result)")
            #expect(
                result.errorText.contains("unknown value 'REVERSED' of result (known: SUCCESS"),
                "\(result)")
            #expect(server.requests.contains { $0.query.contains { $0.contains("REVERSED") } })
            // A text that holds anything, with values that are usual.
            let state = try await sandbox.clover("get", "orders", "--filter", "state=lockd")
            #expect(state.ending == .exited(0), "\(state)")
            #expect(
                state.errorText.contains(
                    "'lockd' of state (known: open, locked, paid); maybe no record has it; did you mean locked?"),
                "\(state)")
            let known = try await sandbox.clover("get", "orders", "--filter", "state in (open,LOCKED,Paid)", "--all")
            #expect(!known.errorText.contains("unknown value"), "\(known)")
        }
    }

    @Test("an empty word in the place of a command is named as what it is")
    func emptyWord() async throws {
        try await Sandbox.run { sandbox in
            for (words, message) in [
                ([""], "the command is an empty word"), (["auth", ""], "the command after 'auth' is an empty word"),
            ] {
                expectFailure(try await sandbox.clover(words), status: 64, saying: message, "commands: ")
            }
        }
    }

    @Test("an error of a run with --output says what became of the file, and not what is in an output that is lost")
    func lostOutput() async throws {
        let records = (0..<4).map {
            #"{"id":"P\#($0)","createdTime":\#(1_770_000_000_000 + Int64($0) * 8_640_000_000)}"#
        }
        let lines = (0..<100).map { #"{"id":"L\#($0)"}"# }.joined(separator: ",")
        try await Sandbox.run(server: { request, _ in
            if request.path.hasSuffix("/line_items") { return LoopbackResponse(status: "500 Error", "") }
            if request.path.hasSuffix("/orders") {
                let order = #"{"id":"O","lineItems":{"elements":[\#(lines)]}}"#
                return LoopbackResponse(body: ServedList(records: [order]).body(for: request))
            }
            return LoopbackResponse(body: ServedList(records: records).body(for: request))
        }) { sandbox, _ in
            let file = try sandbox.directory.write("old", "old\n".utf8)
            let runs = [
                ["payments", "--filter", "createdTime>=1769000000000"],
                ["orders", "--expand", "lineItems", "--no-retry"],
                ["items", "--filter", "cost>3"],
            ]
            for words in runs {
                let get = ["get"] + words + ["--all"]
                expectFailure(try await sandbox.clover(get), status: 79, saying: "output", output: nil)
                let lost = try await sandbox.clover(get + ["-o", file])
                expectFailure(lost, status: 79, saying: "'\(file)' was not written", ">FILE in place of --output")
                #expect(!lost.errorText.contains("in the output"), "\(lost)")
                let json = try await sandbox.clover(get + ["-o", file, "--json"])
                #expect(json.status == 79 && json.errorText.contains("was not written"), "\(json)")
                #expect(!json.errorText.contains("in the output"), "\(json)")
                // What is no file that could be replaced has got the output.
                let device = try await sandbox.clover(get + ["-o", "/dev/null"])
                #expect(device.errorText.contains("output") && !device.errorText.contains("not written"), "\(device)")
            }
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "old\n")
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
                : .page([#"{"id":"A","createdTime":1793484000000}"#])
        }) { sandbox, _ in
            let get = [
                "get", "payments", "--all", "--period", "2026-10-31", "--format", "csv", "--times", "iso", "--fields",
                "createdTime", "--no-header",
            ]
            for (options, time) in [
                ([], "2026-10-31T18:00:00.000-04:00"), (["--zone", "UTC"], "2026-10-31T22:00:00.000Z"),
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
