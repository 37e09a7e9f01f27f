import CloverTestSupport
import Testing

@Suite("profiles: several sign-ins on one machine")
struct ProfileTests {
    /// Two sign-ins with names, the second of which is the current one.
    private func twoProfiles(
        _ body: (Sandbox, LoopbackServer) async throws -> Void
    ) async throws {
        try await Sandbox.run(server: { request, _ in
            .page([#"{"id":"\#(request.target.contains("SHOPONE") ? "ONE" : "TWO")"}"#])
        }) { connected, server in
            let sandbox = connected.signedOut
            for (name, merchant) in [("downtown", "SHOPONE"), ("airport", "SHOPTWO")] {
                let login = try await sandbox.clover(
                    "auth", "login", "--with-token", "--profile", name, "--merchant", merchant, "--environment",
                    server.url, input: .text("token-of-\(name)\n"))
                #expect(login.ending == .exited(0), "\(login)")
                #expect(login.errorText.contains("profile \(name)"), "\(login)")
            }
            try await body(sandbox, server)
        }
    }

    @Test("the last sign-in is the current one; --profile and CLOVER_PROFILE choose another, the flag first")
    func choosing() async throws {
        try await twoProfiles { sandbox, server in
            let current = try await sandbox.clover("get", "orders")
            #expect(current.lines == [#"{"id":"TWO"}"#], "\(current)")
            let byFlag = try await sandbox.clover("get", "orders", "--profile", "downtown")
            #expect(byFlag.lines == [#"{"id":"ONE"}"#], "\(byFlag)")
            #expect(server.requests.last?.header("Authorization") == "Bearer token-of-downtown")
            let byVariable = try await sandbox.with(["CLOVER_PROFILE": "downtown"]).clover("get", "orders")
            #expect(byVariable.lines == [#"{"id":"ONE"}"#], "\(byVariable)")
            let both = try await sandbox.with(["CLOVER_PROFILE": "downtown"])
                .clover("get", "orders", "--profile", "airport")
            #expect(both.lines == [#"{"id":"TWO"}"#], "\(both)")
        }
    }

    @Test("a profile given by flag goes before CLOVER_ACCESS_TOKEN and CLOVER_MERCHANT; CLOVER_PROFILE does not")
    func precedence() async throws {
        try await twoProfiles { sandbox, server in
            let variables = ["CLOVER_ACCESS_TOKEN": "token-of-the-variable", "CLOVER_MERCHANT_ID": "SHOPTWO"]
            let byFlag = try await sandbox.with(variables).clover("get", "orders", "--profile", "downtown")
            #expect(byFlag.lines == [#"{"id":"ONE"}"#], "\(byFlag)")
            #expect(server.requests.last?.header("Authorization") == "Bearer token-of-downtown")
            let noted = try await sandbox.with(variables).clover("get", "orders", "--profile", "downtown", "--verbose")
            #expect(noted.errorText.contains("ignoring CLOVER_ACCESS_TOKEN: --profile takes precedence"), "\(noted)")
            let named = variables.merging(["CLOVER_PROFILE": "downtown", "CLOVER_ENVIRONMENT": server.url]) { $1 }
            let byVariable = try await sandbox.with(named).clover("get", "orders")
            #expect(byVariable.lines == [#"{"id":"TWO"}"#], "\(byVariable)")
            #expect(server.requests.last?.header("Authorization") == "Bearer token-of-the-variable")
            let merchant = try await sandbox.with(["CLOVER_MERCHANT": "SHOPTWO"])
                .clover("get", "orders", "--profile", "downtown")
            #expect(merchant.lines == [#"{"id":"ONE"}"#], "\(merchant)")
        }
    }

    @Test("a profile of the file without a sign-in, beside a token that is set: the hint is not to set the token")
    func profileBesideToken() async throws {
        try await Sandbox.run { given in
            let sandbox = given.with(["CLOVER_ACCESS_TOKEN": "token-of-the-variable", "CLOVER_MERCHANT_ID": "SHOPTWO"])
            try sandbox.configured("profiles:\n  p:\n    merchant: SHOPONE\n    environment: sandbox\n")
            let result = try await sandbox.clover("get", "orders", "--limit", "1", "--profile", "p", "--curl")
            expectFailure(
                result, status: 77, saying: "not signed in", "clover auth login --profile p",
                "leave --profile out: it overrides CLOVER_ACCESS_TOKEN, which is set")
            #expect(!result.errorText.contains("or set CLOVER_ACCESS_TOKEN"), "\(result)")
        }
    }

    @Test("switch takes a profile or a merchant, and list marks the current one")
    func switching() async throws {
        try await twoProfiles { sandbox, _ in
            func current() async throws -> [String?] {
                let list = try await sandbox.clover("auth", "list")
                #expect(list.ending == .exited(0), "\(list)")
                #expect(list.lines.count == 2, "\(list)")
                return try list.lines.map { try JSONValue($0) }.filter { $0["current"] == .bool(true) }
                    .map { $0["profile"]?.string }
            }
            #expect(try await current() == ["airport"])
            #expect(try await sandbox.clover("auth", "switch", "downtown").ending == .exited(0))
            #expect(try await current() == ["downtown"])
            #expect(try await sandbox.clover("get", "orders").lines == [#"{"id":"ONE"}"#])
            #expect(try await sandbox.clover("auth", "switch", "SHOPTWO").ending == .exited(0))
            #expect(try await current() == ["airport"])
            expectFailure(try await sandbox.clover("auth", "switch", "NOSUCHSHOP"), status: 77, saying: "NOSUCHSHOP")
            #expect(try await current() == ["airport"])
        }
    }

    @Test("switch says when CLOVER_PROFILE names another one, which goes before it")
    func switchingBelowVariable() async throws {
        try await twoProfiles { sandbox, _ in
            let sandbox = sandbox.with(["CLOVER_PROFILE": "airport"])
            let other = try await sandbox.clover("auth", "switch", "downtown")
            #expect(other.ending == .exited(0), "\(other)")
            #expect(
                other.errorText.contains("CLOVER_PROFILE is set to 'airport', and commands still use that"),
                "\(other)")
            let same = try await sandbox.clover("auth", "switch", "airport")
            #expect(same.ending == .exited(0), "\(same)")
            #expect(!same.errorText.contains("CLOVER_PROFILE"), "\(same)")
        }
    }

    @Test("an unknown name, a name that cannot be one, and a name in conflict with --merchant are refused")
    func refusals() async throws {
        try await twoProfiles { sandbox, server in
            expectFailure(
                try await sandbox.clover("get", "orders", "--profile", "harbour"), status: 77, saying: "harbour",
                "airport, downtown", "--profile harbour")
            expectFailure(try await sandbox.clover("get", "orders", "--profile", "../x"), status: 64, saying: "../x")
            expectFailure(
                try await sandbox.clover("get", "orders", "--profile", "downtown", "--merchant", "SHOPTWO"), status: 64,
                saying: "downtown", "SHOPONE")
            #expect(server.requests.isEmpty)
        }
    }

    @Test("logout removes the names with the credential, and keeps the other one")
    func leaving() async throws {
        try await twoProfiles { sandbox, _ in
            #expect(try await sandbox.clover("auth", "logout", "--profile", "airport").ending == .exited(0))
            expectFailure(
                try await sandbox.clover("get", "orders", "--profile", "airport"), status: 77, saying: "airport")
            let rest = try await sandbox.clover("get", "orders")
            #expect(rest.lines == [#"{"id":"ONE"}"#], "\(rest)")
            #expect(try await sandbox.clover("auth", "logout", "--all").ending == .exited(0))
            #expect(try await sandbox.clover("auth", "list").output == [])
        }
    }
}
