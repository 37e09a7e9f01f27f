import CloverTestSupport
import Foundation
import Testing

/// Sign-ins of several machines in one database, by the built program.
@Suite("auth, doctor: sign-ins in PostgreSQL")
struct StateSignInTests {
    /// Two machines that share a database, before any sign-in.
    private func machines(
        _ body: (Sandbox, Sandbox, EmulatorProcess, SignInService) async throws -> Void
    ) async throws {
        let server = try await PostgreSQLServer.shared
        try await Sandbox.beforeSignIn { sandbox, emulator, service in
            let first = sandbox.with(["CLOVER_STATE": try await ServedDatabase(server).address])
            expectSuccess(try await first.clover("state", "init", "-q"))
            try await body(first, first.withState("second"), emulator, service)
        }
    }

    @Test("--max-time counts from the start of the run, for all its sessions together")
    func wholeTime() async throws {
        let server = try await PostgreSQLServer.shared
        try await Sandbox.beforeSignIn { sandbox, _, service in
            let database = try await ServedDatabase(server)
            let direct = sandbox.with(["CLOVER_STATE": database.address])
            expectSuccess(try await direct.clover("state", "init", "-q"))
            let (login, _) = try await direct.login(service, ["--profile", "downtown"])
            #expect(login.ending == .exited(0), "\(login)")
            let relay = try await PostgreSQLRelay(to: server, at: 0, "before", "late")
            // Two sessions read the sign-in, and one counts requests.
            let late = sandbox.with(["CLOVER_STATE": relay.address(of: database.name)])
            expectFailure(
                try await late.clover("get", "orders", "--profile", "downtown", "--max-time", "2.5s"), status: 75,
                saying: "postgresql://", "clover state check")
        }
    }

    @Test("login, status, get, refresh, token, list, logout: what one machine does holds for the other")
    func wholeWay() async throws {
        try await machines { given, other, emulator, service in
            let (login, _) = try await given.login(service, ["--profile", "downtown"])
            #expect(login.ending == .exited(0), "\(login)")
            let (first, second) = (
                given.with(["CLOVER_PROFILE": "downtown"]), other.with(["CLOVER_PROFILE": "downtown"])
            )
            for machine in [first, second] {
                let status = try await machine.status()
                #expect(status["loggedIn"] == .bool(true))
                #expect(status["merchant"]?.string == service.merchantID)
                expectSuccess(try await machine.clover("get", "orders", "--limit", "3"))
                let list = try await machine.clover("auth", "list", "--json")
                #expect(try JSONValue(list.outputText)["profile"]?.string == "downtown", "\(list)")
            }
            func token(_ machine: Sandbox) async throws -> String {
                let result = try await machine.clover("auth", "token")
                expectSuccess(result)
                return result.outputText
            }
            let before = try await token(first)
            let renewed = try await second.clover("auth", "refresh")
            #expect(renewed.ending == .exited(0), "\(renewed)")
            let after = try await token(first)
            #expect(after != before)
            #expect(try await token(second) == after)
            #expect(try await emulator.stats().refreshes == 1)

            let check = try JSONValue(try await second.clover("state", "check").outputText)
            #expect(check["signIns"]?.integer == 1, "\(check)")
            for machine in [first, second] {
                let doctor = try await machine.withoutBuses.doctor()
                #expect(doctor.failed == [], "\(doctor.result.outputText)")
                #expect(machine.credentialFiles() == [])
            }

            let logout = try await second.clover("auth", "logout")
            #expect(logout.ending == .exited(0), "\(logout)")
            for machine in [first, second] {
                expectFailure(
                    try await machine.clover("get", "orders"), status: 77,
                    saying: "clover auth login")
                let list = try await machine.clover("auth", "list", "--json")
                #expect(list.outputText == "", "\(list)")
            }
        }
    }

    @Test("auth import signs merchants in for all machines, and a second import on another machine changes nothing")
    func imported() async throws {
        let server = try await PostgreSQLServer.shared
        // More than are signed in at a time.
        try await ManyMerchants.world(10, ["--no-limits"]) { given, service, merchants, _ in
            let first = given.with(["CLOVER_STATE": try await ServedDatabase(server).address])
            expectSuccess(try await first.clover("state", "init", "-q"))
            let secret = try first.directory.write("secret", service.appSecret.utf8)
            let lines = try await ManyMerchants.codes(service, merchants).joined(separator: "\n")
            let words = ["auth", "import", "--app-secret-file", secret]
            for (machine, expected) in [(first, "signedIn"), (first.withState("second"), "kept")] {
                let result = try await machine.clover(arguments: words, input: .text(lines))
                expectSuccess(result)
                let statuses = try result.outputText.split(separator: "\n").map {
                    try JSONValue(String($0))["status"]?.string
                }
                #expect(statuses == merchants.map { _ in expected })
                let read = try await machine.clover(
                    "get", "merchant", "--profiles", "all", "--jq", ".merchant.id", "-r")
                expectSuccess(read)
                #expect(read.outputText.split(separator: "\n").map(String.init) == merchants.sorted())
                #expect(machine.credentialFiles() == [])
            }
        }
    }

    @Test("a machine without the key of the tokens says so, and is not called signed out")
    func withoutKey() async throws {
        try await machines { first, _, _, service in
            try await first.receive(service)
            let other = first.with(["CLOVER_CONFIG_DIR": first.directory["other-config"]])
            expectFailure(
                try await other.clover("get", "orders", "--merchant", service.merchantID), status: 78,
                saying: "state-keys.json", output: "")
        }
    }

    @Test("a key that no machine has is replaced, with the sign-ins that need it or once there are none")
    func lostKey() async throws {
        try await machines { first, _, _, service in
            try await first.receive(service, "--profile", "downtown")
            func machine(_ name: String) -> Sandbox { first.with(["CLOVER_CONFIG_DIR": first.directory[name]]) }
            let second = machine("second-config")
            for words in [["state", "check"], ["state", "key", "rotate"], ["state", "key", "create"]] {
                expectFailure(
                    try await second.clover(words), status: 78, saying: "state-keys.json", "clover state key create",
                    output: nil)
            }
            expectFailure(
                try await second.clover("state", "key", "create"), status: 78, saying: service.merchantID,
                "clover auth logout", "--forget-sign-ins")
            // Another machine has the key, so nothing was lost so far.
            expectSuccess(try await first.clover("auth", "status"))
            let forgot = try await second.clover("state", "key", "create", "--forget-sign-ins")
            for text in ["signed out of", service.merchantID, "replaces", "copy this file"] {
                #expect(forgot.status == 0 && forgot.errorText.contains(text), "\(forgot)")
            }
            // What is known of the key that only the first machine has, and what would show that nothing needs it.
            let shown = try await first.clover("state", "key", "show")
            for text in ["no sign-in of this database needs the key", "add it from a machine that has it"] {
                #expect(shown.status == 0 && shown.errorText.contains(text), "\(shown)")
            }
            #expect(shown.outputText.contains(#""use":"unknown""#), "\(shown)")
            expectFailure(
                try await first.clover("get", "orders", "--profile", "downtown"), status: 77, saying: "downtown",
                output: "")
            try await second.receive(service, "--profile", "downtown")
            expectSuccess(try await second.clover("get", "orders", "--limit", "1", "--profile", "downtown"))
            #expect(try await second.clover("state", "check").status == 0)
            expectFailure(
                try await second.clover("state", "key", "remove", "0123456789abcdef"), status: 66,
                saying: "there is no key '0123456789abcdef' in \(second.directory["second-config"])/state-keys.json",
                "clover state key show", output: "")
            let third = machine("third-config")
            #expect(try await third.clover("auth", "logout", "--all").status == 0)
            let made = try await third.clover("state", "key", "create")
            #expect(made.status == 0 && made.errorText.contains("replaces"), "\(made)")
            try await third.receive(service, "--profile", "downtown")
            expectSuccess(try await third.clover("get", "orders", "--limit", "1", "--profile", "downtown"))
        }
    }

    @Test("doctor names new tokens that the database lacks, and removes those of a sign-in that has ended")
    func leftTokens() async throws {
        try await machines { first, _, _, service in
            try await first.receive(service, "--profile", "downtown")
            let file = try first.directory.write("state/unstored-0123456789abcdef.json", "{}".utf8)
            let doctor = try await first.withoutBuses.doctor()
            #expect(doctor.text("credentials").contains(file), "\(doctor.result.outputText)")
            #expect(doctor.text("credentials").contains("clover doctor --fix"), "\(doctor.result.outputText)")
            let mended = try await first.withoutBuses.doctor("--fix")
            #expect(mended.text("credentials").contains("removed \(file)"), "\(mended.result.outputText)")
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }
}
