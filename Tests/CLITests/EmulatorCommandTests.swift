import CloverTestSupport
import Testing

@Suite("emulator: the command")
struct EmulatorCommandTests {
    @Test("'clover emulator serve' runs the program beside it, whose credential works")
    func serves() async throws {
        try await Sandbox.run { sandbox in
            let server = try sandbox.start("emulator", "serve", "--port", "0", "--orders", "12")
            let ready = try JSONValue(try await server.firstLine())
            #expect(ready["event"]?.string == "ready")
            let promised = ["accessToken", "appId", "appSecret", "event", "merchantId", "url"]
            #expect(promised.allSatisfy(ready.keys.contains))
            let url = try #require(ready["url"]?.string)
            let token = try #require(ready["accessToken"]?.string)
            let merchant = try #require(ready["merchantId"]?.string)
            expectSignedIn(try await sandbox.signIn(token: token, merchant: merchant, environment: url))
            let result = try await sandbox.clover("get", "orders", "-r", "--jq", ".id")
            expectSuccess(result)
            #expect(result.lines.count == 12)
            server.send(2)
            let ended = try await server.result()
            #expect(
                ended.ending == .signalled(2) || ended.ending == .exited(0) || ended.ending == .exited(130), "\(ended)")
        }
    }

    @Test("without the program it is named, and what to do")
    func missing() async throws {
        try await Sandbox.run { sandbox in
            let program = try CommandRunner.builtProgram("clover")
            let alone = try await sandbox.shell("cp '\(program)' alone")
            #expect(alone.status == 0)
            let runner = CommandRunner(
                executable: sandbox.directory["alone"], environment: sandbox.variables)
            expectFailure(try await runner.run(["emulator", "serve"]), status: 78, saying: "clover-emulator", "PATH")
        }
    }

    @Test("wrong options of the emulator end with its own usage error")
    func wrongOptions() async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover("emulator", "serve", "--fault", "nonsense")
            #expect(result.ending == .exited(64), "\(result)")
            #expect(result.errorText.contains("nonsense"))
        }
    }

    @Test(
        "a mistyped --help of the emulator is known for what it is",
        arguments: ["--hlp", "--hepl", "--helpp", "--herp"])
    func nearHelp(_ word: String) async throws {
        let emulator = CommandRunner(executable: try CommandRunner.builtProgram("clover-emulator"), environment: [:])
        for arguments in [[word], ["serve", word]] {
            let result = try await emulator.run(arguments)
            #expect(result.ending == .exited(64), "\(result)")
            #expect(result.errorText.contains("\n  did you mean: --help\n"), "\(result)")
        }
        let far = try await emulator.run(["--no-such-thing"])
        #expect(!far.errorText.contains("did you mean"), "\(far)")
    }
}
