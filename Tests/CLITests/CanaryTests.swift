import BusTestSupport
import CloverTestSupport
import Foundation
import Testing

/// Secrets go where they belong and nowhere else.
@Suite("auth: no secret is ever seen")
struct CanaryTests {
    /// How much every command is made to say.
    static let talk = [["--verbose"], ["--verbose", "--json"], ["--debug", "all"]]

    @Test("every auth command, in success and in failure, shows no secret", arguments: talk)
    func everyCommand(_ flags: [String]) async throws {
        try await world { world in
            try await world.browserSignIns(flags)
            try await world.receivedSignIns(flags)
            try await world.keptSignIns(flags)
            try await world.legacySignIns(flags)
            try await world.children(flags)
            #expect(try world.evidence.secrets().count >= 20)
            #expect(world.evidence.count >= 60)
            try world.evidence.expectNothingLeaked(inputs: CanaryWorld.inputs)
        }
    }

    @Test("with the keyring no secret is in a message, an address or a file", arguments: talk)
    func keyring(_ flags: [String]) async throws {
        try await world { world in
            let bus = try await PrivateBus()
            let daemon = try await KeyringDaemon(on: bus, password: "test")
            let desk = world.sandbox.with(bus.variables.filter { $0.key.hasPrefix("DBUS_") }).withState("keyring")
            // Each step has the two seconds that a keyring gets, which a busy machine may let pass.
            func run(_ arguments: [String], givesToken: Bool = false) async throws -> CommandResult {
                var result = try await world.evidence.run(arguments + flags, in: desk, givesToken: givesToken)
                for _ in 0..<60 where result.errorText.contains("did not answer") {
                    result = try await world.evidence.run(arguments + flags, in: desk, givesToken: givesToken)
                }
                return result
            }
            try await desk.receiveIntoKeyring(world.service)
            let (login, page) = try await world.login(["--keyring"] + flags, in: desk)
            world.evidence.add("the page after a login", page)
            #expect(login.status == 0 || login.errorText.contains("did not answer"), "\(login)")
            for command in [["status"], ["status", "--check"], ["list"], ["refresh"], ["status"]] {
                let result = try await run(["auth"] + command)
                #expect(result.status == 0, "\(result)")
            }
            let token = try await run(["auth", "token"], givesToken: true)
            #expect(token.status == 0, "\(token)")
            let secrets = try world.evidence.secrets()
            // What is searched for is what the keyring holds.
            #expect(secrets.contains { token.outputText.contains($0) })
            for file in desk.directory.files(below: "keyring") {
                let text = String(decoding: try desk.directory.read(file), as: UTF8.self)
                for secret in secrets { #expect(!text.contains(secret), "\(secret.prefix(12))... in \(file)") }
            }
            try await daemon.stop()
            for command in [["token"], ["refresh"], ["status"], ["list"], ["logout"]] {
                let result = try await world.evidence.run(["auth"] + command + flags, in: desk)
                #expect(result.status != 0 || command == ["list"], "\(result)")
            }
            try world.evidence.expectNothingLeaked(inputs: CanaryWorld.inputs)
            withExtendedLifetime(bus) {}
        }
    }

    static let hostile = [
        "message-400", "message-401", "message-403", "text-400", "page-401", "message-500", "page-502", "redirect-302",
        "limit-429", "unreadable-200",
    ]

    @Test("a service that repeats what it was sent makes no command repeat it", arguments: hostile)
    func hostileService(_ kind: String) async throws {
        try await world { world in
            for (number, flags) in Self.talk.enumerated() {
                try await world.sandbox.receive(world.service)
                try world.sandbox.expireAccessToken()
                try world.relay.answerTokenCalls(with: kind)
                for arguments in [["auth", "refresh"], ["auth", "token"], ["get", "merchant"], ["auth", "status"]] {
                    let result = try await world.evidence.run(arguments + flags)
                    if arguments != ["auth", "status"] { #expect(result.status >= 64, "\(result)") }
                }
                for options in [["--code-verifier-file", "verifier"], ["--app-secret-file", "app-secret"]] {
                    let received = try await world.receive(options + flags, challenge: options[0].hasPrefix("--code"))
                    #expect(received.status >= 64, "\(received)")
                }
                let legacy = world.sandbox.withState("legacy-\(number)")
                try await world.keepLegacyToken(in: legacy, flags)
                let migrated = try await world.evidence.run(
                    ["auth", "migrate", "--app-id", world.service.appID] + flags, in: legacy)
                #expect(migrated.status >= 64, "\(migrated)")
                let (login, page) = try await world.login(flags)
                #expect(login.status >= 64, "\(login)")
                world.evidence.add("the page after a failed login", page)
                try world.relay.answerTokenCalls(with: nil)
            }
            #expect(try world.evidence.secrets().count >= 8)
            try world.evidence.expectNothingLeaked(inputs: CanaryWorld.inputs)
        }
    }

    @Test("damaged credential files are not quoted", arguments: talk)
    func damagedFiles(_ flags: [String]) async throws {
        try await world { world in
            try await world.sandbox.receive(world.service)
            world.evidence.plantKeptTokens(world.sandbox)
            let file = try world.sandbox.tokenFile()
            let whole = String(decoding: try world.sandbox.directory.read(file), as: UTF8.self)
            let tokens = try world.sandbox.keptTokens()
            let damaged = [
                String(whole.dropLast(20)),
                whole.replacing("\"kind\":\"oauth\"", with: "\"kind\":\"\(tokens.access)\""),
                whole.replacing(tokens.access, with: "two words \(tokens.access)"), tokens.access,
                whole.replacing("\"version\":1", with: "\"version\":2"),
            ]
            for text in damaged {
                try world.sandbox.directory.overwrite(file, Array(text.utf8))
                for command in [["status"], ["list"], ["token"], ["refresh"], ["status", "--check"]] {
                    let result = try await world.evidence.run(["auth"] + command + flags)
                    #expect(result.status == 78, "\(result)")
                }
            }
            try world.evidence.expectNothingLeaked(inputs: CanaryWorld.inputs)
        }
    }

    @Test(
        "a process that dies of a signal leaves no core file, whatever the limit says",
        arguments: ["QUIT", "ABRT", "SEGV"])
    func coreFiles(_ signal: String) async throws {
        let pattern = try String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)
        try await Sandbox.run(weight: 2) { sandbox in
            let emulator = try await EmulatorProcess([
                "--orders", "20", "--auto-approve", "--oauth-answer-delay", "60s",
            ])
            let quick = try await EmulatorProcess(["--orders", "20", "--auto-approve"])
            try await sandbox.receive(SignInService(quick))
            // The same sign-in at a service that does not respond: the name of the file says where it goes.
            let kept = try sandbox.tokenFile()
            let text = String(decoding: try sandbox.directory.read(kept), as: UTF8.self)
            let port = { (url: String) in String(url.reversed().prefix { $0 != ":" }.reversed()) }
            let moved = kept.replacing(port(quick.url), with: port(emulator.url))
            try sandbox.directory.write(moved, text.replacing(quick.url, with: emulator.url).utf8)
            try sandbox.directory.makeFolder("cores")
            let secret = try #require(text.firstMatch(of: /"refreshToken":"([^"]+)"/)).1

            let line =
                "ulimit -c unlimited && cd cores && exec clover auth refresh --environment \(emulator.url)"
            let command = try sandbox.startShell(line)
            let journal = sandbox.directory[moved.dropLast(".json".count) + ".refresh.json"]
            try await sandbox.eventually("a token that is being sent") {
                FileManager.default.fileExists(atPath: journal)
            }
            let number: Int32 = ["QUIT": SIGQUIT, "ABRT": SIGABRT, "SEGV": SIGSEGV][signal] ?? SIGKILL
            command.send(number)
            let result = try await command.result()
            #expect(result.ending == .signalled(number), "\(result)")
            #expect(sandbox.directory.files(below: "cores") == [])
            #expect(!result.errorText.contains(secret))

            // The same death of a program that does nothing about it, to see that there would be a file.
            try sandbox.directory.makeFolder("control")
            let control = try sandbox.startShell("ulimit -c unlimited && cd control && exec sleep 60")
            try await sandbox.eventually("the sleep") {
                FileManager.default.contents(atPath: "/proc/\(control.pid)/comm") == Data("sleep\n".utf8)
            }
            control.send(number)
            #expect(try await control.result().ending == .signalled(number))
            let leavesFiles = !pattern.hasPrefix("|") && !pattern.hasPrefix("/")
            #expect(!leavesFiles || !sandbox.directory.files(below: "control").isEmpty)
        }
    }

    private func world(_ body: (CanaryWorld) async throws -> Void) async throws {
        try await Sandbox.run(weight: 2) { given in
            let sandbox = given.limited(to: .seconds(60))
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve"])
            let relay = try await RecordingRelay(to: emulator)
            let world = CanaryWorld(
                sandbox: sandbox, service: SignInService(emulator, at: relay.url), relay: relay,
                evidence: CanaryEvidence(sandbox, relay))
            try sandbox.directory.write("verifier", KnownProof.verifier.utf8)
            try sandbox.directory.write("app-secret", emulator.appSecret.utf8)
            try sandbox.directory.write("wrong-verifier", CanaryWorld.wrongVerifier.utf8)
            try sandbox.directory.write("wrong-secret", CanaryWorld.wrongSecret.utf8)
            for secret in [
                emulator.appSecret, KnownProof.verifier, CanaryWorld.wrongVerifier, CanaryWorld.wrongSecret,
                CanaryWorld.staticToken,
            ] { world.evidence.plant(secret) }
            try await body(world)
        }
    }
}
