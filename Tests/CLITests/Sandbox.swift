import CloverTestSupport
import Foundation
import Testing

/// One test's own world: home, state and configuration in a temporary folder, and an environment in which `clover` can
/// reach nothing but what the test sets up.
struct Sandbox: Sendable {
    /// The static credential of tests that use a scripted server.
    static let token = "tok-5e0b7c-never-to-be-seen"
    static let merchantID = "TESTMERCHANT1"

    /// Two cores carry this many commands at once without one starving another: half of their time they wait. More are let
    /// through while nothing uses the processors.
    private static let turnstile = {
        let turnstile = WeightedSemaphore(capacity: 10)
        SpareTime.fill(turnstile, most: 10)
        return turnstile
    }()
    /// Tests of more than two commands, one at a time. The others would wait until nothing else runs, with all others behind
    /// them. With `CLOVER_TEST_CROWDS`, up to this number at once while processors are idle: for tests that judge no times.
    private static let crowds = {
        let crowds = WeightedSemaphore(capacity: 1)
        let most = ProcessInfo.processInfo.environment["CLOVER_TEST_CROWDS"].flatMap { Int($0) } ?? 1
        if most > 1 { SpareTime.fill(crowds, most: most - 1) }
        return crowds
    }()

    /// Tests that mostly wait, for a timeout or a slow service: the processors are free for others meanwhile.
    private static let waiters = WeightedSemaphore(capacity: 12)

    let directory: TemporaryDirectory
    /// The variables of every command, beside what a test adds.
    var variables: [String: String]
    /// After this time a command is killed, and the test fails.
    var limit: Duration = .seconds(240)

    private init() throws {
        directory = try TemporaryDirectory()
        variables = [
            "PATH": "/usr/bin:/bin",
            "HOME": try directory.makeFolder("home"),
            "CLOVER_STATE_DIR": directory["state"],
            "CLOVER_CONFIG_DIR": directory["config"],
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "COLUMNS": "80",
        ]
    }

    /// Runs `body` in a new sandbox, when the machine has room for it: `weight` is the number of commands that the test
    /// runs at once; 0 for a test that mostly waits, for a timeout or a slow service.
    static func run<Value>(weight: Int = 1, _ body: (Sandbox) async throws -> Value) async throws -> Value {
        guard weight > 0 else {
            return try await waiters.withWeight(1) { try await timed(weight) { try await body(try Sandbox()) } }
        }
        guard weight > 2 else {
            return try await turnstile.withWeight(weight) { try await timed(weight) { try await body(try Sandbox()) } }
        }
        return try await crowds.withWeight(1) {
            try await turnstile.withWeight(2) { try await timed(weight) { try await body(try Sandbox()) } }
        }
    }

    /// Appends to the file `CLOVER_TEST_TIMES` how long a test took once it was let through, which the test's own time does
    /// not tell: all of them begin at once. A line is seconds, weight, name.
    private static func timed<Value>(_ weight: Int, _ body: () async throws -> Value) async rethrows -> Value {
        guard let path = ProcessInfo.processInfo.environment["CLOVER_TEST_TIMES"] else { return try await body() }
        let began = ContinuousClock.now
        defer {
            let seconds = (ContinuousClock.now - began) / .seconds(1)
            let line = "\(seconds)\t\(weight)\t\(Test.current?.id.description ?? "-")\n"
            if let file = fopen(path, "ae") {
                fputs(line, file)
                fclose(file)
            }
        }
        return try await body()
    }

    /// The same with an emulator, whose merchant and token the commands use.
    static func run<Value>(
        emulator flags: [String], weight: Int = 1, _ body: (Sandbox, EmulatorProcess) async throws -> Value
    ) async throws -> Value {
        try await run(weight: weight) { sandbox in
            // Long proofs in full go on for as long as their commands.
            let emulator = try await EmulatorProcess(flags, limit: Scale.pick(.seconds(600), full: .seconds(14_400)))
            return try await body(sandbox.using(emulator), emulator)
        }
    }

    /// The same with an emulator without rate limits, and commands that do not wait for any.
    ///
    /// - Parameter flags: with `--no-limits`.
    static func run<Value>(
        unpaced flags: [String], weight: Int = 1, _ body: (Sandbox, EmulatorProcess) async throws -> Value
    ) async throws -> Value {
        try await run(emulator: flags, weight: weight) { sandbox, emulator in
            try await body(sandbox.with(["CLOVER_NO_PACING": "1"]), emulator)
        }
    }

    /// The same with a scripted server in place of the emulator.
    static func run<Value>(
        server answer: @escaping LoopbackServer.Answering, weight: Int = 1,
        _ body: (Sandbox, LoopbackServer) async throws -> Value
    ) async throws -> Value {
        try await run(weight: weight) { sandbox in
            let server = try LoopbackServer(answer: answer)
            return try await body(sandbox.using(server.url), server)
        }
    }

    /// A sandbox whose commands talk to this address with the static credential.
    func using(_ url: String) -> Sandbox {
        with([
            "CLOVER_ENVIRONMENT": url, "CLOVER_ACCESS_TOKEN": Self.token, "CLOVER_MERCHANT_ID": Self.merchantID,
        ])
    }

    func using(_ emulator: EmulatorProcess) -> Sandbox {
        with([
            "CLOVER_ENVIRONMENT": emulator.url, "CLOVER_ACCESS_TOKEN": emulator.accessToken,
            "CLOVER_MERCHANT_ID": emulator.merchantID,
        ])
    }

    /// A sandbox with more variables, in the same folders.
    func with(_ more: [String: String]) -> Sandbox {
        var copy = self
        copy.variables.merge(more) { $1 }
        return copy
    }

    func without(_ names: String...) -> Sandbox {
        var copy = self
        for name in names { copy.variables[name] = nil }
        return copy
    }

    func limited(to limit: Duration) -> Sandbox {
        var copy = self
        copy.limit = limit
        return copy
    }

    /// Runs `clover` to its end.
    func clover(
        _ arguments: String..., input: CommandRunner.Input = .nothing, output: CommandRunner.Output = .kept
    ) async throws -> CommandResult {
        try await runner().run(arguments, input: input, output: output)
    }

    func clover(_ arguments: [String], output: CommandRunner.Output = .kept) async throws -> CommandResult {
        try await runner().run(arguments, output: output)
    }

    /// Starts `clover`.
    func start(_ arguments: String...) throws -> RunningCommand { try start(arguments) }

    func start(_ arguments: [String], input: CommandRunner.Input = .nothing) throws -> RunningCommand {
        try runner().start(arguments, input: input)
    }

    /// Starts `clover` on a separate terminal, of a kind that has colours and moves the cursor.
    /// - Parameter output: a file for its stdout, instead of the terminal.
    func startOnTerminal(
        _ arguments: [String], columns: Int = 80, rows: Int = 24, output: String? = nil
    ) throws -> TerminalSession {
        var runner = try runner()
        if runner.environment["TERM"] == nil { runner.environment["TERM"] = "xterm-256color" }
        return try runner.startOnTerminal(arguments, columns: columns, rows: rows, output: output)
    }

    /// Runs a line of bash on a separate terminal, in which `clover` is the built program.
    func startShellOnTerminal(_ line: String, columns: Int = 80, rows: Int = 24) throws -> TerminalSession {
        var shell = try runner()
        shell.executable = "/bin/bash"
        let folder = try CommandRunner.builtProgram("clover").dropLast("/clover".count)
        shell.environment["PATH"] = "\(folder):/usr/bin:/bin"
        if shell.environment["TERM"] == nil { shell.environment["TERM"] = "xterm-256color" }
        return try shell.startOnTerminal(["-c", line], columns: columns, rows: rows)
    }

    /// Runs `clover` to its end with its stdout thrown away, and measures its memory.
    func measured(_ arguments: [String]) async throws -> MeasuredCommand {
        try await MeasuredCommand.run(try runner(), arguments, in: directory)
    }

    /// Runs a line of bash in which `clover` is the built program.
    func shell(_ line: String) async throws -> CommandResult { try await startShell(line).result() }

    func startShell(_ line: String) throws -> RunningCommand {
        var shell = try runner()
        shell.executable = "/bin/bash"
        let folder = try CommandRunner.builtProgram("clover").dropLast("/clover".count)
        shell.environment["PATH"] = "\(folder):/usr/bin:/bin"
        return try shell.start(["-c", line])
    }

    /// Signs in through standard input, as the first command of a session does.
    func signIn(
        token: String = Sandbox.token, merchant: String = Sandbox.merchantID, environment: String
    ) async throws -> CommandResult {
        try await clover(
            "auth", "login", "--with-token", "--merchant", merchant, "--environment", environment,
            input: .text(token + "\n"))
    }

    /// Starts `clover` as nightly work is started, by `nice -n 10`: the local service, which is the judge, is not kept from
    /// its work by crowds of them. `nice(1)` becomes the program, under the same process number.
    func startPolitely(_ arguments: [String]) throws -> RunningCommand {
        var runner = try runner()
        let words = ["-n", "10", runner.executable] + arguments
        runner.executable = "/usr/bin/nice"
        return try runner.start(words)
    }

    private func runner() throws -> CommandRunner {
        var runner = CommandRunner(
            executable: try CommandRunner.builtProgram("clover"), environment: variables, directory: directory.path)
        runner.limit = limit
        return runner
    }
}
