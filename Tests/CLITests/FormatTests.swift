import CloverTestSupport
import Testing

@Suite("get: formats and columns")
struct FormatTests {
    private static let orders = [
        #"{"id":"ORDERA0000001","total":100,"state":"open","createdTime":1700000000000}"#,
        #"{"id":"ORDERB0000001","total":200,"state":null,"createdTime":1700000000000}"#,
    ]

    /// Runs `clover get` on a list of these records.
    private func get(
        _ records: [String], _ arguments: [String], variables: [String: String] = [:]
    ) async throws -> CommandResult {
        let list = ServedList(records: records)
        return try await Sandbox.run(server: { request, _ in list.answer(to: request) }) { sandbox, _ in
            try await sandbox.with(variables).clover(["get"] + arguments)
        }
    }

    struct Absence: Sendable, CustomTestStringConvertible {
        let fields: String
        var more: [String] = []
        let says: String
        var testDescription: String { fields }
    }

    @Test(
        "a chosen field that no record has is named at the end",
        arguments: [
            Absence(
                fields: "id,totl", more: ["--no-check"],
                says: "no record has 'totl'; did you mean total?   (all: clover schema orders)"),
            Absence(
                fields: "id,lineItems.elements.length",
                says: "no record has 'lineItems.elements.length': to get it, add --expand lineItems"),
            Absence(fields: "id,employee.name", says: "no record has 'employee.name': to get it, add --names"),
            Absence(
                fields: "id,employee.nickname",
                says: "no record has 'employee.nickname': to get it, add --expand employee"),
            Absence(
                fields: "id,lineItems.elements.0.prce", more: ["--expand", "lineItems", "--no-check"],
                says: "no record has 'lineItems.elements.0.prce'; did you mean lineItems.elements.0.price?   "
                    + "(all: clover schema order.LineItem)"),
            Absence(fields: "note,id,title", says: "no record has 'note', 'title'"),
            Absence(fields: "id,employee.id", says: "no record has 'employee.id'"),
        ])
    func absent(_ absence: Absence) async throws {
        for format in ["ndjson", "json", "csv", "tsv", "table"] {
            let result = try await get(
                Self.orders, ["orders", "--format", format, "--fields", absence.fields] + absence.more)
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.errorText == "clover: \(absence.says)\n")
        }
    }

    @Test("a field that a record has, null or not, is no news, and neither is anything when there are no records")
    func present() async throws {
        expectSuccess(try await get(Self.orders, ["orders", "--fields", "id,state,total"]))
        expectSuccess(try await get([#"{"id":"A","note":null}"#], ["orders", "--fields", "id,note"]))
        expectSuccess(try await get(["{\"id\":\"A\"}", "{\"note\":1}"], ["orders", "--fields", "note,id"]))
        expectSuccess(try await get([], ["orders", "--fields", "id,totl", "--no-check"]))
        expectSuccess(try await get(Self.orders, ["orders", "--fields", "totl", "--no-check", "--quiet"]))
    }

    @Test("a field that the records' model does not have is refused before anything is sent")
    func mistyped() async throws {
        try await Sandbox.run(server: { _, _ in .page(Self.orders) }) { sandbox, server in
            for (arguments, words) in [
                (
                    ["get", "orders", "--fields", "id,totl"],
                    "records of orders have no field 'totl'\n  did you mean: total"
                ),
                (["get", "orders", "--fields", "employee.nme"], "did you mean: employee.name"),
                (["get", "orders", "--fields", "total.x"], "no field 'total.x'\n  did you mean: total"),
                (["follow", "orders", "--fields", "chnge"], "no field 'chnge'\n  did you mean: change"),
                (["follow", "orders", "--fields", "record.totl"], "did you mean: record.total"),
                (["follow", "orders", "--fields", "sequence.x"], "did you mean: sequence"),
                (
                    ["get", "orders", "--format", "csv", "--fields", "xyzzy"],
                    "no field 'xyzzy'\n  for all fields: clover schema orders"
                ),
                (["post", "items", "-f", "name=Tea", "--fields", "id,nme"], "did you mean: name"),
                (
                    ["charge", "list", "--fields", "charge,stauts"],
                    "these records have no field 'stauts'\n  did you mean: status"
                ),
            ] {
                expectFailure(try await sandbox.clover(arguments), status: 64, saying: words)
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test("a path through a list says which entry, or is refused before anything is sent")
    func throughList() async throws {
        try await Sandbox.run(server: { _, _ in .page([#"{"lineItems":{"elements":[{"name":"Tea"}]}}"#]) }) {
            sandbox, server in
            for fields in ["lineItems.elements.name", "lineItems.name"] {
                let result = try await sandbox.clover(
                    "get", "orders", "--expand", "lineItems", "--fields", "id,\(fields)")
                expectFailure(
                    result, status: 64, saying: "'\(fields)' does not say which entry of lineItems.elements is meant",
                    "lineItems.elements.0.name", "lineItems.elements.length", "--jq '[.lineItems.elements[].name]'")
            }
            #expect(server.requests.isEmpty)
            let right = try await sandbox.clover(
                "get", "orders", "--expand", "lineItems", "--fields",
                "lineItems.elements.0.name,lineItems.elements.length")
            expectSuccess(right)
            #expect(
                right.outputText == #"{"lineItems.elements.0.name":"Tea","lineItems.elements.length":1}"# + "\n")
            let unchecked = try await sandbox.clover(
                "get", "orders", "--no-check", "--fields", "lineItems.elements.name")
            #expect(unchecked.ending == .exited(0), "\(unchecked)")
            #expect(unchecked.errorText.hasPrefix("clover: no record has 'lineItems.elements.name'"))
        }
    }

    @Test("members that the columns of the model leave out are named at the end", arguments: ["csv", "tsv", "table"])
    func others(_ format: String) async throws {
        let items = [
            #"{"id":"A","name":"Tea","brandNew":1}"#, #"{"id":"B","name":"Milk","brandNew":2,"newer":{"x":[1]}}"#,
        ]
        let result = try await get(items, ["items", "--format", format])
        #expect(result.ending == .exited(0), "\(result)")
        let rest = format == "table" ? "" : ", and --format ndjson keeps everything"
        #expect(
            result.errorText
                == "clover: the fields brandNew, newer (items) have no column; --fields chooses columns\(rest)\n"
        )
        expectSuccess(try await get(items, ["items", "--format", format, "--fields", "id"]))
        expectSuccess(try await get(items, ["items", "--format", format, "--quiet"]))
        expectSuccess(try await get(items, ["items", "--format", "ndjson"]))
    }

    @Test("no more than ten members are named, and those that were asked for are among them")
    func manyOthers() async throws {
        let members = (1...12).map { "\"new\($0)\":1" }.joined(separator: ",")
        let result = try await get(["{\"id\":\"A\",\(members)}"], ["items", "--format", "csv"])
        #expect(result.errorText.contains("new9, new10, ... (items)"), "\(result)")
        let expanded = try await get(
            [#"{"id":"A","lineItems":{"elements":[]}}"#], ["orders", "--format", "csv", "--expand", "lineItems"])
        #expect(expanded.errorText.contains("the field lineItems (orders) has no column"), "\(expanded)")
    }

    @Test("a value of a kind that the catalogue does not know has its column")
    func unknownKind() async throws {
        let result = try await get(
            [#"{"reason":"comped","deleteType":"NORMAL"}"#], ["voided_line_items", "--format", "csv"])
        expectSuccess(result)
        let lines = result.outputText.components(by: "\r\n").map { $0.components(by: ",") }
        #expect(lines[1][try #require(lines[0].firstIndex(of: "reason"))] == "comped")
        #expect(lines[1][try #require(lines[0].firstIndex(of: "deleteType"))] == "NORMAL")
    }

    struct Moment: Sendable, CustomTestStringConvertible {
        let path: String
        let field: String
        var testDescription: String { "\(field) of \(path)" }
    }

    @Test(
        "times that the catalogue draws as plain numbers are times",
        arguments: [Moment(path: "customers", field: "customerSince"), Moment(path: "orders", field: "createdTime")])
    func times(_ moment: Moment) async throws {
        let record = #"{"id":"A","\#(moment.field)":1760337051686}"#
        let result = try await get([record], [moment.path, "--fields", moment.field, "--times", "iso"])
        expectSuccess(result)
        #expect(result.outputText == #"{"\#(moment.field)":"2025-10-13T06:30:51.686Z"}"# + "\n")
    }

    struct Habit: Sendable, CustomTestStringConvertible {
        let format: String
        let arguments: [String]
        let output: String
        var testDescription: String { "CLOVER_FORMAT=\(format) " + arguments.joined(separator: " ") }
    }

    @Test(
        "a flag beats the format of the environment",
        arguments: [
            Habit(format: "table", arguments: ["--json", "--fields", "id"], output: "{\"id\":\"A\"}\n"),
            Habit(format: "csv", arguments: ["--json"], output: "{\"id\":\"A\"}\n"),
            Habit(format: "csv", arguments: ["--slurp"], output: "[{\"id\":\"A\"}]\n"),
            Habit(format: "csv", arguments: ["--jq", ".id"], output: "\"A\"\n"),
            Habit(format: "csv", arguments: ["--format", "tsv", "--fields", "id"], output: "id\nA\n"),
            Habit(format: "csv", arguments: ["--fields", "id"], output: "id\r\nA\r\n"),
        ])
    func habit(_ habit: Habit) async throws {
        let result = try await get(
            [#"{"id":"A"}"#], ["orders"] + habit.arguments, variables: ["CLOVER_FORMAT": habit.format])
        expectSuccess(result)
        #expect(result.outputText == habit.output)
    }

    @Test("text comes as it is, whatever format the environment has", arguments: ["csv", "table", "ndjson"])
    func textHabit(_ format: String) async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse("id,name\nA,Zoe\n") }) { sandbox, _ in
            let result = try await sandbox.with(["CLOVER_FORMAT": format]).clover("get", "customers.csv")
            expectSuccess(result)
            #expect(result.outputText == "id,name\nA,Zoe\n")
        }
    }

    @Test(
        "an option for records is refused by name where text comes, before anything is sent",
        arguments: [
            ["--json"], ["--format", "json"], ["--exit-status"], ["--raw-output"], ["--jq", "."], ["--slurp"],
            ["--fields", "id"], ["--csv-safe"], ["--no-header"], ["--validate"], ["--sort", "id"],
        ])
    func textOptions(_ options: [String]) async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse("id,name\n") }) { sandbox, server in
            let result = try await sandbox.clover(["get", "customers.csv"] + options)
            #expect(result.ending == .exited(64), "\(result)")
            #expect(result.errorText.contains(options[0] == "--sort" ? "sort" : options[0]), "\(result)")
            #expect(server.requests.isEmpty)
        }
    }

    @Test("one is no plural, and no retry is not mentioned")
    func counts() async throws {
        let result = try await get([#"{"id":"A"}"#], ["orders", "--verbose", "--limit", "1"])
        #expect(result.errorText.contains("clover: 1 record, 1 request\n"), "\(result)")
        for (status, words) in [
            ("503 Unavailable", "the service failed with 503: "), ("429 Slow", "service limits requests: "),
        ] {
            try await Sandbox.run(server: { _, _ in LoopbackResponse(status: status, "{}") }) { sandbox, _ in
                let failed = try await sandbox.clover("get", "orders", "--retry", "0")
                #expect(failed.errorText.contains(words), "\(failed)")
            }
        }
    }

    struct Conflict: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let says: [String]
        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(
        "conflicts name what was given",
        arguments: [
            Conflict(arguments: ["--format", "csv", "-r"], says: ["--format csv and --raw-output exclude each other"]),
            Conflict(arguments: ["--fields", "id", "-e"], says: ["--fields and --exit-status exclude each other"]),
            Conflict(arguments: ["--csv-safe"], says: ["--csv-safe is for csv only", "--format csv"]),
            Conflict(arguments: ["--no-header"], says: ["--no-header is for csv, tsv, table only", "--format tsv"]),
        ])
    func conflicts(_ conflict: Conflict) async throws {
        let result = try await get(Self.orders, ["orders"] + conflict.arguments)
        expectFailure(result, status: 64)
        for part in conflict.says { #expect(result.errorText.contains(part), "\(result)") }
    }
}

extension String {
    fileprivate func components(by separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
