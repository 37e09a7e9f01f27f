import CloverTestSupport
import Foundation
import Testing

@Suite("export schedule")
struct ExportScheduleTests {
    @Test("the crontab line exports independently of the terminal where it was made")
    func cron() async throws {
        try await Sandbox.run(emulator: ["--orders", "60"]) { sandbox, emulator in
            expectSignedIn(
                try await sandbox.signIn(
                    token: emulator.accessToken, merchant: emulator.merchantID, environment: emulator.url))
            let person = sandbox.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID", "CLOVER_ENVIRONMENT")
            let program = #".id | "100% of \(.) in 'quotes'""#
            let result = try await person.clover(
                "export", "schedule", "--every", "15m", "--", "orders", "--to", "my exports/100%", "--jq", program)
            expectSuccess(result)
            #expect(result.lines.first == "# Export orders from Clover, every 15 minutes")
            let line = try #require(result.lines.last)
            #expect(line.hasPrefix("*/15 * * * * "))
            // cron removes the backslashes before percent signs and runs the rest with sh, in the home directory.
            let command = line.dropFirst("*/15 * * * * ".count).replacing("\\%", with: "%")
            let shell = CommandRunner(
                executable: "/bin/sh", environment: ["HOME": sandbox.directory["home"], "PATH": "/usr/bin:/bin"],
                directory: sandbox.directory["home"])
            let run = try await shell.run(["-c", String(command)])
            expectSuccess(run)
            let lines = try ExportedLines.all(in: sandbox, "my exports/100%", "orders")
            #expect(lines.count == 60)
            #expect(lines.allSatisfy { $0.hasPrefix("\"100% of ") && $0.hasSuffix(" in 'quotes'\"") })
        }
    }

    @Test("pins the program as it was called, the configuration, the state, and the end of each run")
    func pins() async throws {
        try await Sandbox.run { sandbox in
            let link = sandbox.directory["my-clover"]
            let made = try await sandbox.shell("ln -s \"$(command -v clover)\" '\(link)'")
            #expect(made.status == 0, "\(made)")
            let rest = "export schedule --every 2h -- orders --to out"
            for program in [link, "./my-clover"] {
                let result = try await sandbox.shell("\(program) \(rest)")
                expectSuccess(result)
                let line = try #require(result.lines.last)
                #expect(line.contains(" \(link.hasPrefix("/") ? link : "") export orders "), "\(line)")
                #expect(line.hasSuffix(" --quiet --max-time=2h"), "\(line)")
                #expect(line.contains("CLOVER_STATE_DIR=\(sandbox.directory["state"])"), "\(line)")
                #expect(line.contains("CLOVER_CONFIG_DIR=/"), "\(line)")
            }
            let typed = try await sandbox.shell("\(link) \(rest) --verbose --max-time 5m")
            #expect(typed.lines.last?.hasSuffix(" --verbose --max-time 5m") == true, "\(typed)")
        }
    }

    @Test("an export is accepted as typed, including the command names")
    func wholeCommand() async throws {
        try await Sandbox.run { sandbox in
            let export = ["orders", "--to", sandbox.directory["out"]]
            let schedule = ["export", "schedule", "--every", "15m", "--"]
            let plain = try await sandbox.clover(schedule + export)
            expectSuccess(plain)
            for words in [["run"], ["export"], ["export", "run"], ["clover", "export", "run"]] {
                let result = try await sandbox.clover(schedule + words + export)
                #expect(result.status == 0 && result.outputText == plain.outputText, "\(words)")
            }
            // Two words that belong to one option.
            let pair = try await sandbox.clover(
                schedule + export + ["--jq", "{id, $x, $y}", "--arg", "x", "1 2", "--argjson", "y", "3"])
            expectSuccess(pair)
            #expect(pair.outputText.contains("'--arg=x=1 2'") && pair.outputText.contains("--argjson=y=3"), "\(pair)")
        }
    }

    @Test("systemd accepts the units, and they name what the export needs")
    func units() async throws {
        try await Sandbox.run { sandbox in
            let arguments = ["export", "schedule", "--at", "02:30", "--print"]
            let export = ["--", "orders", "payments", "--to", try sandbox.directory.makeFolder("out put")]
            let service = try await sandbox.clover(arguments + ["service"] + export)
            let timer = try await sandbox.clover(arguments + ["timer"] + export)
            expectSuccess(service)
            expectSuccess(timer)
            #expect(service.lines.contains("Environment=CLOVER_STATE_DIR=\(sandbox.directory["state"])"))
            #expect(
                service.lines.contains(
                    "ReadWritePaths=\"\(sandbox.directory["out put"])\" \(sandbox.directory["state"])"))
            #expect(timer.lines.contains("OnCalendar=*-*-* 02:30:00"))
            let files = ["clover-export.service": service, "clover-export.timer": timer]
            for (name, result) in files {
                try result.outputText.write(toFile: sandbox.directory[name], atomically: true, encoding: .utf8)
            }
            let analyze = CommandRunner(executable: "/usr/bin/systemd-analyze", environment: ["PATH": "/usr/bin:/bin"])
            expectSuccess(
                try await analyze.run(["verify", "--man=no"] + files.keys.sorted().map { sandbox.directory[$0] }))
            let both = try await sandbox.clover(arguments + ["systemd"] + export)
            #expect(
                both.outputText
                    == "# clover-export.service\n\(service.outputText)\n# clover-export.timer\n\(timer.outputText)")
        }
    }

    @Test(
        "days and weeks are intervals, and names by date and growing files are accepted",
        arguments: [("1d", "0 0 * * * "), ("24h", "0 0 * * * "), ("7d", "0 0 * * 0 ")])
    func days(interval: String, fields: String) async throws {
        try await Sandbox.run { sandbox in
            for naming in [["--name", "{resource}/{date}.ndjson"], ["--name", "{resource}.ndjson", "--append"]] {
                let result = try await sandbox.clover(
                    ["export", "schedule", "--every", interval, "--", "orders", "--to", "out"] + naming)
                expectSuccess(result)
                #expect(result.lines.last?.hasPrefix(fields) == true, "\(result)")
            }
        }
    }

    @Test("a token of the environment is not saved, with a note")
    func token() async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.using("https://service.invalid").clover(
                "export", "schedule", "--every", "1h", "--print", "systemd", "orders", "--to", "out")
            #expect(result.status == 0)
            expectNoSecret(result)
            #expect(result.errorText.contains("CLOVER_ACCESS_TOKEN is not saved"))
            #expect(result.errorText.contains("mkdir -p \(sandbox.directory["out"])"))
            #expect(result.outputText.contains("CLOVER_MERCHANT_ID=\(Sandbox.merchantID)"))
        }
    }

    @Test(
        "the directory to create is quoted as one shell word",
        arguments: ["my exports", "it's", "$(id)", "100%"])
    func quotedDirectory(name: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover(
                "export", "schedule", "--every", "1h", "--print", "service", "--", "orders", "--to", name)
            #expect(result.status == 0, "\(result)")
            let hint = try #require(result.errorText.split(separator: "mkdir -p ").last)
            let shell = CommandRunner(
                executable: "/bin/sh", environment: ["PATH": "/usr/bin:/bin"], directory: sandbox.directory.path)
            expectSuccess(try await shell.run(["-c", "mkdir -p " + hint]))
            #expect(FileManager.default.fileExists(atPath: sandbox.directory[name]))
        }
    }

    @Test(
        "What cannot be scheduled is refused",
        arguments: [
            (["--every", "7m", "--", "orders", "--to", "x"], "is not divisible by 7 minutes\n  use 1m, 5m"),
            (["--every", "90m", "--", "orders", "--to", "x"], "or use systemd, which supports it: --print systemd"),
            (["--every", "30s", "--print", "timer", "--", "orders", "--to", "x"], "from one minute to a week"),
            (["--every", "2d", "--", "orders", "--to", "x"], "12h, 1d or 7d"),
            (["--at", "25:00", "orders", "--to", "x"], "25:00"),
            (["--", "orders", "--to", "x"], "--every DURATION or --at TIME"),
            (["--every", "1h", "--at", "02:00", "--", "orders", "--to", "x"], "--every DURATION or --at TIME"),
            (["--every", "1h", "--", "orders"], "needs --to DIRECTORY"),
            (["--every", "1h", "--", "orders", "--to", "x", "--until-then"], "Unknown option '--until-then'"),
            (["--every", "1h", "--", "--to", "x"], "name what to export"),
            (["--every", "1h", "--", "orders", "--to", "x", "--jq", ".a\n.b"], "control character"),
        ])
    func usage(arguments: [String], saying: String) async throws {
        try await Sandbox.run { sandbox in
            expectFailure(
                try await sandbox.clover(["export", "schedule"] + arguments), status: 64, saying: saying)
        }
    }

    @Test(
        "what the export would refuse is refused now, with the same message and status",
        arguments: [
            (["nosuch"], 64, "unknown path 'nosuch'"), (["orders", "--since", "garbage"], 64, "is not a time"),
            (["orders", "--until", "garbage"], 64, "is not a time"), (["orders", "--day", "foo"], 64, "is not a day"),
            (["orders", "--day", "today", "--day-start", "99"], 64, "is not a time of day"),
            (["customers", "--since", "-7d"], 64, "--since does not apply to customers"),
            (["orders", "--name", "{foo}"], 64, "--name has no {foo}"),
            (["orders", "items", "--name", "x"], 64, "add {resource} to it"),
            (["orders", "--name", "{resource}.ndjson"], 64, "add {window} to it"),
            (["orders", "--with", "nosuch"], 64, "has no parts 'nosuch'"),
            (["orders", "--expand", "nosuch"], 64, "nosuch"),
            (["orders", "--jq", "select("], 65, "does not compile"),
            (["orders", "--time-zone", "Mars/X"], 64, "Mars/X"), (["orders", "--overlap", "x"], 64, "x"),
            (["orders", "--jitter", "x"], 64, "x"), (["items", "--via", "export-api"], 64, "orders and payments"),
            (["orders", "--profile", "nosuch"], 77, "nosuch"), (["orders", "--profiles", "nosuch"], 77, "nosuch"),
        ] as [([String], Int32, String)])
    func unusable(export: [String], status: Int32, saying: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover(
                ["export", "schedule", "--every", "1h", "--"] + export + ["--to", sandbox.directory["out"]])
            expectFailure(result, status: status, saying: saying)
            #expect(!FileManager.default.fileExists(atPath: sandbox.directory["out"]))
        }
    }
}
