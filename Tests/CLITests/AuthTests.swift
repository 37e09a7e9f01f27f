import CloverTestSupport
import Foundation
import Testing

@Suite("auth: signing in and out")
struct AuthTests {
    @Test("login, status, get, logout: the token goes in by stdin and comes out nowhere")
    func wholeWay() async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(2)) }) { connected, server in
            let sandbox = connected.signedOut
            let before = try await sandbox.clover("auth", "status", "--json")
            #expect(before.ending == .exited(77))
            #expect(try JSONValue(before.outputText)["loggedIn"] == .bool(false))

            let login = try await sandbox.signIn(environment: server.url)
            #expect(login.ending == .exited(0), "\(login)")
            #expect(login.output == [])
            expectNoSecret(login)

            let status = try await sandbox.clover("auth", "status", "--json")
            #expect(status.ending == .exited(0), "\(status)")
            let value = try JSONValue(status.outputText)
            #expect(value["loggedIn"] == .bool(true))
            #expect(value["merchant"]?.string == Sandbox.merchantID)
            #expect(value["environment"]?.string == server.url)
            expectNoSecret(status)

            let records = try await sandbox.clover("get", "orders")
            expectSuccess(records)
            #expect(records.lines == Record.orders(2))
            #expect(server.requests.first?.header("Authorization") == "Bearer \(Sandbox.token)")

            let logout = try await sandbox.clover("auth", "logout")
            #expect(logout.ending == .exited(0), "\(logout)")
            #expect(sandbox.directory.files(below: "state/credentials").filter { $0.hasSuffix(".json") } == [])
            for arguments in [["auth", "status"], ["get", "orders"]] {
                let after = try await sandbox.clover(arguments)
                #expect(after.ending == .exited(77), "\(after)")
            }
        }
    }

    @Test("without a credential, get ends with 77 and the command to run")
    func noCredential() async throws {
        try await Sandbox.run { sandbox in
            expectFailure(try await sandbox.clover("get", "orders"), status: 77, saying: "clover auth login")
            let logout = try await sandbox.clover("auth", "logout")
            #expect(logout.ending == .exited(77), "\(logout)")
        }
    }

    @Test("the credential is a file of the user's own, in a folder of the user's own")
    func modes() async throws {
        try await Sandbox.run { sandbox in
            expectSignedIn(try await sandbox.signIn(environment: "sandbox"))
            let file = try sandbox.credentialFile()
            #expect(try mode(of: sandbox.directory[file]) == 0o600)
            #expect(try mode(of: sandbox.directory["state/credentials"]) == 0o700)
            #expect(try mode(of: sandbox.directory["state"]) == 0o700)
            #expect(sandbox.directory.files(below: "home") == [])
            #expect(sandbox.directory.files(below: "config") == [])
        }
    }

    @Test("state goes to XDG_STATE_HOME, and without it below HOME, when CLOVER_STATE_DIR is not set")
    func stateDirectory() async throws {
        try await Sandbox.run { given in
            let sandbox = given.without("CLOVER_STATE_DIR")
            expectSignedIn(try await sandbox.signIn(environment: "sandbox"))
            #expect(!sandbox.directory.files(below: "home/.local/state/clover/credentials").isEmpty)
            let xdg = sandbox.with(["XDG_STATE_HOME": sandbox.directory["xdg"]])
            let other = try await xdg.clover("auth", "status")
            #expect(other.status == 77, "\(other)")
            expectSignedIn(try await xdg.signIn(environment: "sandbox"))
            #expect(!sandbox.directory.files(below: "xdg/clover/credentials").isEmpty)
        }
    }

    struct BadInput: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let input: CommandRunner.Input
    }

    static let badInputs = [
        BadInput(testDescription: "no input", input: .nothing),
        BadInput(testDescription: "stdin not open", input: .closed),
        BadInput(testDescription: "an empty line", input: .text("\n")),
        BadInput(testDescription: "blanks", input: .text("  \t \n")),
        BadInput(testDescription: "control characters", input: .bytes([0x74, 0x01, 0x0a])),
        BadInput(testDescription: "two words", input: .text("Bearer abc\n")),
        BadInput(testDescription: "binary", input: .bytes([0xff, 0xfe, 0x00, 0x0a])),
    ]

    @Test("what cannot be a token is refused and nothing is kept", arguments: badInputs)
    func badToken(_ row: BadInput) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover(
                "auth", "login", "--with-token", "--merchant", "M1", "--environment", "sandbox", input: row.input)
            #expect([64, 65, 74].contains(result.status), "\(result)")
            #expect(result.errorText.hasPrefix("clover: "), "\(result)")
            #expect(sandbox.directory.files(below: "state/credentials").filter { $0.hasSuffix(".json") } == [])
        }
    }

    @Test("the token is the first line, with or without its line break, also with a carriage return")
    func firstLine() async throws {
        for text in [
            "\(Sandbox.token)", "\(Sandbox.token)\n", "\(Sandbox.token)\r\n", "\(Sandbox.token)\nsecond line\n",
        ] {
            try await Sandbox.run(server: { _, _ in .page([]) }) { connected, server in
                let sandbox = connected.signedOut
                let login = try await sandbox.clover(
                    "auth", "login", "--with-token", "--merchant", "M1", "--environment", server.url, input: .text(text)
                )
                #expect(login.status == 0, "\(login)")
                expectSuccess(try await sandbox.clover("get", "orders"))
                #expect(server.requests.first?.header("Authorization") == "Bearer \(Sandbox.token)")
                #expect(server.requests.first?.path == "/v3/merchants/M1/orders")
            }
        }
    }

    @Test(
        "login needs --with-token and a merchant that is one",
        arguments: [
            ["--merchant", "M1"], ["--with-token"], ["--with-token", "--merchant", "../x"],
            ["--with-token", "--merchant", ""],
            ["--with-token", "--merchant", "M1", "--environment", "http://clover.example"],
        ])
    func loginUsage(_ options: [String]) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover(["auth", "login"] + options)
            #expect([64, 77].contains(result.status), "\(result)")
            #expect(sandbox.directory.files(below: "state/credentials").filter { $0.hasSuffix(".json") } == [])
        }
    }

    @Test("the last sign-in is the one that counts; --merchant and --environment pick another")
    func several() async throws {
        try await Sandbox.run(server: { request, _ in
            .page([#"{"id":"\#(request.path.split(separator: "/")[2])"}"#])
        }) { connected, server in
            let sandbox = connected.signedOut
            expectSignedIn(try await sandbox.signIn(token: "t1", merchant: "M1", environment: server.url))
            expectSignedIn(try await sandbox.signIn(token: "t2", merchant: "M2", environment: server.url))
            let program = ["--limit", "1", "-r", "--jq", ".id"]
            let last = try await sandbox.clover(["get", "orders"] + program)
            #expect(last.lines == ["M2"], "\(last)")
            let picked = try await sandbox.clover(["get", "orders", "--merchant", "M1"] + program)
            #expect(picked.lines == ["M1"], "\(picked)")
            let byVariable = try await sandbox.with(["CLOVER_MERCHANT": "M1"]).clover(["get", "orders"] + program)
            #expect(byVariable.lines == ["M1"], "\(byVariable)")
            #expect(server.requests.map { $0.header("Authorization") } == ["Bearer t2", "Bearer t1", "Bearer t1"])
            let unknown = try await sandbox.clover("get", "orders", "--merchant", "M3")
            expectFailure(unknown, status: 77, saying: "M3")
            let logout = try await sandbox.clover("auth", "logout", "--merchant", "M2")
            #expect(logout.ending == .exited(0), "\(logout)")
            expectSuccess(try await sandbox.clover("get", "orders", "--merchant", "M1"))
        }
    }

    @Test("CLOVER_ACCESS_TOKEN with CLOVER_MERCHANT_ID wins over the cache, and needs the merchant")
    func environmentWins() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            expectSignedIn(try await sandbox.signIn(token: "cached", merchant: "CACHED", environment: server.url))
            expectSuccess(try await sandbox.clover("get", "orders"))
            #expect(server.requests.last?.header("Authorization") == "Bearer \(Sandbox.token)")
            #expect(server.requests.last?.path == "/v3/merchants/\(Sandbox.merchantID)/orders")
            let half = try await sandbox.without("CLOVER_MERCHANT_ID").clover("get", "orders")
            #expect(half.status >= 64, "\(half)")
            #expect(half.errorText.contains("CLOVER_MERCHANT"), "\(half)")
        }
    }

    @Test("many sign-ins at once leave whole files, and one of them is the current one")
    func atOnce() async throws {
        try await Sandbox.run(weight: 4) { sandbox in
            let commands = try (0..<16).map { number in
                try sandbox.startLogin(token: "token\(number)", merchant: "M\(number % 4)")
            }
            for command in commands {
                let result = try await command.result()
                #expect(result.ending == .exited(0), "\(result)")
            }
            let files = sandbox.directory.files(below: "state/credentials").filter { $0.hasSuffix(".json") }
            #expect(files.count >= 4)
            for file in files {
                let value = try JSONValue(String(decoding: try sandbox.directory.read(file), as: UTF8.self))
                #expect(value["version"]?.integer == 1)
                #expect(try mode(of: sandbox.directory[file]) == 0o600)
            }
            for number in 0..<4 {
                let status = try await sandbox.clover("auth", "status", "--json", "--merchant", "M\(number)")
                #expect(status.ending == .exited(0), "\(status)")
            }
            let status = try await sandbox.clover("auth", "status")
            #expect(status.ending == .exited(0), "\(status)")
            let left = sandbox.directory.files(below: "state/credentials").filter {
                $0.contains("tmp") || $0.contains("~")
            }
            #expect(left == [])
        }
    }
}

func mode(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
}

extension Sandbox {
    /// The same without the static credential: what is cached counts.
    var signedOut: Sandbox { without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID", "CLOVER_ENVIRONMENT") }

    /// The path of the only credential file, relative to the sandbox.
    func credentialFile() throws -> String {
        let files = directory.files(below: "state/credentials").filter {
            $0.hasSuffix(".json") && $0.contains(Self.merchantID)
        }
        #expect(files.count == 1)
        return try #require(files.first)
    }

    /// Starts a sign-in that is fed its token.
    func startLogin(token: String, merchant: String) throws -> RunningCommand {
        try start(
            ["auth", "login", "--with-token", "--merchant", merchant, "--environment", "sandbox"],
            input: .text(token + "\n"))
    }
}
