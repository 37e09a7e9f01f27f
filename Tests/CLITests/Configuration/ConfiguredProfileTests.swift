import CloverTestSupport
import Testing

@Suite("config: profiles in the file and sign-ins")
struct ConfiguredProfileTests {
    /// Two sign-ins with names, the second of which is the current one.
    private func twoProfiles(_ body: (Sandbox, LoopbackServer) async throws -> Void) async throws {
        try await Sandbox.run(server: { request, _ in
            .page([#"{"id":"\#(request.target.contains("SHOPONE") ? "ONE" : "TWO")"}"#])
        }) { connected, server in
            let sandbox = connected.signedOut
            for (name, merchant) in [("downtown", "SHOPONE"), ("airport", "SHOPTWO")] {
                let login = try await sandbox.clover(
                    "auth", "login", "--with-token", "--profile", name, "--merchant", merchant, "--environment",
                    server.url, input: .text("token-of-\(name)\n"))
                #expect(login.ending == .exited(0), "\(login)")
            }
            try await body(sandbox, server)
        }
    }

    @Test("the file's profile is used; the variable and the flag take precedence")
    func chosen() async throws {
        try await twoProfiles { sandbox, _ in
            try sandbox.configured("profile: downtown\n")
            #expect(try await sandbox.clover("get", "orders").lines == [#"{"id":"ONE"}"#])
            let variable = sandbox.with(["CLOVER_PROFILE": "airport"])
            #expect(try await variable.clover("get", "orders").lines == [#"{"id":"TWO"}"#])
            #expect(try await variable.clover("get", "orders", "--profile", "downtown").lines == [#"{"id":"ONE"}"#])
            let merchant = sandbox.with(["CLOVER_MERCHANT": "SHOPTWO"])
            #expect(try await merchant.clover("get", "orders").lines == [#"{"id":"TWO"}"#])
            #expect(try await sandbox.clover("get", "orders", "--merchant", "SHOPTWO").lines == [#"{"id":"TWO"}"#])
        }
    }

    @Test("auth switch reports that the file takes precedence")
    func switching() async throws {
        try await twoProfiles { sandbox, _ in
            try sandbox.configured("profile: downtown\n")
            let result = try await sandbox.clover("auth", "switch", "airport")
            #expect(result.ending == .exited(0))
            #expect(result.errorText.contains("config.yml line 1 says 'profile: downtown'"), "\(result)")
            let same = try await sandbox.clover("auth", "switch", "downtown")
            #expect(!same.errorText.contains("config.yml"), "\(same)")
            #expect(try await sandbox.clover("auth", "list").lines.count == 2)
        }
    }

    @Test("a section applies to the named profile and to the one chosen by auth switch")
    func sections() async throws {
        try await twoProfiles { sandbox, _ in
            try sandbox.configured("profiles:\n  downtown:\n    format: csv\n")
            let arguments = ["get", "orders", "--fields", "id"]
            #expect(try await sandbox.clover(arguments).outputText == "{\"id\":\"TWO\"}\n")
            #expect(try await sandbox.clover(arguments + ["--profile", "downtown"]).outputText == "id\r\nONE\r\n")
            #expect(try await sandbox.clover("auth", "switch", "downtown").ending == .exited(0))
            #expect(try await sandbox.clover(arguments).outputText == "id\r\nONE\r\n")
            #expect(try await sandbox.clover(arguments + ["--merchant", "SHOPTWO"]).outputText == "{\"id\":\"TWO\"}\n")
        }
    }

    @Test("a profile in the file finds the sign-in of its merchant under another name")
    func byMerchant() async throws {
        try await twoProfiles { sandbox, server in
            try sandbox.configured(
                "profiles:\n  old-town:\n    merchant: SHOPONE\n  harbour:\n    merchant: SHOPTHREE\n  bare:\n    retry: 1\n"
            )
            #expect(
                try await sandbox.clover("get", "orders", "--profile", "old-town").lines == [#"{"id":"ONE"}"#])
            let count = server.requests.count
            expectFailure(
                try await sandbox.clover("get", "orders", "--profile", "harbour"), status: 77, saying: "harbour")
            expectFailure(
                try await sandbox.clover("get", "orders", "--profile", "bare"), status: 77, saying: "'bare'")
            #expect(server.requests.count == count)
        }
    }

    @Test("a sign-in that does not match the file is not used")
    func conflict() async throws {
        try await twoProfiles { sandbox, server in
            try sandbox.configured("profiles:\n  downtown:\n    merchant: SHOPTWO\n")
            expectFailure(
                try await sandbox.clover("get", "orders", "--profile", "downtown"), status: 78,
                saying: "SHOPONE", "config.yml line 3 says 'merchant: SHOPTWO'",
                "config unset merchant --profile downtown")
            #expect(server.requests.isEmpty)
        }
    }

    @Test("a sign-in takes merchant, environment and app from the profile of the file")
    func login() async throws {
        try await Sandbox.run(server: { _, _ in .page([#"{"id":"A"}"#]) }) { connected, server in
            let sandbox = connected.signedOut
            try sandbox.configured(
                "profile: downtown\nprofiles:\n  downtown:\n    merchant: SHOPONE\n    environment: \(server.url)\n")
            let login = try await sandbox.clover("auth", "login", "--with-token", input: .text("token-of-one\n"))
            #expect(login.ending == .exited(0), "\(login)")
            #expect(login.errorText.contains("SHOPONE") && login.errorText.contains("downtown"), "\(login)")
            expectSuccess(try await sandbox.clover("get", "orders"))
            #expect(server.requests.last?.target.contains("/SHOPONE/") == true)
            #expect(try await sandbox.status()["profile"]?.string == "downtown")
        }
    }
}
