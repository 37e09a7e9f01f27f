import CloverTestSupport
import Glibc
import Testing

@Suite("get: sensitive fields are masked")
struct MaskingTests {
    static let records = [
        #"{"id":"E1","name":"A","pin":"PIN-1111","role":"ADMIN"}"#, #"{"id":"E2","name":"B","role":"EMPLOYEE"}"#,
        #"{"id":"E3","name":"C","pi\u006e":"PIN-3333","unhashedPin":"PIN-4444"}"#,
    ]
    static let shown = records.map { $0 + "\n" }.joined()
    static let masked = shown.replacing("PIN-1111", with: "[masked]").replacing("PIN-3333", with: "[masked]")
        .replacing("PIN-4444", with: "[masked]")
    static let note =
        "clover: masked in 2 records: employees.Employee.pin, employees.Employee.unhashedPin; "
        + "--show-sensitive shows them\n"

    private func run(_ body: (Sandbox) async throws -> Void) async throws {
        try await Sandbox.run(server: { request, _ in ServedList(records: Self.records).answer(to: request) }) {
            sandbox, _ in try await body(sandbox)
        }
    }

    @Test("in a pipe, with one line on stderr that names them; --show-sensitive and the variable show them")
    func pipe() async throws {
        try await run { sandbox in
            let result = try await sandbox.clover("get", "employees")
            #expect(result.ending == .exited(0))
            #expect(result.outputText == Self.masked)
            #expect(result.errorText == Self.note)
            let quiet = try await sandbox.clover("get", "employees", "-q")
            #expect(quiet.outputText == Self.masked)
            #expect(quiet.errorText == "")
            for shown in [
                try await sandbox.clover("get", "employees", "--show-sensitive"),
                try await sandbox.with(["CLOVER_SHOW_SENSITIVE": "1"]).clover("get", "employees"),
            ] {
                expectSuccess(shown)
                #expect(shown.outputText == Self.shown)
            }
            expectSuccess(try await sandbox.clover("get", "employees", "--show-sensitive", "-o", "out.json"))
            var facts = stat()
            #expect(stat(sandbox.directory["out.json"], &facts) == 0 && facts.st_mode & 0o777 == 0o600)
            let unclear = try await sandbox.with(["CLOVER_SHOW_SENSITIVE": "0"]).clover("get", "employees", "-q")
            #expect(unclear.outputText == Self.masked)
        }
    }

    struct Form: Sendable, CustomTestStringConvertible {
        let options: [String]
        var testDescription: String { options.joined(separator: " ") }
    }

    static let forms = [
        ["--jq", "."], ["--jq", ".pin, .unhashedPin"], ["--jq", "tostring|@base64", "-r"], ["--jq", "explode?, ."],
        ["--slurp", "--jq", "."], ["--format", "csv", "--fields", "id,pin,unhashedPin"], ["--format", "json"],
        ["--format", "table", "--fields", "id,pin"], ["--format", "tsv", "--fields", "pin"], ["--no-complete"],
        ["--all"], ["--validate"], ["--receipt", "receipt.json"],
    ].map(Form.init)

    @Test("no filter or format sees them", arguments: forms)
    func everyForm(_ form: Form) async throws {
        try await run { sandbox in
            let result = try await sandbox.clover(["get", "employees"] + form.options)
            #expect(result.ending == .exited(0), "\(result)")
            #expect(!result.output.isEmpty)
            let decoded = try await sandbox.shell("base64 -d 2>/dev/null <<<'\(result.outputText)' || true").outputText
            for text in [result.outputText, result.errorText, decoded] {
                #expect(!text.contains("PIN-"), "\(result)")
            }
        }
    }

    @Test("a filter sees the mask, and the receipt covers what was written")
    func receipt() async throws {
        try await run { sandbox in
            let pins = try await sandbox.clover("get", "employees", "-r", "--jq", ".pin")
            #expect(pins.outputText == "[masked]\nnull\n[masked]\n")
            let result = try await sandbox.clover("get", "employees", "-q", "--receipt", "-")
            let receipt = try JSONValue(result.errorText)
            #expect(receipt["bytes"]?.integer == result.output.count)
            let sum = try await sandbox.shell("clover get employees -q | sha256sum")
            #expect(receipt["sha256"]?.string == sum.outputText.split(separator: " ").first.map(String.init))
        }
    }

    @Test("on a terminal, too; as JSON, the line on stderr is an object")
    func terminalAndJSON() async throws {
        try await run { sandbox in
            let line = "script --quiet --return --command 'clover get employees --fields id,pin' /dev/null </dev/null"
            let terminal = try await sandbox.shell(line)
            #expect(terminal.outputText.contains("[masked]") && !terminal.outputText.contains("PIN-"), "\(terminal)")
            let json = try await sandbox.clover("get", "employees", "--json")
            let note = try JSONValue(json.errorText)["masked"]
            #expect(note?["records"]?.integer == 2)
            #expect(note?["fields"]?.elements?.count == 2)
        }
    }

    @Test("one object, an expanded object, and a path that the catalogue does not know")
    func places() async throws {
        let properties = #"{"locale":"en","abaAccountNumber":"PIN-9","ddaAccountNumber":""}"#
        try await Sandbox.run(server: { request, _ in
            request.path.hasSuffix("/properties")
                ? LoopbackResponse(properties)
                : request.path.hasPrefix("/v2/")
                    ? LoopbackResponse(#"{"any":[{"token":"PIN-8"}]}"#)
                    : ServedList(records: [#"{"id":"O","employee":{"id":"E","pin":"PIN-7"}}"#]).answer(to: request)
        }) { sandbox, _ in
            let object = try await sandbox.clover("get", "properties")
            #expect(object.outputText == properties.replacing("PIN-9", with: "[masked]") + "\n")
            #expect(object.errorText.contains("merchant.MerchantProperties.abaAccountNumber"))
            let expanded = try await sandbox.clover("get", "orders", "--expand", "employee")
            #expect(expanded.outputText == #"{"id":"O","employee":{"id":"E","pin":"[masked]"}}"# + "\n")
            let custom = try await sandbox.clover("get", "/v2/merchant/x", "--no-check")
            #expect(custom.outputText == #"{"any":[{"token":"[masked]"}]}"# + "\n")
        }
    }

    @Test("sensitive names in any spelling are masked, ordinary ones are not; a number becomes a fixed string")
    func spellings() async throws {
        let shown =
            #"{"id":"C","accessToken":"S1","access_token":"S2","password":"S3","PIN":"S4","Pin":5555,"routingNumber":"S6","#
            + #""routing_number":"S7","cvv":"S8","apiKey":"S9","pinned":true,"accountId":"A","last4":"4242","tokenType":"M"}"#
        let masked = shown.replacing(/"S\d"|5555/, with: "\"[masked]\"")
        try await Sandbox.run(server: { request, _ in ServedList(records: [shown]).answer(to: request) }) {
            sandbox, _ in
            for options in [[], ["--jq", "."], ["--no-complete", "--jq", ".elements[]"]] {
                let result = try await sandbox.clover(["get", "customers"] + options)
                #expect(result.outputText == masked + "\n")
                for name in ["accessToken", "PIN", "Pin", "routing_number", "apiKey", "--show-sensitive shows them"] {
                    #expect(result.errorText.contains(name), "\(result)")
                }
            }
            let debug = try await sandbox.clover("get", "customers", "--debug", "body")
            for secret in ["S1", "S2", "S3", "S4", "5555", "S6", "S7", "S8", "S9"] {
                #expect(!debug.errorText.contains(secret), "\(debug)")
            }
            #expect(debug.errorText.contains(#""pinned":true,"accountId":"A","last4":"4242","tokenType":"M""#))
            let all = try await sandbox.clover("get", "customers", "--show-sensitive")
            expectSuccess(all)
            #expect(all.outputText == shown + "\n")
        }
    }

    @Test("the run's own token is never printed under any name, even with --show-sensitive")
    func ownToken() async throws {
        let secret = "app-secret-0123456789"
        let record = #"{"id":"E","note":"Bearer \#(Sandbox.token)!","\#(Sandbox.token)":1,"x":"\#(secret)"}"#
        let masked = #"{"id":"E","note":"Bearer [masked]!","[masked]":1,"x":"[masked]"}"#
        try await Sandbox.run(server: { request, _ in
            request.path.hasSuffix(".csv")
                ? LoopbackResponse(headers: ["Content-Type: text/csv"], body: "id,x\n1,\(Sandbox.token)\n".utf8)
                : request.method == "POST"
                    ? LoopbackResponse(record) : ServedList(records: [record]).answer(to: request)
        }) { given, _ in
            let sandbox = given.with(["CLOVER_APP_SECRET": secret])
            for options in [[], ["--show-sensitive"], ["--format", "csv"], ["-q", "--no-complete"]] {
                let result = try await sandbox.clover(["get", "customers"] + options)
                #expect(result.ending == .exited(0), "\(result)")
                expectNoSecret(result)
                #expect(!result.outputText.contains(secret), "\(result)")
                #expect(options.contains("csv") || result.outputText.contains(masked), "\(result)")
                let note = "clover: masked in 1 record: a secret of this run\n"
                #expect(options.contains("-q") ? result.errorText == "" : result.errorText.hasSuffix(note), "\(result)")
            }
            let answer = try await sandbox.clover("post", "customers", "--raw-field", "firstName=x")
            #expect(answer.outputText == masked + "\n")
            let text = try await sandbox.clover("get", "customers.csv")
            #expect(text.outputText == "id,x\n1,[masked]\n", "\(text)")
            expectNoSecret(text)
        }
    }

    @Test("CLOVER_SHOW_SENSITIVE that is neither yes nor no is refused before anything is sent")
    func unclearVariable() async throws {
        try await Sandbox.run(server: { _, _ in .page(Self.records) }) { sandbox, server in
            for word in ["2", "never"] {
                let unclear = sandbox.with(["CLOVER_SHOW_SENSITIVE": word])
                expectFailure(
                    try await unclear.clover("get", "employees"), status: 64, saying: "CLOVER_SHOW_SENSITIVE",
                    "'\(word)'", "true or false")
                expectFailure(
                    try await unclear.clover("post", "employees"), status: 64, saying: "CLOVER_SHOW_SENSITIVE")
            }
            #expect(server.requests.isEmpty)
            for word in ["no", "FALSE", "off", "0", ""] {
                let result = try await sandbox.with(["CLOVER_SHOW_SENSITIVE": word]).clover("get", "employees", "-q")
                #expect(result.outputText == Self.masked, "\(word)")
            }
        }
    }

    @Test("responses of writes are masked too, line by line with --each")
    func writes() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(Self.records[0]) }) { sandbox, _ in
            let arguments = ["post", "employees", "E1", "--raw-field", "pin=PIN-1111"]
            let result = try await sandbox.clover(arguments)
            #expect(result.outputText == Self.records[0].replacing("PIN-1111", with: "[masked]") + "\n")
            #expect(
                result.errorText
                    == "clover: masked in 1 record: employees.Employee.pin; --show-sensitive shows them\n")
            let shown = try await sandbox.clover(arguments + ["--show-sensitive"])
            expectSuccess(shown)
            #expect(shown.outputText == Self.records[0] + "\n")
            let lines = try await sandbox.shell(
                "printf '{\"id\":\"E1\"}\\n{\"id\":\"E1\"}\\n' | clover post 'employees/{id}' --each")
            #expect(lines.lines.count == 2)
            #expect(lines.lines.allSatisfy { $0.contains("[masked]") && !$0.contains("PIN-") }, "\(lines)")
            #expect(lines.errorText.contains("masked in 2 records"))
        }
    }

    @Test("a response to a write that is not JSON is not printed, and leaves the outcome unknown")
    func unreadableAnswer() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"E1","bad":nul,"pin":"PIN-1"}"#) }) {
            sandbox, _ in
            let result = try await sandbox.clover("post", "employees", "E1", "--field", "name=x")
            expectFailure(
                result, status: 76, saying: "the POST may have been carried out", "not JSON at byte 17")
            #expect(!result.errorText.contains("PIN-1"))
        }
    }

    @Test("an unreadable record is not printed, and the run ends with 76")
    func unreadable() async throws {
        let records = [#"{"id":"E1","pin":"PIN-1"}"#, #"{"id":"E2","bad":nul,"pin":"PIN-2"}"#]
        try await Sandbox.run(server: { request, _ in ServedList(records: records).answer(to: request) }) {
            sandbox, _ in
            let result = try await sandbox.clover("get", "employees", "-q")
            expectFailure(
                result, status: 76, saying: "is not JSON at byte 56", output: nil)
            #expect(!result.outputText.contains("PIN-2"))
            #expect(!result.errorText.contains("PIN-"))
        }
    }
}
