import CloverOutput
import Testing

extension JQTests {
    @Suite("Precompiled programs")
    struct ForeseenProgramTests {
        private let records = [#"{"id":"A","n":1}"#, #"{"id":"B","n":2}"#, "3"]

        @Test("give what they give otherwise, once and again, and with every option")
        func results() async throws {
            let source = "[.id, .n] | tojson"
            let plain = try await FilterRun().run(source, on: records)
            #expect(plain.text == "\"[\\\"A\\\",1]\"\n\"[\\\"B\\\",2]\"\n")
            #expect(plain.failures.count == 1)
            for _ in 0..<2 {
                PrecompiledProgram.prepare(source)
                for _ in 0..<2 {
                    let result = try await FilterRun(workers: 2, batchSize: 1).run(source, on: records)
                    #expect(result.output == plain.output)
                    #expect(result.failures == plain.failures)
                }
            }
            PrecompiledProgram.prepare(source)
            let raw = try await FilterRun(options: JQOptions(rawOutput: true)).run(source, on: records)
            #expect(raw.text == "[\"A\",1]\n[\"B\",2]\n")
        }

        @Test("are left alone by another program, and by one with variables")
        func others() async throws {
            PrecompiledProgram.prepare(".id + \"!\"")
            #expect(try await FilterRun().run(".n? + 1 | tostring", on: records).text == "\"2\"\n\"3\"\n")
            PrecompiledProgram.prepare("$a")
            let options = JQOptions(arguments: [.init(name: "a", value: .string("x"))])
            #expect(try await FilterRun(options: options).run("$a", on: ["1"]).text == "\"x\"\n")
        }

        @Test("report their errors when run, not before")
        func compileError() async throws {
            PrecompiledProgram.prepare(".[")
            let error = await #expect(throws: JQError.self) { _ = try await FilterRun().run(".[", on: records) }
            let expected = await #expect(throws: JQError.self) { _ = try await FilterRun().run(".[", on: records) }
            #expect(error != nil && error == expected)
        }

        @Test("see the stream and its line numbers like other programs")
        func stream() async throws {
            for source in ["[., (try input catch 0)] | length", "input_line_number", "[inputs] | length"] {
                let plain = try await FilterRun().run(source, on: records)
                PrecompiledProgram.prepare(source)
                let result = try await FilterRun().run(source, on: records)
                #expect(result.output == plain.output && result.events == plain.events, "\(source)")
            }
        }
    }
}
