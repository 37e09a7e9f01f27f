import CloverTestSupport
import Foundation
import Testing

@Suite("doctor: everything in order, and what is printed")
struct DoctorTests {
    private static let checks = [
        "configuration", "state", "permissions", "leftovers", "ledger", "database", "credentials", "network", "proxy",
        "tls", "service", "clock", "token", "jq", "curl", "bus", "bluetooth", "adapters", "driver", "keyring",
        "completions",
    ]

    @Test("a signed-in machine has no failure, one finding a check, and status 0; the token stays out of it")
    func healthy() async throws {
        try await Sandbox.run(emulator: ["--now", "clock"]) { sandbox, emulator in
            expectSignedIn(
                try await sandbox.signIn(
                    token: emulator.accessToken, merchant: emulator.merchantID, environment: emulator.url))
            let sandbox = sandbox.withoutBuses.without("CLOVER_ACCESS_TOKEN")
            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1"))
            let report = try await sandbox.doctor()
            #expect(report.result.ending == .exited(0), "\(report.result.outputText)")
            #expect(report.findings.map(\.check) == Self.checks)
            #expect(report.failed == [])
            #expect(report.text("credentials").contains("signed in: merchant \(emulator.merchantID)"))
            #expect(report.text("token").contains("ORDERS_R"), "\(report.text("token"))")
            #expect(report.text("clock").hasPrefix("ok"), "\(report.text("clock"))")
            #expect(report.text("network").contains("is reached at 127.0.0.1:"))
            #expect(!report.result.outputText.contains(emulator.accessToken))
            let line = try JSONValue(try #require(report.result.lines.first))
            #expect(line.keys == ["check", "message", "next", "repairs", "result"])
        }
    }

    @Test("on a new machine nothing is made, and the sign-in is what fails")
    func newMachine() async throws {
        try await Sandbox.run { sandbox in
            let report = try await sandbox.withoutBuses.doctor("--offline")
            #expect(report.result.ending == .exited(78))
            #expect(report.failed == ["credentials"])
            #expect(report.text("credentials").contains("clover auth login"))
            #expect(!FileManager.default.fileExists(atPath: sandbox.directory["state"]))
            for check in ["network", "proxy", "tls", "service", "clock", "token"] {
                #expect(report.of(check).map(\.result) == ["skip"])
            }
        }
    }

    @Test("--offline sends no request")
    func offline() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            let report = try await sandbox.withoutBuses.doctor("--offline")
            #expect(report.result.ending == .exited(0), "\(report.result)")
            #expect(server.connectionCount == 0)
        }
    }

    @Test("on a terminal: a word, the finding, and what mends it below")
    func terminal() async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.withoutBuses.with(["SHELL": "/bin/bash"])
                .cloverOnTerminal("doctor", "--offline", "--skip", "state,jq,curl")
            #expect(result.ending == .exited(78))
            let lines = result.terminalText.split(separator: "\n").map(String.init)
            #expect(lines.contains("fail  not signed in"))
            #expect(lines.contains("        clover auth login --app-id APP"))
            #expect(lines.contains("warn  no completions for bash"))
            #expect(lines.contains("        mkdir -p ~/.local/share/bash-completion/completions"))
            #expect(lines.contains("ok    no files yet"))
        }
    }

    @Test("--skip leaves checks out, and a check that does not exist is wrong usage")
    func skipping() async throws {
        try await Sandbox.run { sandbox in
            let report = try await sandbox.withoutBuses.doctor(
                "--offline", "--skip", "credentials,bus", "--skip", "completions")
            #expect(report.result.ending == .exited(0))
            #expect(report.of("credentials").isEmpty)
            #expect(report.of("bus").isEmpty)
            #expect(report.of("completions").isEmpty)
            let wrong = try await sandbox.clover("doctor", "--skip", "colour")
            expectFailure(wrong, status: 64, saying: "there is no check 'colour'", "credentials")
        }
    }

    @Test("a token that is due to be renewed is not renewed, and a budget that is in use is left alone")
    func leavesTokensAndBudget() async throws {
        try await Sandbox.signedIn { sandbox, emulator, _ in
            try sandbox.expireAccessToken()
            let report = try await sandbox.withoutBuses.doctor()
            #expect(report.text("token").hasPrefix("skip"), "\(report.text("token"))")
            #expect(report.text("credentials").contains("renewed with the next request"))
            let stats = try await emulator.stats()
            #expect(stats.refreshes == 0)
        }
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(
                status: "429 Too Many Requests",
                headers: ["X-RateLimit-tokenLimit: 16", "Retry-After: 3600"], body: [])
        }) { sandbox, server in
            _ = try await sandbox.clover("get", "orders", "--no-retry")
            let before = server.requests.count
            let report = try await sandbox.withoutBuses.doctor()
            #expect(report.text("ledger").contains("the service asked for a pause"), "\(report.result)")
            #expect(report.text("ledger").contains("requests resume in 59 min"), "\(report.text("ledger"))")
            #expect(report.text("token").hasPrefix("skip"))
            #expect(
                report.text("token").contains("the service asked for a pause, which ends in 59 min"),
                "\(report.text("token"))")
            // The one request without a token.
            #expect(server.requests.dropFirst(before).map { $0.header("Authorization") } == [nil])
        }
    }

    @Test("the steps work where a link in their way leads nowhere", arguments: ["the file", "the folder"])
    func deadCompletionLink(_ what: String) async throws {
        try await Sandbox.run { sandbox in
            let sandbox = sandbox.withoutBuses.with(["SHELL": "/usr/bin/bash"])
            let folder = "home/.local/share/bash-completion/completions"
            let link = sandbox.directory[what == "the file" ? folder + "/clover" : folder]
            try sandbox.directory.makeFolder(what == "the file" ? folder : "home/.local/share/bash-completion")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "gone/far")
            let found = try #require(try await sandbox.doctor("--offline").of("completions").first)
            #expect(found.result == "warn")
            for step in found.next { expectSuccess(try await sandbox.shell(step)) }
            #expect(try await sandbox.doctor("--offline").of("completions").map(\.result) == ["ok"])
        }
    }

    @Test("a file in place of the completions that contains none is reported", arguments: ["bash", "zsh", "fish"])
    func foreignCompletions(_ shell: String) async throws {
        try await Sandbox.run { sandbox in
            let sandbox = sandbox.withoutBuses.with(["SHELL": "/usr/bin/\(shell)"])
            let steps = try #require(try await sandbox.doctor("--offline").of("completions").first?.next)
            let making = try #require(steps.first { $0.contains(" >~/") })
            let path = String(try #require(making.split(separator: ">~/").last))
            let file = sandbox.directory["home/\(path)"]
            expectSuccess(try await sandbox.shell("\(steps[0]); echo '# something else' >'\(file)'"))
            let found = try #require(try await sandbox.doctor("--offline").of("completions").first)
            #expect(found.result == "warn")
            #expect(found.message == "~/\(path) contains no clover completions for \(shell)")
            for step in found.next where !step.hasPrefix("and ") {
                expectSuccess(try await sandbox.shell(step))
            }
            #expect(try await sandbox.doctor("--offline").of("completions").map(\.result) == ["ok"])
        }
    }

    @Test(
        "clover completions that are truncated, damaged or from another version are reported, and the steps renew them",
        arguments: ["bash", "zsh", "fish"])
    func damagedCompletions(_ shell: String) async throws {
        try await Sandbox.run { sandbox in
            let sandbox = sandbox.withoutBuses.with(["SHELL": "/usr/bin/\(shell)"])
            let steps = try #require(try await sandbox.doctor("--offline").of("completions").first?.next)
                .filter { !$0.hasPrefix("and ") }
            let path = String(try #require(steps.last?.split(separator: ">~/").last))
            let file = sandbox.directory["home/\(path)"]
            for step in steps { expectSuccess(try await sandbox.shell(step)) }
            // As a package installs it, without the line that names the shell.
            expectSuccess(try await sandbox.shell("sed -i '1{/^#!/d}' '\(file)'"))
            #expect(try await sandbox.doctor("--offline").of("completions").map(\.result) == ["ok"])
            for damage in [
                "truncate --size=-100 '\(file)'", "sed -i '$d' '\(file)'", "sed -i 's/orders/ordesr/' '\(file)'",
                "sed -i '200i x' '\(file)'",
            ] {
                expectSuccess(try await sandbox.shell(damage))
                let found = try #require(try await sandbox.doctor("--offline").of("completions").first)
                #expect(found.result == "warn", "\(damage)")
                #expect(
                    found.message.hasPrefix("~/\(path) differs from what this clover prints for \(shell)"),
                    "\(found.message)"
                )
                for step in found.next where !step.hasPrefix("and ") { expectSuccess(try await sandbox.shell(step)) }
                #expect(try await sandbox.doctor("--offline").of("completions").map(\.result) == ["ok"])
            }
        }
    }

    @Test("each shell has its completions where it looks for them", arguments: ["bash", "zsh", "fish"])
    func completions(_ shell: String) async throws {
        try await Sandbox.run { sandbox in
            let sandbox = sandbox.withoutBuses.with(["SHELL": "/usr/bin/\(shell)"])
            let steps = try #require(try await sandbox.doctor("--offline").of("completions").first)
            #expect(steps.result == "warn")
            // What it says can be run as it stands.
            for step in steps.next where !step.hasPrefix("and ") {
                expectSuccess(try await sandbox.shell(step))
            }
            let after = try await sandbox.doctor("--offline")
            #expect(after.of("completions").map(\.result) == ["ok"])
        }
    }
}
