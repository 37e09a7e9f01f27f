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

    /// A tour with the real emulator whose commands are this script in place of `clover`.
    private func start(
        _ sandbox: Sandbox, script: String, in folder: String, again: Bool = false
    ) async throws -> RunningCommand {
        let program = try CommandRunner.builtProgram("clover")
        let programs = try sandbox.directory.makeFolder("programs")
        let copies = again ? "" : "cp '\(program)' '\(programs)/tour' && ln -s '\(program)-emulator' '\(programs)' &&"
        // A child writes the script. While this process has it open, a program that another test starts could inherit the
        // descriptor, and execve(2) refuses a file that is open for writing ("Text file busy").
        let made = try await sandbox.shell(
            """
            \(copies) cat >'\(programs)/clover' <<'END' && chmod 755 '\(programs)/clover'
            #!/bin/sh
            \(script)
            END
            """)
        #expect(made.status == 0, "\(made)")
        let runner = CommandRunner(
            executable: programs + "/tour", environment: sandbox.variables.merging(["TMPDIR": folder]) { $1 })
        return try runner.start(["emulator", "demo"])
    }

    @Test("Ctrl-C and SIGTERM leave nothing, also of a command that writes at its end", arguments: [SIGINT, SIGTERM])
    func interrupted(_ signal: Int32) async throws {
        try await Sandbox.run { sandbox in
            let folder = try sandbox.directory.makeFolder("tmp")
            let demo = try await start(
                sandbox,
                script: """
                    trap 'mkdir -p "$CLOVER_STATE_DIR/again"; exit 1' TERM
                    echo the first command runs
                    while :; do sleep 0.1; done
                    """, in: folder)
            try await demo.waitForOutput("the first command") {
                String(decoding: $0, as: UTF8.self).contains("the first command runs")
            }
            demo.send(signal)
            let result = try await demo.result()
            #expect(result.ending == .signalled(signal), "\(result)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
            #expect(try processes(naming: folder) == [])
        }
    }

    @Test("a tour that was killed leaves no service behind, and the next one removes its folder")
    func killed() async throws {
        try await Sandbox.run { sandbox in
            let folder = try sandbox.directory.makeFolder("tmp")
            let demo = try await start(
                sandbox, script: "echo the first command runs; while kill -0 $PPID; do sleep 0.1; done", in: folder)
            try await demo.waitForOutput("the first command") {
                String(decoding: $0, as: UTF8.self).contains("the first command runs")
            }
            // The tour, the service and the command.
            #expect(try processes(naming: folder).count >= 3)
            demo.send(SIGKILL)
            #expect(try await demo.result().ending == .signalled(SIGKILL))
            var left = try processes(naming: folder)
            for _ in 0..<600 where !left.isEmpty {
                try await Task.sleep(for: .milliseconds(50))
                left = try processes(naming: folder)
            }
            #expect(left == [])
            let folders = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(folders.count == 1)
            // Of others nothing is touched: what has another name, and what a tour holds that goes on.
            let prepared = try await sandbox.shell(
                """
                cd '\(folder)' && mkdir -m 700 clover-demo-other clover-demo-AAAAAA &&
                touch --date='2 hours ago' clover-demo-*
                """)
            expectSuccess(prepared)
            let holder = try sandbox.startShell(
                "exec flock --no-fork '\(folder)/clover-demo-AAAAAA' sh -c 'echo held; exec sleep infinity'")
            try await holder.waitForOutput("the lock") { String(decoding: $0, as: UTF8.self).contains("held") }
            let next = try await start(sandbox, script: "exit 3", in: folder, again: true).result()
            #expect(next.ending != .exited(0), "\(next)")
            holder.send(SIGKILL)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
                    "clover-demo-AAAAAA", "clover-demo-other",
                ])
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
