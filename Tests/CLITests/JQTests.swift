import CloverTestSupport
import Testing

@Suite("get: jq in the process")
struct JQTests {
    struct Program: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        var testDescription: String { arguments.joined(separator: " ") }
    }

    /// The programs' own differential test has many more; these go through the whole command, options and all.
    static let programs = [
        [".id"], ["-r", ".id"], ["-j", ".id"], ["-c", "{id,total}"], ["select(.total > 2500)"],
        ["[.lineItems.elements[]?.price] | add"], [".lineItems.elements[]? | {name, price}"], ["empty"],
        [".id, .total, .currency"], ["-r", #"[.id, .total, (.lineItems.elements|length)] | @csv"#],
        ["-r", "[.id, .state] | @tsv"], ["-r", "@base64"], ["-r", ".createdTime / 1000 | todate"],
        [#".lineItems.elements[]?.name | test("é|ü|"; "i")"#], ["-r", #".id | ascii_downcase | sub("[0-9]+"; "_")"#],
        ["[limit(2; .lineItems.elements[]?.id)]"], [".nothing.here"], ["try error(\"x\") catch ."],
        ["to_entries | map(.key) | sort"], ["--arg", "minimum", "2000", ".total >= ($minimum | tonumber)"],
        ["--argjson", "want", #"{"a":[1,2]}"#, "{id, want: $want.a[1]}"],
        ["--arg", "a", "b=c", "--arg", "d", "", "[$a, $d]"],
        ["--argjson", "x", "3", "$ARGS.named"], ["$__loc__"],
        ["--slurp", "group_by(.state) | map({state: .[0].state, n: length})"],
        ["--slurp", "map(.total) | add / length"], ["--slurp", "length"], ["[., input] | map(.id)"],
        ["[.id, ([inputs] | length)]"],
        ["-r", "input_line_number"], ["-r", ".lineItems.elements[0].name // \"none\" | @uri, @html, @sh, @json"],
    ].map(Program.init)

    @Test("results are those of the jq program on the same records")
    func sameAsJQ() async throws {
        try await Sandbox.run(emulator: ["--orders", "40", "--seed", "3"], weight: 2) { sandbox, _ in
            let records = try await sandbox.clover("get", "orders", "--expand", "lineItems")
            expectSuccess(records)
            for program in Self.programs {
                let filter = try #require(program.arguments.last)
                let options = Array(program.arguments.dropLast())
                let expected = try await sandbox.jq(["-c"] + options + [filter], records.output)
                let result = try await sandbox.clover(
                    ["get", "orders", "--expand", "lineItems"] + options + ["--jq", filter])
                expectSuccess(result)
                #expect(result.outputText == expected, "\(program)")
            }
        }
    }

    @Test("the definitions of ~/.jq count, also in a program that would do without the interpreter")
    func homeLibrary() async throws {
        try await withThreeOrders { sandbox, _ in
            let identifiers = (0..<3).map { Record.identifier($0) }
            let plain = try await sandbox.clover("get", "orders", "--jq", ".id | length")
            #expect(plain.lines == identifiers.map { "\($0.utf8.count)" })
            _ = try sandbox.directory.write("home/.jq", "def length: \"mine\";\n".utf8)
            let own = try await sandbox.clover("get", "orders", "--jq", ".id | length")
            expectSuccess(own)
            #expect(own.lines == identifiers.map { _ in #""mine""# })
            _ = try sandbox.directory.write("home/.jq", "def length:\n".utf8)
            let broken = try await sandbox.clover("get", "orders", "--jq", ".id")
            expectFailure(broken, status: 65, saying: "compile error")
        }
    }

    @Test("--from-file reads the program, with comments and line breaks")
    func fromFile() async throws {
        try await withThreeOrders { sandbox, _ in
            let path = try sandbox.directory.write("program.jq", "# the id\n.id as $id\n| {id: $id}\n".utf8)
            let result = try await sandbox.clover("get", "orders", "--from-file", path)
            expectSuccess(result)
            #expect(result.lines == (0..<3).map { #"{"id":"\#(Record.identifier($0))"}"# })
            let missing = try await sandbox.clover("get", "orders", "--from-file", sandbox.directory["missing.jq"])
            #expect(missing.status != 0)
            #expect(missing.errorText.contains("missing.jq"), "\(missing)")
        }
    }

    @Test("without a filter, --slurp gives one array of all records")
    func slurpOnly() async throws {
        try await withThreeOrders { sandbox, _ in
            let result = try await sandbox.clover("get", "orders", "--slurp")
            expectSuccess(result)
            #expect(result.lines.count == 1)
            #expect(try JSONValue(result.outputText) == .array(try JSONValue.lines(Record.orders(3))))
        }
    }

    @Test("a program that does not compile ends with 65, jq's words, and no output")
    func compileError() async throws {
        try await withThreeOrders { sandbox, _ in
            expectFailure(
                try await sandbox.clover("get", "orders", "--jq", ".id |"), status: 65, saying: "syntax error",
                "unexpected $end")
            expectFailure(
                try await sandbox.clover("get", "orders", "--jq", "nofunction(1)"), status: 65,
                saying: "nofunction/1 is not defined")
        }
    }

    @Test("a record on which the program fails is named, the others go on, and the end is 65")
    func runTimeError() async throws {
        let records = [
            #"{"id":"A","v":1}"#, #"{"id":"B","v":"x"}"#, #"{"id":"C","v":3}"#, #"{"v":{}}"#, #"{"id":5,"v":5}"#,
        ]
        try await Sandbox.run(server: { _, _ in .page(records) }) { sandbox, _ in
            let result = try await sandbox.clover("get", "orders", "--limit", "5", "--jq", ".id, .v + 1")
            expectFailure(
                result, status: 65, saying: "B", "cannot be added",
                output: "\"A\"\n2\n\"B\"\n\"C\"\n4\nnull\n5\n6\n")
            let lines = result.errorText.split(separator: "\n").filter { $0.contains("cannot be added") }
            #expect(lines.count == 2, "one line for each failed record: \(result)")
        }
    }

    @Test("halt ends the run with 0 and asks for nothing more")
    func halt() async throws {
        let list = ServedList(records: Record.orders(20000))
        try await Sandbox.run(server: { request, _ in list.answer(to: request) }) { sandbox, server in
            let result = try await sandbox.clover("get", "orders", "--all", "-r", "--jq", "first(.id, halt), halt")
            expectSuccess(result)
            #expect(result.lines == [Record.identifier(0)])
            #expect(server.requests.count < 20)
        }
    }

    struct Halt: Sendable, CustomTestStringConvertible {
        let program: String
        let status: Int32
        let message: String
        var testDescription: String { program }
    }

    static let halts = [
        Halt(program: #""stopped\n" | halt_error"#, status: 5, message: "stopped\n"),
        Halt(program: #"{a: 1} | halt_error"#, status: 5, message: "{\"a\":1}\n"),
        Halt(program: #""by me" | halt_error(3)"#, status: 3, message: "by me"),
        Halt(program: #""" | halt_error(0)"#, status: 0, message: ""),
    ]

    @Test("halt_error ends as jq does: its status, the message as it is", arguments: halts)
    func haltError(_ row: Halt) async throws {
        try await withThreeOrders { sandbox, _ in
            let result = try await sandbox.clover("get", "orders", "--jq", ".id, (\(row.program))")
            #expect(result.ending == .exited(row.status), "\(result)")
            #expect(result.errorText == row.message)
            #expect(result.lines == ["\"\(Record.identifier(0))\""])
        }
    }

    @Test("debug and stderr write to stderr in the records' order")
    func debug() async throws {
        try await withThreeOrders { sandbox, _ in
            let result = try await sandbox.clover("get", "orders", "--jq", ".id | debug")
            #expect(result.status == 0)
            #expect(result.errorText == (0..<3).map { #"["DEBUG:","\#(Record.identifier($0))"]"# + "\n" }.joined())
            #expect(result.lines.count == 3)
        }
    }

    struct ExitStatus: Sendable, CustomTestStringConvertible {
        let program: String
        let status: Int32
        var testDescription: String { program }
    }

    static let exitStatuses = [
        ExitStatus(program: ".id", status: 0), ExitStatus(program: ".missing", status: 1),
        ExitStatus(program: "false", status: 1), ExitStatus(program: "empty", status: 4),
        ExitStatus(program: "null, 1", status: 0), ExitStatus(program: "0", status: 0),
    ]

    @Test("-e sets the status from the last result, as jq", arguments: exitStatuses)
    func exitStatus(_ row: ExitStatus) async throws {
        try await withThreeOrders { sandbox, _ in
            let asked = try await sandbox.clover("get", "orders", "-e", "--jq", row.program)
            #expect(asked.ending == .exited(row.status), "\(asked)")
            let plain = try await sandbox.clover("get", "orders", "--jq", row.program)
            #expect(plain.ending == .exited(0), "\(plain)")
        }
    }

    @Test("results keep the records' order when many workers filter many records")
    func order() async throws {
        let list = ServedList(records: Record.orders(6000))
        try await Sandbox.run(server: { request, _ in list.answer(to: request) }, weight: 2) { sandbox, _ in
            let result = try await sandbox.clover("get", "orders", "--all", "-r", "--jq", ".id")
            expectSuccess(result)
            #expect(result.lines == (0..<6000).map(Record.identifier))
        }
    }

    @Test("the program sees the environment and never the token's variable under another name")
    func environment() async throws {
        try await withThreeOrders { sandbox, _ in
            let result = try await sandbox.with(["SHOP": "café"]).clover(
                "get", "orders", "--limit", "1", "-r", "--jq", "$ENV.SHOP, env.SHOP")
            expectSuccess(result)
            #expect(result.lines == ["café", "café"])
        }
    }

    @Test("a program that gets no memory ends the run with 65 and says so, in words and as JSON")
    func outOfMemory() async throws {
        try await withThreeOrders { sandbox, _ in
            // An array of 12 GB, which is refused before any of it is used.
            let line = "ulimit -v 8000000; clover get orders --jq 'null | .[500000000] = 1'"
            let words = try await sandbox.shell(line)
            expectFailure(words, status: 65, saying: "the jq program needs more memory than is available")
            let json = try await sandbox.shell(line + " --json")
            #expect(json.ending == .exited(65), "\(json)")
            #expect(try JSONValue(json.errorText)["error"]?["code"]?.string == "jq_memory", "\(json)")
        }
    }

    @Test("options for a program mean the record itself when there is none, as in jq", arguments: ["-r", "-j", "-e"])
    func optionsWithoutProgram(_ option: String) async throws {
        try await withThreeOrders { sandbox, _ in
            let result = try await sandbox.clover("get", "orders", option)
            let explicit = try await sandbox.clover("get", "orders", option, "--jq", ".")
            expectSuccess(result)
            #expect(!result.output.isEmpty)
            #expect(result.output == explicit.output)
        }
    }

    private func withThreeOrders(_ body: (Sandbox, LoopbackServer) async throws -> Void) async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(3)) }, body)
    }
}
