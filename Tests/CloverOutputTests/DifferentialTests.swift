import CloverOutput
import Testing

extension JQTests {
    @Suite("Results are those of jq")
    struct DifferentialTests {
        /// Each runs on every sample record, so most of them also meet records they fail on.
        static let programs: [String] = [
            // Paths
            ".", ".id", ".total, .note", ".a.b.c[1].d", ".[\"a b\"]", ".tags[0]", ".tags[-1]", ".tags[1:]", ".tags[]?",
            ".. | numbers", "..|strings", ".lineItems.elements[]?.name", "[paths]", "[paths(type == \"number\")]",
            "[leaf_paths]", "getpath([\"a\",\"b\",\"c\"])", "[getpath([\"id\"],[\"x\",\"y\"])?]", "path(..)",
            "to_entries?",
            "with_entries(.value |= tostring)?", "keys?", "keys_unsorted?", "del(.note)?",
            "delpaths([[\"id\"],[\"tags\"]])?",
            ".tags |= (. // [] | sort)", ".total += 1", "try (.total |= tostring) catch \"no\"", "has(\"id\")",
            ".tags | length",
            "[.[]?]", "map(.)?", "map_values(. // 0)?", "to_entries | from_entries",
            "walk(if type == \"string\" then length else . end)",
            "[splits(\", *\")?]", "tostream", "fromstream(tostream)", "[limit(3; .[]?)]", "first(.[]?)", "add?",
            "any?, all?",
            "flatten?", "flatten(1)?", "transpose?", "indices(1)?", "inside({\"id\":\"A1\"})?",
            "contains({\"state\":\"open\"})?",
            "unique?", "group_by(.)?", "min?, max?", "reverse?", "tojson", "tojson|fromjson",
            "[.[]? | numbers] | implode?", "@text", "@json",
            // Conditions and control
            "select(.state == \"open\")", "select(.total > 100) | .id",
            "if .total then \"t\" elif .id then \"i\" else \"e\" end",
            ".id // \"none\"", "empty", "1, null, \"a\"", "try error(\"x\") catch .", "try error({a:1}) catch .a",
            ".id?",
            "label $out | (1, 2, break $out, 3)", "reduce .tags[]? as $t (0; . + 1)",
            "foreach (.tags[]?) as $t (0; . + 1; [$t, .])",
            "[range(5)]", "[range(0; 10; 3)]", "[limit(5; repeat(1))]", "until(type != \"array\"; .[0])",
            "[while(type == \"array\"; .[0])] | length",
            "first(range(10; 0; -1))", "error", "error(\"plain: \\(.id)\")", "error({code: 7})", "error(null)",
            ".total as $t | {$t, id}?", ". as [$a, $b] | {a: $a, b: $b}",
            ". as {id: $i, total: $t} ?// [$i, $t] | [$i, $t]",
            "def f(x): x * 2; f(.total)", "def fac: if . < 2 then 1 else . * (. - 1 | fac) end; [range(10) | fac]",
            "input_line_number", "[., input_line_number] | length", "$__loc__", "$__loc__.line,\n$__loc__.line",
            "$ENV | type", "env | type", "$ENV.PATH",
            "recurse | select(type == \"null\")", "[recurse(.[]?; true)] | length", "splits(\"a\")",
            "ltrimstr(\"a\"), rtrimstr(\"g\")",
            "builtins | length > 100", "[.[]?, 1][-1:]", "debug", "[debug, 1]", "stderr | empty", "[stderr] | length",
            "path(stderr)?",
            // Text
            "@csv \"\\(.tags // [])\"", "[.id, .total] | @csv", "[.id, .note] | @tsv", "[.id, .note, .total] | @sh",
            ".note | @html",
            ".note | @uri", ".note | @base64", ".note | @base64d", "@base64 \"x\\(.id)y\"", ".note | ascii_downcase",
            ".note | explode | implode",
            "test(\"A[0-9]+\")", ".id | test(\"^a\"; \"i\")", "[.note | match(\"[a-z]+\"; \"g\").string]",
            ".note | capture(\"(?<first>[A-Za-z]+)\")",
            ".note | sub(\"z\"; \"y\")", ".note | gsub(\"z+\"; \"-\")", ".note | gsub(\"(?<c>[aeiou])\"; \"<\\(.c)>\")",
            ".note | split(\" \")", ".note | split(\"[ z]\"; null)",
            "[.note | scan(\"[^ ]+\")]", ".tags | join(\"-\")", ".note | length, utf8bytelength",
            ".note | startswith(\"C\"), endswith(\"z\")", ".note | .[1:3]", "\"\\(.id): \\(.total)\"",
            ".note | tonumber", ".total | tostring", ".note | indices(\"z\")", ".note | ltrimstr(\"Caf\")",
            // Dates
            ".note | fromdate", ".total | todate", ".createdTime / 1000 | todate",
            ".note | strptime(\"%Y-%m-%dT%H:%M:%SZ\")",
            ".note | strptime(\"%Y-%m-%dT%H:%M:%SZ\") | mktime", "1425599621 | gmtime",
            "1425599621 | strftime(\"%A, %B %d, %Y\")", "1425599621 | localtime | mktime",
            ".createdTime | . / 1000 | floor | strftime(\"%Y-%m-%d\")", "now | type",
            // Numbers
            ".total * 100", ".total / 3", ".total % 7", "1 / .total", ".big, .small, .huge, .neg",
            "nan, infinite, -infinite", "[nan] | sort", "nan < 1",
            "9007199254740993", "1e1000", "-0", "0.1 + 0.2", "3.0", "1e17, 1e18, 1e19", "pow(2; 10), log2",
            "floor, sqrt?", "[.n[]? | floor]", "tojson | length", "100000000000000000000000", "1.7976931348623157e309",
            "infinite | floor", "isnormal, isinfinite, isnan", "@json \"\\(.n)\"", "significand?, gamma?", "splits(1)",
            "min_by(.total)?, max_by(.id)?",
            // Reading ahead
            "[., input] | length", "[., (try input catch \"end\")] | map(type)", "[inputs] | length", "first(inputs)",
            "input_line_number, (input | 1), input_line_number",
            "(try input catch .), (try input catch .), input_line_number", "reduce inputs as $r (0; . + 1)",
            "select(.id == \"A3\") | input.id", "[limit(2; inputs)] | length",
        ]

        @Test("for every program, on one thread and on several", arguments: programs)
        func program(_ source: String) async throws {
            let expected = try RealJQ().run([source], input: Self.lines(SampleRecords.all))
            // Each thread compiles the program and jq's own library; the endings below have a thread more, and batches of one.
            for (workers, batchSize) in [(1, 100), (2, 5)] {
                let run = FilterRun(workers: workers, batchSize: batchSize)
                let result = try await run.run(source, on: SampleRecords.all)
                try compare(result, with: expected, "\(workers) workers, batches of \(batchSize)")
            }
        }

        /// Programs that need no interpreter, and those next to them that do.
        static let extractions: [(source: String, isExtraction: Bool)] = [
            (".", true), (".id", true), (".a.b", true), (" .total | . ", true), (".tags|length", true),
            (".note | length", true), (".total|length", true), ("length", true), (". | length | length", true),
            (".if", true), (".__loc__", true), (".a.b.c", true), ("(.a)|.b", true), ("((.id))", true), (".\n", true),
            ("{id}", true), ("{id,total}", true), ("{ id , t : .total }", true), ("{id:.id|length}", true),
            ("{id, n: (.tags | length), a: {b: .a.b, c: .}}", true), ("{id}|.id", true),
            ("{z:.id,y:.id,z:.total}", true),
            ("{note,tags,state,total,id,a,b,c,d,e,f,g}|{g,id,note}", true), ("{a:(.a|.b)}\t|\n\n.a", true),
            ("{stderr: .id, input: .total}", true),
            ("", false), (".a .b", false), (".[\"id\"]", false), (".\"id\"", false), ("..", false), (".a[]?", false),
            (".id?", false), ("{}", false), ("{id,}", false), ("{\"id\":.id}", false), ("{(.id|tostring):1}", false),
            ("(.a).b?", false), ("{if:.id}", false), (".id,.total", false), (".total|length|floor", false),
            (".id # the name", false), ("{id:.id,n:1}", false), (".lengthy", true),
            ("length?", false), ("[.id]", false), ("-(.total|length)", false), (".id//.total", false),
        ]

        @Test("without the interpreter and where a record needs it after all", arguments: extractions)
        func extraction(source: String, isExtraction: Bool) async throws {
            #expect(try JQProgram(source: source).isExtraction == isExtraction)
            let expected = try RealJQ().run([source], input: Self.lines(SampleRecords.all))
            for (workers, batchSize) in [(1, 100), (3, 1)] {
                let run = FilterRun(workers: workers, batchSize: batchSize)
                let result = try await run.run(source, on: SampleRecords.all)
                try compare(result, with: expected, "\(workers) workers, batches of \(batchSize)")
            }
            let slurped = try RealJQ().run(["-s", source], input: Self.lines(SampleRecords.all))
            try compare(
                try await FilterRun(options: JQOptions(slurp: true)).run(source, on: SampleRecords.all), with: slurped,
                "slurped")
        }

        /// How many records the run has seen when it ends. jq 1.6 itself goes on with the next input after `halt` (and
        /// reads freed memory after `halt_error`), so it is given no further ones.
        static let endings: [(source: String, records: Int)] = [
            ("if .id == \"A4\" then halt else .id end", 4),
            ("if .id == \"A4\" then (.id, halt_error) else .id end", 4),
            ("if .id == \"A2\" then (\"bye\\n\" | halt_error) else 1 end", 2),
            ("if .id == \"A2\" then ({a: 1} | halt_error(3)) else error end", 2),
            ("if .id == \"A2\" then (null | halt_error(0)) else 1 end", 2),
            ("if .id == \"A2\" then (\"x\" | halt_error(300)) else 1 end", 2),
            ("if .id == \"A2\" then (\"\" | halt_error(-1)) else 1 end", 2),
            ("if .id == \"A2\" then (false | halt_error(1)) else debug end", 2),
            ("(1, halt, 2)", 1),
            ("[., input, input] | length | halt_error", 3),
            ("if .id == \"A9\" then \"é🥐\" | halt_error else .total end", 9),
        ]

        @Test("up to where the program ends the run", arguments: endings)
        func ending(source: String, records: Int) async throws {
            let expected = try RealJQ().run([source], input: Self.lines(Array(SampleRecords.all.prefix(records))))
            for (workers, batchSize) in [(1, 100), (3, 1), (2, 5)] {
                let run = FilterRun(workers: workers, batchSize: batchSize)
                let result = try await run.run(source, on: SampleRecords.all)
                #expect(result.report.halt != nil)
                try compare(result, with: expected, "\(workers) workers, batches of \(batchSize)")
            }
        }

        @Test("has more than 150 programs to compare")
        func count() {
            #expect(Set(Self.programs).count == Self.programs.count)
            #expect(Self.programs.count > 150)
        }

        static let optionPrograms: [String] = [
            ".", ".note", ".id, .total", "\"a\\nb\"", "[.]", "null", "empty", ".tags[]?", "@tsv \"\\([.id, .note])\"",
            "\"\"", "error(\"x\")",
        ]

        @Test("with raw output and with joined output", arguments: optionPrograms)
        func outputOptions(_ source: String) async throws {
            for (flag, options) in [("-r", JQOptions(rawOutput: true)), ("-j", JQOptions(joinOutput: true))] {
                let expected = try RealJQ().run([flag, source], input: Self.lines(SampleRecords.all))
                let result = try await FilterRun(options: options).run(source, on: SampleRecords.all)
                try compare(result, with: expected, flag)
            }
        }

        static let slurpPrograms: [String] = [
            ".", "length", "map(.id?) | unique", "[.[] | objects] | group_by(.state) | map({s: .[0].state, n: length})",
            "map(.total? | numbers) | add", "sort_by(.total?)", "[.[] | objects | .note | strings] | sort | .[0]",
            "input_line_number",
            "(try input catch .), length", "[inputs]", "map(objects) | min_by(.total), max_by(.total)", "first, last",
            "error(\"all\")", "halt_error(2)",
            "[.[] | objects | {key: (.id | tostring), value: .total}] | from_entries",
            "[.[] | objects | .tags[]?] | group_by(.) | map(length)", "debug | length",
            "INDEX(.[] | objects; .id) | length",
        ]

        @Test("with slurp", arguments: slurpPrograms)
        func slurp(_ source: String) async throws {
            for records in [SampleRecords.all, []] {
                let expected = try RealJQ().run(["-s", source], input: Self.lines(records))
                let result = try await FilterRun(options: JQOptions(slurp: true)).run(source, on: records)
                try compare(result, with: expected, "\(records.count) records")
            }
        }

        static let argumentPrograms: [String] = [
            "[$s, $j]", "$ARGS", "$ARGS.named | keys", "select(.id == $s)", "$j.list[1]", "$n + 1", "\"\\($s)\"", "$u",
            "[$s, $ENV.PATH] | length",
        ]

        @Test("with variables, of which the first with a name takes precedence", arguments: argumentPrograms)
        func arguments(_ source: String) async throws {
            let flags = [
                "--arg", "s", "A3", "--argjson", "j", #"{"list":[1,"zwei"]}"#, "--argjson", "n", "9007199254740993",
                "--arg", "u",
                "é🥐\"\\", "--arg", "s", "second", "--argjson", "u", "5",
            ]
            let options = JQOptions(arguments: [
                .init(name: "s", value: .string("A3")), .init(name: "j", value: .json(#"{"list":[1,"zwei"]}"#)),
                .init(name: "n", value: .json("9007199254740993")), .init(name: "u", value: .string("é🥐\"\\")),
                .init(name: "s", value: .string("second")), .init(name: "u", value: .json("5")),
            ])
            let expected = try RealJQ().run(flags + [source], input: Self.lines(SampleRecords.all))
            try compare(try await FilterRun(options: options).run(source, on: SampleRecords.all), with: expected, "")
        }

        static let brokenPrograms: [String] = [
            ".a[", ".a b c", "foo(1), bar", "{", "\"abc", ".[] as $x", "1 +", "$undefined", "if . then 1", "def f: ;",
            "\n\n.x |\n  nope", ".a\r", "{id}\r\n|.id", "{end}", "{a:.b|}", "(.a", "{a:}", "# nothing but this\n|",
            "input_line_number | nope", "import \"no/such/module\" as m; .", "}", "{(1):2}", ". as [$a] ?// $b | $c",
            "break $x", "%",
        ]

        @Test("and so are the messages for programs that do not compile", arguments: brokenPrograms)
        func compileErrors(_ source: String) async throws {
            let expected = try RealJQ().run([source], input: Array("1\n".utf8))
            #expect(expected.status == 3)
            let error = await #expect(throws: JQError.self) { _ = try await FilterRun().run(source, on: ["1"]) }
            #expect(error == .compile(message: trimmed(expected.errors)))
        }

        // MARK: Comparing

        static func lines(_ records: [String]) -> [UInt8] {
            records.flatMap { Array(($0 + "\n").utf8) }
        }

        private func trimmed(_ text: String) -> String {
            var text = text
            while text.last == "\n" { text.removeLast() }
            return text
        }

        private func compare(_ result: FilterRun.Result, with expected: RealJQ.Answer, _ comment: String) throws {
            #expect(result.text == String(decoding: expected.output, as: UTF8.self), "\(comment)")
            // What jq prints to standard error, without the place in its input.
            var errors = ""
            for event in result.events {
                switch event {
                case .message(let text): errors += text
                case .failure(let failure):
                    let isText = !failure.message.hasPrefix("(not a string): ")
                    errors += "jq: error (at PLACE)" + (isText ? ": " : " ") + failure.message + "\n"
                }
            }
            if let halt = result.report.halt {
                errors += String(decoding: halt.message.prefix { $0 != 0 }, as: UTF8.self)
                #expect(halt.status & 0xFF == expected.status, "\(comment)")
            } else {
                #expect([0, 5].contains(expected.status), "\(comment)")
            }
            #expect(errors == expected.errors.replacing(#/\(at <[a-z]+>(:\d+)?\)/#, with: "(at PLACE)"), "\(comment)")
            #expect(result.report.failures == result.failures.count)
        }
    }
}
