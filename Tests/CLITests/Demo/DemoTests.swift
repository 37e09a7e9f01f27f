import CloverTestSupport
import Foundation
import Testing

@Suite("emulator demo: the guided tour")
struct DemoTests {
    /// Processes whose command line or variables name this text, besides us.
    private func processes(naming text: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { name in
            guard name.allSatisfy(\.isNumber), Int(name) != Int(getpid()) else { return false }
            return ["environ", "cmdline"].contains { file in
                let bytes = FileManager.default.contents(atPath: "/proc/\(name)/\(file)") ?? Data()
                return String(decoding: bytes, as: UTF8.self).contains(text)
            }
        }
    }

    @Test("ten commands with their output, status 0; nothing of the user's is touched and nothing stays")
    func tour() async throws {
        try await Sandbox.run { sandbox in
            let folder = try sandbox.directory.makeFolder("tmp")
            let result = try await sandbox.with([
                "TMPDIR": folder, "CLOVER_ACCESS_TOKEN": Sandbox.token, "CLOVER_MERCHANT_ID": Sandbox.merchantID,
                "CLOVER_FORMAT": "json", "https_proxy": "http://127.0.0.1:1",
            ]).clover("emulator", "demo")
            #expect(result.ending == .exited(0), "\(result)")
            let commands = result.lines.filter { $0.hasPrefix("$ clover ") }
            #expect(commands.count == 11, "\(commands)")
            // Each is followed by something that it printed, but for the sign-in, which says it on standard error.
            for (number, line) in result.lines.enumerated() where line.hasPrefix("$ clover ") {
                if line.contains("auth login") || line.contains("emulator serve") { continue }
                let next = try #require(result.lines.dropFirst(number + 1).first)
                #expect(!next.hasPrefix("#") && !next.hasPrefix("$"), "\(line): \(next)")
            }
            #expect(result.errorText.contains("signed in to merchant"))
            #expect(result.outputText.contains(#""event":"approved""#), "\(result.outputText)")
            expectNoSecret(result)
            #expect(sandbox.directory.files(below: "") == [])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
            #expect(try processes(naming: folder) == [])
        }
    }

    @Test("Ctrl-C and SIGTERM in the middle leave nothing either", arguments: [SIGINT, SIGTERM])
    func interrupted(_ signal: Int32) async throws {
        try await Sandbox.run { sandbox in
            let folder = try sandbox.directory.makeFolder("tmp")
            let demo = try sandbox.with(["TMPDIR": folder]).start("emulator", "demo")
            try await demo.waitForOutput("the first step") {
                String(decoding: $0, as: UTF8.self).contains("$ clover auth login")
            }
            demo.send(signal)
            let result = try await demo.result()
            #expect(result.ending == .signalled(signal), "\(result)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
            #expect(try processes(naming: folder) == [])
        }
    }

    @Test("without the emulator's program it is named, and nothing is left")
    func missing() async throws {
        try await Sandbox.run { sandbox in
            let folder = try sandbox.directory.makeFolder("tmp")
            let program = try CommandRunner.builtProgram("clover")
            #expect(try await sandbox.shell("cp '\(program)' alone").status == 0)
            let runner = CommandRunner(
                executable: sandbox.directory["alone"],
                environment: sandbox.variables.merging(["TMPDIR": folder]) { $1 })
            expectFailure(try await runner.run(["emulator", "demo"]), status: 78, saying: "clover-emulator")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        }
    }

    @Test("the script of docs/emulator.md runs as it is printed")
    func documentation() async throws {
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: repository.appendingPathComponent("docs/emulator.md"), encoding: .utf8)
        let script = try #require(text.firstRange(of: "```bash\n")).upperBound
        let end = try #require(text[script...].firstRange(of: "```")).lowerBound
        try await Sandbox.run { sandbox in
            let file = try sandbox.directory.write("script.sh", text[script..<end].utf8)
            let result = try await sandbox.shell("bash '\(file)'")
            #expect(result.ending == .exited(0), "\(result)")
            #expect(sandbox.directory.files(below: "").contains("/orders.ndjson"))
        }
    }
}
