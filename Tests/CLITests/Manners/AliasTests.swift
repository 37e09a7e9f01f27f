import CloverTestSupport
import Testing

@Suite("aliases, and programs named clover-NAME")
struct AliasTests {
    @Test("an alias runs its command line, with $1 replaced and further words at the end")
    func runs() async throws {
        try await Sandbox.run(emulator: ["--orders", "5"], weight: 2) { sandbox, _ in
            let set = try await sandbox.clover("alias", "set", "top", "get orders --sort -$1 --jq .id")
            #expect(set.ending == .exited(0), "\(set)")
            let result = try await sandbox.clover("top", "total", "--limit", "2")
            expectSuccess(result)
            let plain = try await sandbox.clover(
                "get", "orders", "--sort", "total:desc", "--jq", ".id", "--limit", "2")
            #expect(result.outputText == plain.outputText)
            #expect(result.lines.count == 2)
            expectFailure(
                try await sandbox.clover("top"), status: 64, saying: "the alias 'top' needs a word after it")
        }
    }

    @Test("aliases are listed, changed and deleted; comments of the file stay")
    func list() async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.clover("alias", "list"))
            _ = try await sandbox.clover("alias", "set", "a", "get orders")
            try sandbox.directory.write("config/aliases", "# mine\na = get orders\nb = version\n".utf8)
            _ = try await sandbox.clover("alias", "set", "a", "get items --filter 'name=Flat White'")
            let listed = try await sandbox.clover("alias", "list")
            #expect(
                listed.lines == [
                    #"{"alias":"a","command":"get items --filter 'name=Flat White'"}"#,
                    #"{"alias":"b","command":"version"}"#,
                ], "\(listed)")
            #expect(try await sandbox.clover("alias", "list", "--jq", ".alias", "-r").lines == ["a", "b"])
            #expect(try await sandbox.clover("alias", "delete", "a").ending == .exited(0))
            #expect(try await sandbox.shell("cat config/aliases").lines == ["# mine", "b = version"])
            expectFailure(try await sandbox.clover("alias", "delete", "a"), status: 66, saying: "there is no alias 'a'")
        }
    }

    @Test(
        "what cannot be an alias is refused, and nothing is written",
        arguments: [
            (["get", "version"], "'get' is a command"), (["Top", "version"], "'Top' cannot be the name"),
            (["top", "nope"], "begins with a command of clover, not with 'nope'"),
            (["top", "get 'orders"], "a quote that is not closed"),
            (["top", "version\nget = version"], "more than one line"),
        ])
    func refused(_ words: [String], _ message: String) async throws {
        try await Sandbox.run { sandbox in
            expectFailure(try await sandbox.clover(["alias", "set"] + words), status: 64, saying: message)
            #expect(!sandbox.directory.files(below: "").contains("config/aliases"))
        }
    }

    @Test("a file that is damaged is named, only where an alias could be meant")
    func damaged() async throws {
        try await Sandbox.run { sandbox in
            _ = try await sandbox.clover("alias", "set", "a", "version")
            try sandbox.directory.write("config/aliases", "a = version\nno alias\n".utf8)
            expectFailure(try await sandbox.clover("a"), status: 78, saying: "line 2, is not NAME = COMMAND")
            expectSuccess(try await sandbox.clover("version"))
        }
    }

    @Test("clover NAME runs clover-NAME with its words and without the token, and its status is the status")
    func program() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, _ in
            let script = "echo \"$# $1 $2 [$CLOVER_ACCESS_TOKEN] [$CLOVER_MERCHANT_ID]\"\nexit 3"
            try sandbox.directory.makeFolder("bin")
            _ = try await sandbox.makeScript("bin/clover-hello", script)
            // It cannot take the place of a command.
            _ = try await sandbox.makeScript("bin/clover-version", script)
            let own = sandbox.with(["PATH": "\(sandbox.directory["bin"]):/usr/bin:/bin"])
            let result = try await own.clover("hello", "--x", "a b")
            #expect(result.ending == .exited(3), "\(result)")
            #expect(result.lines == ["2 --x a b [] [\(Sandbox.merchantID)]"], "\(result)")
            expectSuccess(try await own.clover("version"))
            expectFailure(try await own.clover("hullo"), status: 64, saying: "there is no command 'hullo'")
            _ = try await sandbox.shell("printf '#!/no/such\\n' >bin/clover-odd && chmod 700 bin/clover-odd")
            expectFailure(try await own.clover("odd"), status: 78, saying: "the interpreter")
            // A file that is open for writing cannot be executed (execve(2), ETXTBSY): an update may be writing it.
            let busy = try await own.shell(
                "exec 3>>bin/clover-hello; { sleep 0.3; } & exec 3>&-; PATH=$PWD/bin:$PATH clover hello 1 2")
            #expect(busy.ending == .exited(3) && busy.lines == ["2 1 2 [] [\(Sandbox.merchantID)]"], "\(busy)")
        }
    }
}
