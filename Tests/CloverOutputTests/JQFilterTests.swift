import CloverOutput
import Foundation
import Testing

extension JQTests {
    @Suite("Filtering a stream")
    struct JQFilterTests {
        @Test(
            "an unpaired surrogate becomes U+FFFD for every program",
            arguments: [".", ".a", "{a}", "[inputs]"])
        func loneSurrogates(source: String) async throws {
            let records = [#"{"a":"x\ud800y"}"#, #"{"a":"\udc00"}"#, #"{"a":"\ud83d\ude00"}"#]
            let expected = try await FilterRun().run(
                source, on: [#"{"a":"x\ufffdy"}"#, #"{"a":"\ufffd"}"#, #"{"a":"😀"}"#])
            let result = try await FilterRun().run(source, on: records)
            #expect(result.text == expected.text)
            #expect(result.failures.isEmpty && result.report.results > 0)
        }

        @Test("keeps the order when records cost very different times", arguments: [1, 2, 4])
        func order(workers: Int) async throws {
            var random = RandomJSON(seed: 5)
            let records = (0..<4000).map {
                "{\"n\":\($0),\"cost\":\(random.number(below: 40) == 0 ? 2000 : random.number(below: 5))}"
            }
            let result = try await FilterRun(workers: workers, batchSize: 3).run(
                "(reduce range(.cost) as $i (0; . + 1)) as $x | .n", on: records)
            #expect(result.text == (0..<4000).map { "\($0)\n" }.joined())
            #expect(result.report == FilterReport(results: 4000, failures: 0, lastResult: .truthy, halt: nil))
        }

        @Test("divides a large batch among workers and puts it together again")
        func largeBatch() async throws {
            let records = (0..<5000).map { "{\"id\":\"R\($0)\",\"text\":\"\(String(repeating: "x", count: 200))\"}" }
            let result = try await FilterRun(workers: 3, batchSize: 5000).run(".id, error(.id)", on: records)
            #expect(result.text == (0..<5000).map { "\"R\($0)\"\n" }.joined())
            #expect(
                result.failures
                    == (0..<5000).map { number in
                        RecordFailure(
                            index: number, id: "R\(number)", message: "R\(number)", record: Array(records[number].utf8))
                    })
        }

        @Test(
            "reports the failed record and continues",
            arguments: ["(.a, .b.c)", "(.a, .b.c), (input_line_number | empty)"])
        func failures(source: String) async throws {
            let records = [
                #"{"id":"A","a":1}"#, #"{"id":"B","a":2,"b":5}"#, #"{"a":3,"b":[]}"#, #"{"id":7,"a":4,"b":"s"}"#,
                #"{"id":"E","a":5}"#,
            ]
            let result = try await FilterRun(workers: 2, batchSize: 2).run(source, on: records)
            #expect(result.text == "1\nnull\n2\n3\n4\n5\nnull\n")
            #expect(
                result.failures == [
                    RecordFailure(
                        index: 1, id: "B", message: #"Cannot index number with string "c""#,
                        record: Array(records[1].utf8)),
                    RecordFailure(
                        index: 2, id: nil, message: #"Cannot index array with string "c""#,
                        record: Array(records[2].utf8)),
                    RecordFailure(
                        index: 3, id: "7", message: #"Cannot index string with string "c""#,
                        record: Array(records[3].utf8)),
                ])
            #expect(result.report == FilterReport(results: 7, failures: 3, lastResult: .falsy, halt: nil))
        }

        @Test(
            "reports a record that libjq cannot parse and continues",
            arguments: [".id", ".id, (input_line_number | empty)"])
        func unreadable(source: String) async throws {
            let tooDeep = String(repeating: "[", count: 257) + String(repeating: "]", count: 257)
            let records = [
                #"{"id":"A"}"#, #"{"id":"B","x":}"#, #"{"id":"C","x":\#(tooDeep)}"#, #"{"id":"D"}{}"#,
                #"{"id":"\udc00\u0041"#, #"{"id":"F"}"#,
            ]
            let result = try await FilterRun().run(source, on: records)
            #expect(result.text == "\"A\"\n\"F\"\n")
            #expect(result.failures.map(\.index) == [1, 2, 3, 4])
            #expect(result.failures.map(\.id) == ["B", "C", "D", nil])
            #expect(result.failures.allSatisfy { $0.message.hasPrefix("parse error: ") })
            #expect(result.failures[1].message.contains("Exceeds depth limit"))
        }

        @Test("leaves out unreadable records when the program reads ahead or slurps")
        func unreadableAhead() async throws {
            let records = ["1", "{", "2", "nope", "3", "4"]
            let pairs = try await FilterRun().run("[., input]", on: records)
            #expect(pairs.text == "[1,2]\n[3,4]\n")
            #expect(pairs.failures.map(\.index) == [1, 3])
            let slurped = try await FilterRun(options: JQOptions(slurp: true)).run(".", on: records)
            #expect(slurped.text == "[1,2,3,4]\n")
            #expect(slurped.failures.map(\.index) == [1, 3])
        }

        @Test("reports messages and failures in record order", arguments: [1, 3])
        func messages(workers: Int) async throws {
            let records = (0..<300).map { "{\"id\":\"\($0)\"}" }
            let result = try await FilterRun(workers: workers, batchSize: 10).run(
                "(.id | debug | stderr) , error(\"e\" + .id)", on: records)
            let expected: [FilterRun.Event] = (0..<300).flatMap { number -> [FilterRun.Event] in
                [
                    .message("[\"DEBUG:\",\"\(number)\"]\n"), .message("\"\(number)\""),
                    .failure(
                        RecordFailure(
                            index: number, id: "\(number)", message: "e\(number)", record: Array(records[number].utf8))),
                ]
            }
            #expect(result.events == expected)
        }

        @Test("stops the stream at a halt", arguments: [1, 3])
        func halt(workers: Int) async throws {
            let records = (0..<20_000).map { "{\"n\":\($0)}" }
            let run = FilterRun(workers: workers, batchSize: 10)
            let halted = try await run.run("if .n == 55 then halt else .n end", on: records)
            #expect(halted.text == (0..<55).map { "\($0)\n" }.joined())
            #expect(
                halted.report
                    == FilterReport(results: 55, failures: 0, lastResult: .truthy, halt: .init(status: 0, message: [])))
            #expect(halted.consumed < 2000)
            let error = try await run.run("if .n == 55 then \"done\" | halt_error(7) else .n end", on: records)
            #expect(error.report.halt == FilterReport.Halt(status: 7, message: Array("done".utf8)))
            #expect(error.report.results == 55)
        }

        @Test("reports results, failures and the truth of the last result")
        func report() async throws {
            #expect(try await FilterRun().run("empty", on: ["1", "2"]).report == FilterReport())
            #expect(
                try await FilterRun().run("., (select(. == 2) | false)", on: ["1", "2"]).report.lastResult == .falsy)
            #expect(try await FilterRun().run("null, \"\"", on: ["1"]).report.lastResult == .truthy)
            #expect(try await FilterRun().run(".", on: []).report == FilterReport())
            let slurped = try await FilterRun(options: JQOptions(slurp: true)).run("length", on: [])
            #expect(slurped.text == "0\n")
        }

        @Test("finds modules beside the program's file")
        func modules() async throws {
            let folder = try TemporaryFolder()
            try Data("def twice: . * 2; def line: input_line_number;".utf8).write(
                to: folder.url.appending(path: "maths.jq"))
            let run = FilterRun(directory: folder.url.path())
            #expect(
                try await run.run("import \"maths\" as maths {search: \"./\"}; maths::twice", on: ["1", "2", "3"]).text
                    == "2\n4\n6\n")
            #expect(try await run.run("include \"maths\" {search: \"./\"}; twice | twice", on: ["1"]).text == "4\n")
        }

        @Test("refuses arguments that are not JSON, and NUL, before anything runs")
        func badArguments() {
            for text in ["{", "", "1 2", "nope", "'a'"] {
                #expect(throws: JQError.invalidJSONArgument(name: "x")) {
                    _ = try JQProgram(
                        source: ".", options: JQOptions(arguments: [.init(name: "x", value: .json(text))]))
                }
            }
            #expect(throws: JQError.containsNUL) { _ = try JQProgram(source: ".a\0.b") }
            #expect(throws: JQError.containsNUL) {
                _ = try JQProgram(source: ".", options: JQOptions(arguments: [.init(name: "a\0", value: .string("b"))]))
            }
        }

        @Test("every error describes itself")
        func descriptions() {
            let errors: [JQError] = [
                .compile(message: "m"), .invalidJSONArgument(name: "x"), .containsNUL, .outOfMemory,
                .noThread(errno: 11), .cancelled,
            ]
            #expect(Set(errors.map(\.description)).count == errors.count)
        }
    }
}
