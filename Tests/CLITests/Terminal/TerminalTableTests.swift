import CloverTestSupport
import Foundation
import Testing

@Suite("Tables on a terminal")
struct TerminalTableTests {
    /// Records with everything that is hard to lay out, and a merchant in Chicago who takes dollars.
    static func serve(_ request: LoopbackRequest) -> LoopbackResponse {
        switch request.path.split(separator: "/").last {
        case "properties": LoopbackResponse(#"{"timezone":"America/Chicago","defaultCurrency":"USD"}"#)
        case "orders": LoopbackResponse(body: LoopbackResponse.envelope(orders))
        case "items": LoopbackResponse(body: LoopbackResponse.envelope(items))
        case "payments": LoopbackResponse(body: LoopbackResponse.envelope(payments))
        default: LoopbackResponse(#"{"elements":[]}"#)
        }
    }

    private static let orders = [
        #"{"id":"4F2M8Q0ZC6H1T","createdTime":1795184040000,"state":"locked","paymentState":"PAID","employee":{"id":"E1","name":"Zoë Abernathy"},"title":"漢字 table","total":7421,"lineItems":{"elements":[{"name":"Latte"},{"name":"Bagel"}]}}"#,
        #"{"id":"9XK3T7B2N5PWA","createdTime":1795183860000,"state":"open","paymentState":"OPEN","employee":{"id":"E2ABCDEFGHJKM"},"total":5230}"#,
        #"{"id":"B0UJOU874WBDK","createdTime":1795183800000,"state":"locked","paymentState":"REFUNDED","employee":{"id":"E3","name":"👩‍👩‍👧 e\u0301"},"total":-5,"currency":"EUR"}"#,
    ]
    private static let items = [
        #"{"id":"9FD5N52XUIIN1","name":"A very long name of an item that almost no one finishes","code":"4006381000000","price":355,"hidden":false}"#,
        #"{"id":"DUIHXEQGG5U2G","name":"\u001b[31mred\u001b[0m \#u{202E}gnp.exe\u009b2J\#u{9B}","price":120000}"#,
    ]
    private static let payments = [
        #"{"id":"ONXS2WXD5ODXC","createdTime":1795184040000,"result":"SUCCESS","amount":1290,"tipAmount":177,"employee":{"id":"GJDJ0S1G8YCEM"},"order":{"id":"3U09S2Y5ZM0WF"},"tender":{"id":"T","label":"Credit Card"}}"#,
        #"{"id":"U3P66GQO3TANM","createdTime":1795183860000,"result":"FAIL","amount":1561,"employee":{"id":"UMY5YELTYNBBG"},"order":{"id":"B0UJOU874WBDK"}}"#,
    ]

    @Test("fit any width, and are as recorded", arguments: [40, 80, 200])
    func widths(_ columns: Int) async throws {
        try await Sandbox.run(server: { request, _ in Self.serve(request) }) { sandbox, _ in
            var shown = ""
            for words in [["orders"], ["orders", "--expand", "lineItems"], ["items"], ["payments"]] {
                let session = try sandbox.startOnTerminal(["get"] + words + ["-q"], columns: columns, rows: 50)
                let result = try await session.result()
                #expect(result.ending == .exited(0), "\(result)")
                let screen = session.screen
                #expect(screen.wrappedLines == 0, "\(screen.text)")
                shown += "$ clover get \(words.joined(separator: " "))\n\(screen.text)"
            }
            try Snapshot.check(shown, "terminal-tables-\(columns)")
        }
    }

    @Test("in a pipe have the width in COLUMNS, and no colours", arguments: [40, 80, 200])
    func pipe(_ columns: Int) async throws {
        try await Sandbox.run(server: { request, _ in Self.serve(request) }) { sandbox, _ in
            let session = try sandbox.startOnTerminal(["get", "orders", "-q"], columns: columns, rows: 50)
            _ = try await session.result()
            let piped = try await sandbox.with(["COLUMNS": "\(columns)"]).clover(
                "get", "orders", "-q", "--format", "table")
            expectSuccess(piped)
            #expect(piped.outputText == session.screen.text)
            #expect(session.sent.contains("\u{1B}[") && !piped.outputText.contains("\u{1B}"))
        }
    }

    @Test("are coloured by meaning: IDs faint, good green, open yellow, failed red")
    func colors() async throws {
        try await Sandbox.run(server: { request, _ in Self.serve(request) }) { sandbox, _ in
            let orders = try sandbox.startOnTerminal(["get", "orders"], rows: 50)
            _ = try await orders.result()
            #expect(
                orders.sent.contains("\u{1B}[2m4F2M8Q0ZC6H1T\u{1B}[0m  2026-11-20 08:14  \u{1B}[32mlocked\u{1B}[0m"))
            #expect(orders.sent.contains("\u{1B}[33mopen\u{1B}[0m") && orders.sent.contains("\u{1B}[1mID "))
            let payments = try sandbox.startOnTerminal(["get", "payments"], rows: 50)
            _ = try await payments.result()
            #expect(payments.sent.contains("\u{1B}[31mFAIL\u{1B}[0m"))
        }
    }

    @Test(
        "have no colours where they are unwanted or invisible",
        arguments: [["NO_COLOR": "1"], ["TERM": "dumb"], ["TERM": ""]])
    func noColors(_ variables: [String: String]) async throws {
        try await Sandbox.run(server: { request, _ in Self.serve(request) }) { sandbox, _ in
            let session = try sandbox.with(variables).startOnTerminal(["get", "orders"], rows: 50)
            _ = try await session.result()
            #expect(!session.sent.contains("\u{1B}"), "\(session.sent)")
            #expect(session.sent.contains("4F2M8Q0ZC6H1T"))
        }
    }

    @Test("an empty NO_COLOR counts as none")
    func emptyNoColor() async throws {
        try await Sandbox.run(server: { request, _ in Self.serve(request) }) { sandbox, _ in
            let session = try sandbox.with(["NO_COLOR": ""]).startOnTerminal(["get", "orders"], rows: 50)
            _ = try await session.result()
            #expect(session.sent.contains("\u{1B}[32mlocked"))
        }
    }

    @Test(
        "control characters from the network do not reach the terminal, in any format",
        arguments: [
            [], ["--json"], ["--format", "csv", "--fields", "id,name"], ["--format", "tsv", "--fields", "id,name"],
            ["--format", "json"], ["--jq", ".name", "-r"], ["--jq", ".name"], ["--no-complete"],
        ])
    func controlCharacters(_ options: [String]) async throws {
        try await Sandbox.run(server: { request, _ in Self.serve(request) }) { sandbox, _ in
            let session = try sandbox.with(["NO_COLOR": "1"]).startOnTerminal(["get", "items"] + options, rows: 50)
            let result = try await session.result()
            #expect(result.ending == .exited(0), "\(result)")
            let steering = session.sent.unicodeScalars.filter { scalar in
                scalar.value < 0x20 && scalar != "\n" && scalar != "\r" && scalar != "\t"
                    || (0x7F...0x9F).contains(scalar.value) || scalar == "\u{202E}"
            }
            #expect(steering.isEmpty, "\(session.sent.debugDescription)")
            #expect(session.sent.contains("gnp.exe"), "\(session.sent)")
        }
    }

    @Test(
        "a table is printed even if the merchant's time zone or currency is unknown",
        arguments: [
            (#"{"timezone":"Mars/Olympus","defaultCurrency":"ZZZ"}"#, "7421 ZZZ"),
            (#"{"timezone":"","defaultCurrency":""}"#, " 7421"), ("{}", " 7421"),
        ])
    func unknownFacts(_ properties: String, _ amount: String) async throws {
        try await Sandbox.run(server: { request, _ in
            request.path.hasSuffix("/properties") ? LoopbackResponse(properties) : Self.serve(request)
        }) { sandbox, _ in
            let sandbox = sandbox.with(["TZ": "Asia/Tokyo"])
            let session = try sandbox.startOnTerminal(["get", "orders"], columns: 120, rows: 50)
            let result = try await session.result()
            #expect(result.ending == .exited(0), "\(result)")
            let lines = session.screen.lines
            let first = try #require(lines.first { $0.contains("4F2M8Q0ZC6H1T") })
            #expect(first.contains("2026-11-20 14:14") && first.hasSuffix(amount), "\(lines)")
            // A record's own currency is known.
            #expect(lines.contains { $0.contains("B0UJOU874WBDK") && $0.hasSuffix("-€0.05") }, "\(lines)")
            #expect(session.screen.text.contains("clover: times are in UTC: "), "\(lines)")
            #expect(session.screen.text.contains("are in minor units: "), "\(lines)")
            // What the user names is an error still.
            let named = try await sandbox.clover("get", "orders", "--format", "table", "--zone", "Mars/Olympus")
            expectFailure(named, status: 64, saying: "unknown time zone 'Mars/Olympus'")
        }
    }

    @Test(
        "a table is printed with a notice if the service fails to report the merchant's settings",
        arguments: [500, 418])
    func failedFacts(_ status: Int) async throws {
        try await Sandbox.run(server: { request, _ in
            request.path.hasSuffix("/properties")
                ? LoopbackResponse(status: "\(status) No", "{}") : Self.serve(request)
        }) { sandbox, _ in
            let sandbox = sandbox.with(["CLOVER_RETRY": "1"])
            let session = try sandbox.startOnTerminal(["get", "orders"], columns: 120, rows: 50)
            let result = try await session.result()
            #expect(result.ending == .exited(0), "\(result)")
            let lines = session.screen.lines
            #expect(
                lines.contains { $0.contains("4F2M8Q0ZC6H1T  2026-11-20 14:14") && $0.hasSuffix(" 7421") }, "\(lines)")
            let words =
                status == 500 ? "the service failed with 500 after 1 retry" : "the service responded with 418"
            #expect(
                session.screen.text.contains("clover: cannot read the merchant's settings: \(words)"),
                "\(lines)")
            #expect(session.screen.text.contains("clover: times are in UTC: "), "\(lines)")
            // A request for it by name reports why it is not available.
            let named = try await sandbox.clover("get", "orders", "--format", "table", "--zone", "merchant")
            #expect(named.ending == .exited(status == 500 ? 69 : 64), "\(named)")
            #expect(named.errorText.contains("\(status)"), "\(named)")
        }
    }

    @Test(
        "settings that the service refuses or lacks are reported once, with the reason",
        arguments: [
            ("401 Unauthorized", "{}", "the service refused them with 401"),
            ("403 Forbidden", "{}", "the service refused them with 403"),
            ("404 Not Found", "{}", "the service responded with 404"),
            ("200 OK", "<html></html>", "the response is not a JSON object"),
        ])
    func refusedFacts(_ status: String, _ body: String, _ words: String) async throws {
        try await Sandbox.run(server: { request, _ in
            request.path.hasSuffix("/properties")
                ? LoopbackResponse(status: status, body) : Self.serve(request)
        }) { sandbox, _ in
            let result = try await sandbox.clover("get", "orders", "--format", "table")
            #expect(result.ending == .exited(0), "\(result)")
            let line = "cannot read the merchant's settings: \(words)"
            #expect(result.errorText.split(separator: "\n").count { $0.contains(line) } == 1, "\(result)")
            #expect(result.errorText.contains("times are in UTC: "), "\(result)")
        }
    }

    @Test("a setting of the wrong type does not affect the others")
    func oneWrongFact() async throws {
        try await Sandbox.run(server: { request, _ in
            request.path.hasSuffix("/properties")
                ? LoopbackResponse(#"{"timezone":"America/Chicago","defaultCurrency":840}"#) : Self.serve(request)
        }) { sandbox, _ in
            let result = try await sandbox.clover("get", "orders", "--format", "table")
            #expect(result.ending == .exited(0), "\(result)")
            #expect(!result.errorText.contains("times are in UTC"), "\(result)")
            #expect(!result.errorText.contains("could not be read"), "\(result)")
            #expect(result.errorText.contains("in minor units"), "\(result)")
        }
    }

    @Test("every column with values that does not fit is named")
    func leftOut() async throws {
        try await Sandbox.run(server: { request, _ in Self.serve(request) }) { sandbox, _ in
            let wide = try sandbox.startOnTerminal(["get", "orders"], columns: 200, rows: 50)
            _ = try await wide.result()
            let all = try #require(wide.screen.lines.first { $0.hasPrefix("ID ") }).split(separator: " ").map(
                String.init)
            let session = try sandbox.startOnTerminal(["get", "orders"], columns: 40, rows: 50)
            _ = try await session.result()
            let shown = try #require(session.screen.lines.first { $0.hasPrefix("ID ") })
                .split(separator: " ").map(String.init)
            let text = session.screen.lines.drop { !$0.contains("no room for") }.joined()
            let left = all.filter { !shown.contains($0) }
            #expect(left.count >= 4, "\(wide.screen.lines)")
            for name in left { #expect(text.contains(name.lowercased()), "\(name): \(text)") }
        }
    }

    @Test("in a pipe, the bytes are the service's own")
    func bytes() async throws {
        try await Sandbox.run(server: { request, _ in Self.serve(request) }) { sandbox, _ in
            let name = try await sandbox.clover("get", "items", "--jq", ".name", "-r")
            #expect(name.outputText.contains("\u{1B}[31mred\u{1B}[0m \u{202E}gnp.exe\u{9B}2J\u{9B}"))
        }
    }

    @Test("notices about all records come after them")
    func notices() async throws {
        try await Sandbox.run(server: { request, _ in Self.serve(request) }) { sandbox, _ in
            let session = try sandbox.startOnTerminal(["get", "orders", "--limit", "3"], columns: 40, rows: 50)
            _ = try await session.result()
            let lines = session.screen.text
            let table = try #require(lines.range(of: "B0UJOU874WBDK"))
            let room = try #require(lines.range(of: "clover: no room for state, employee"))
            let more = try #require(lines.range(of: "clover: more orders may exist"))
            #expect(table.lowerBound < room.lowerBound && room.lowerBound < more.lowerBound, "\(lines)")
        }
    }

    /// Commands with tables and texts of their own, in the words of a shell. Long ones are looked at for their width alone, as
    /// are those with folders, whose names are as long as the machine has them.
    private static let looked = [
        "endpoints", "endpoints orders", "endpoints 'orders/{orderId}/line_items/{lineItemId}/modifications'", "schema",
        "schema order.PayType", "limits", "config list", "config list --explain", "config keys", "export status",
        "charge square errors", "doctor --skip completions", "doctor --offline", "get orders --limit 3",
        "get items --limit 3",
    ]
    private static let recorded = [
        "endpoints tenders", "endpoints 'orders/{orderId}/line_items'", "schema LineItem", "schema PrintState",
        "charge list", "charge show ID", "reader list", "auth list", "auth status",
        "doctor --offline --skip configuration,state,permissions,ledger,jq,curl,bus,driver,credentials,keyring,completions",
    ]

    @Test("the text of every command fits any width, and names below what did not fit")
    func ownTables() async throws {
        try await ChargeFixture.run(weight: 2) { till in
            let driver = "'\(try CommandRunner.builtProgram("clover-emulator"))' reader-driver --pace 0.1"
            let sandbox = till.sandbox.withoutBuses.with([
                "CLOVER_READER_DRIVER": driver, "SHELL": "/bin/bash", "CLOVER_PAGER": "cat",
            ])
            for amount in ["12.50", "1234.00"] { expectSuccess(try await till.charge(amount)) }
            let charge = try #require(try await till.journal().first?["charge"]?.string)
            expectSuccess(try await sandbox.clover("reader", "connect", ReaderWorld.first))
            expectSuccess(try await sandbox.clover("config", "set", "retry", "5", "--quiet"))
            expectSuccess(
                try await sandbox.clover(
                    "export", "items", "--to", sandbox.directory["out"], "--until", "2026-02-02T00:00Z", "--quiet"))
            expectSignedIn(
                try await sandbox.signIn(
                    token: till.emulator.accessToken, merchant: till.emulator.merchantID,
                    environment: till.emulator.url))
            var session = try Session(sandbox)
            try session.hide(till.emulator.merchantID, "MERCHANTABCDE")
            try session.hide("2[0-9]{3}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}(:[0-9]{2})?", "DAY_______ TIME_")
            try session.hide("[0-9A-Z]{13}(?=  ecommerce)", "PAYMENTABCDEF")
            try session.hide("payment: [0-9A-Z]{13}", "payment: PAYMENTABCDEF")
            for line in Self.looked + Self.recorded {
                let words = Self.words(line).map { $0 == "ID" ? charge : $0 }
                for columns in Session.widths {
                    let terminal = try sandbox.startOnTerminal(words, columns: columns, rows: 60)
                    let result = try await terminal.result()
                    #expect(result.ending == .exited(0), "\(line): \(result)")
                    let lines = TerminalScreen(showing: result.output, columns: .max).lines
                    // A message is one line, which the terminal breaks; so is a word that is copied, such as one of a
                    // command, if nothing but a number or a backslash stands beside it.
                    let wide = lines.filter { shown in
                        let words = shown.split(separator: " ")
                        return shown.count > columns && !shown.hasPrefix("clover: ")
                            && !(words.count <= 2 && words.contains { $0.count > columns - 8 })
                    }
                    #expect(wide.isEmpty, "\(columns) columns, \(line): \(wide)")
                    if let note = lines.firstIndex(where: { $0.contains("no room for") }) {
                        #expect(lines[note...].allSatisfy { $0.isEmpty || $0.hasPrefix("clover: ") }, "\(lines)")
                    }
                }
                if Self.recorded.contains(line) { try await session.terminals(words) }
            }
            try Snapshot.check(session.text, "own-tables")
        }
    }

    /// The words of a line, with quotes around one that has none inside.
    private static func words(_ line: String) -> [String] {
        line.split(separator: " ").map { String($0).replacing("'", with: "") }
    }
}
