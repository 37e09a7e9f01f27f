import CloverTestSupport
import Foundation
import Testing

extension Sandbox {
    /// Runs `body` in a sandbox that is signed in to an emulator by OAuth, through a relay that writes down everything.
    static func signedIn(
        emulator flags: [String] = [], weight: Int = 1,
        _ body: (Sandbox, EmulatorProcess, RecordingRelay) async throws -> Void
    ) async throws {
        try await run(weight: weight) { sandbox in
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve"] + flags)
            let relay = try await RecordingRelay(to: emulator)
            try await sandbox.receive(SignInService(emulator, at: relay.url))
            try await body(sandbox, emulator, relay)
        }
    }

    /// The same before any sign-in, with a service where every user approves.
    static func beforeSignIn(
        _ flags: [String] = [], _ body: (Sandbox, EmulatorProcess, SignInService) async throws -> Void
    ) async throws {
        try await run(weight: 2) { sandbox in
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve"] + flags)
            try await body(sandbox, emulator, SignInService(emulator))
        }
    }

    /// Signs in with a code that is obtained without a listener: the quickest way to a pair of tokens.
    func receive(_ service: SignInService, _ options: String...) async throws {
        let verifier = try directory.write("verifier", KnownProof.verifier.utf8)
        let result = try await clover(
            arguments: [
                "auth", "receive", "--environment", service.url, "--app-id", service.appID, "--code-verifier-file",
                verifier,
            ] + options, input: .text(try await service.approvedAddress() + "\n"))
        try #require(result.ending == .exited(0), "\(result)")
    }

    /// Starts `auth login` and responds as a browser would: through the listener on a free port.
    func login(
        _ service: SignInService, _ options: [String] = []
    ) async throws -> (result: CommandResult, page: String) {
        let (command, address) = try await startLogin(service, options)
        let redirect = try #require(try await Visitor.redirect(of: address))
        let page = try await Visitor.page(redirect)
        return (try await command.result(), page)
    }

    /// Starts `auth login` and gives the address that a browser would be sent to.
    func startLogin(
        _ service: SignInService, _ options: [String] = []
    ) async throws -> (command: RunningCommand, address: String) {
        let command = try start(
            [
                "auth", "login", "--environment", service.url, "--app-id", service.appID, "--no-browser",
                "--callback-port", "0",
            ] + options)
        return (command, try await Self.authorizeAddress(printedBy: command))
    }

    /// The address for the browser, as soon as a command has printed it on a separate line.
    static func authorizeAddress(printedBy command: RunningCommand) async throws -> String {
        try await command.waitForErrors(containing: "/oauth/v2/authorize?")
        // The line may come in parts; the next one follows at once.
        try await command.waitForErrors(matching: "a whole address") { text in
            text.contains(/\/oauth\/v2\/authorize\?[^\s"]+["\n]/)
        }
        let match = command.errorsSoFar.firstMatch(of: /http:\/\/[^\s"]+\/oauth\/v2\/authorize\?[^\s"]+/)
        return String(try #require(match).output).replacing("\\/", with: "/")
    }

    /// Runs `clover` with arguments and input.
    func clover(arguments: [String], input: CommandRunner.Input) async throws -> CommandResult {
        try await start(arguments, input: input).result()
    }

    /// Makes a shell script and gives its path. A shell writes it: a file that this process writes may still be open in
    /// a child that another test starts at that time, and could not be executed (execve(2), ETXTBSY).
    func makeScript(_ name: String, _ body: String) async throws -> String {
        var shell = CommandRunner(executable: "/bin/sh", environment: ["BODY": "#!/bin/sh\n\(body)\n"])
        shell.directory = directory.path
        let result = try await shell.run(["-c", "printf %s \"$BODY\" >\(name) && /bin/chmod 700 \(name)"])
        try #require(result.ending == .exited(0), "\(result)")
        return directory[name]
    }

    /// The JSON of `auth status`.
    func status() async throws -> JSONValue {
        let result = try await clover("auth", "status", "--json")
        #expect(result.ending == .exited(0) || result.ending == .exited(77), "\(result)")
        return try JSONValue(result.outputText)
    }
}
