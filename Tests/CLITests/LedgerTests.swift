import CloverTestSupport
import Foundation
import Testing

@Suite("the rate ledger: damage")
struct LedgerTests {
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (_ ledger: [UInt8]) -> [UInt8]

        init(_ name: String, apply: @escaping @Sendable ([UInt8]) -> [UInt8]) {
            testDescription = name
            self.apply = apply
        }
    }

    static let damages = [
        Damage("empty") { _ in [] },
        Damage("cut in its head") { Array($0.prefix(20)) },
        Damage("cut at its end") { Array($0.dropLast(4)) },
        Damage("random bytes of the same length") { $0.map { _ in UInt8.random(in: 0...255) } },
        Damage("much longer random bytes") { _ in (0..<100_000).map { _ in UInt8.random(in: 0...255) } },
        Damage("zeros") { $0.map { _ in 0 } },
        Damage("one bit turned") { ledger in
            var ledger = ledger
            ledger[ledger.count - 2] ^= 0x10
            return ledger
        },
        // The version is a 32-bit number behind the eight letters of the name, in every version of the format.
        Damage("from a newer version") { ledger in
            var ledger = ledger
            ledger[8] = 200
            return ledger
        },
    ]

    @Test(
        "a damaged ledger is set aside and reported, and the run continues as if the budget were used up",
        arguments: damages)
    func damaged(_ damage: Damage) async throws {
        try await Sandbox.run(emulator: ["--orders", "40"]) { sandbox, emulator in
            expectSuccess(try await sandbox.clover("get", "orders"))
            let file = try sandbox.ledgerFile()
            let broken = damage.apply(try sandbox.directory.read(file))
            try sandbox.directory.overwrite(file, broken)
            let result = try await sandbox.clover("get", "orders")
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.lines.count == 40)
            #expect(result.errorText.contains("clover: ") && result.errorText.contains("ratelimit"), "\(result)")
            let aside = sandbox.directory.files(below: "state/ratelimit").filter { $0.hasPrefix(file + ".") }
            #expect(aside.count == 1, "\(sandbox.directory.files(below: "state/ratelimit"))")
            if let kept = aside.first { #expect(try sandbox.directory.read(kept) == broken) }
            // From then on all is as before, without a word.
            expectSuccess(try await sandbox.clover("get", "orders"))
            #expect(try await emulator.stats().rejectedInAll == 0)
        }
    }

    @Test("-q keeps quiet about it")
    func quiet() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, _ in
            expectSuccess(try await sandbox.clover("get", "orders"))
            try sandbox.directory.overwrite(try sandbox.ledgerFile(), [])
            expectSuccess(try await sandbox.clover("get", "orders", "-q"))
        }
    }

    @Test("a ledger that was deleted counts as used up, not as new")
    func deleted() async throws {
        try await Sandbox.run(emulator: ["--orders", "40"], weight: 2) { sandbox, emulator in
            for _ in 0..<3 {
                let commands = try (0..<8).map { _ in try sandbox.start("get", "orders", "--limit", "1", "-q") }
                for command in commands { expectSuccess(try await command.result()) }
                try FileManager.default.removeItem(atPath: sandbox.directory[try sandbox.ledgerFile()])
            }
            let stats = try await emulator.stats()
            #expect(stats.rejectedInAll == 0)
            #expect(stats.peakPerSecond <= 16)
        }
    }

    /// A separate folder lets a mount stand in front of the kernel's boot identity for one command.
    @Test("a ledger from another boot is set aside")
    func otherBoot() async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(1)) }) { sandbox, _ in
            expectSuccess(try await sandbox.clover("get", "orders"))
            let file = try sandbox.ledgerFile()
            try sandbox.directory.write("boot_id", "11111111-2222-3333-4444-555555555555\n".utf8)
            let result = try await sandbox.shell(
                "\(MountSpace.command) bash -c 'mount --bind boot_id /proc/sys/kernel/random/boot_id"
                    + " && exec clover get orders'")
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.lines == Record.orders(1))
            let aside = sandbox.directory.files(below: "state/ratelimit").filter { $0.hasPrefix(file + ".") }
            #expect(aside.count == 1 && aside[0].contains("boot"), "\(aside)")
        }
    }

    @Test("processes that were killed hold nothing: the next run starts at once")
    func killedHolders() async throws {
        try await Sandbox.run(
            server: { request, _ in
                request.path.hasSuffix("/items") ? .page(Record.orders(1)) : LoopbackResponse(bytes: [], ending: .hold)
            }, weight: 3
        ) { sandbox, server in
            var commands: [RunningCommand] = []
            for count in 1...5 {
                commands.append(try sandbox.start("get", "orders"))
                try await server.waitForRequests(count)
            }
            for command in commands { command.send(9) }
            for command in commands {
                let killed = try await command.result()
                #expect(killed.ending == .signalled(9))
            }
            let result = try await sandbox.clover("get", "items")
            expectSuccess(result)
        }
    }

    @Test("waits for a stopped process that holds the whole budget, and reports it with -v")
    func stoppedHolders() async throws {
        try await Sandbox.run(
            server: { request, _ in
                request.path.hasSuffix("/items") ? .page(Record.orders(1)) : LoopbackResponse(bytes: [], ending: .hold)
            }, weight: 3
        ) { sandbox, server in
            var commands: [RunningCommand] = []
            for count in 1...5 {
                commands.append(try sandbox.start("get", "orders"))
                try await server.waitForRequests(count)
            }
            let waiting = try sandbox.start("get", "items", "-v")
            try await waiting.waitForErrors(containing: "wait")
            #expect(server.requests.count == 5)
            commands[0].send(9)
            let result = try await waiting.result()
            #expect(result.ending == .exited(0), "\(result)")
            withExtendedLifetime(commands) {}
        }
    }

    @Test("a stopped process that keeps requests under way is named, with what ends that")
    func stoppedHolder() async throws {
        try await Sandbox.run(
            server: { request, _ in
                request.path.hasSuffix("/items") ? .page(Record.orders(1)) : LoopbackResponse(bytes: [], ending: .hold)
            }, weight: 0
        ) { sandbox, server in
            let holder = try sandbox.start("get", "orders", "--in-flight", "1")
            try await server.waitForRequests(1)
            holder.send(SIGSTOP)
            let name = "process \(holder.pid) (clover get orders) is stopped and has requests in flight"
            let patient = try sandbox.start("get", "items", "--in-flight", "1")
            try await patient.waitForErrors(
                containing: "\(name); to resume it, run 'kill -CONT \(holder.pid)'; to end it, run")
            let hasty = try await sandbox.clover("get", "items", "--in-flight", "1", "--max-time", "20s")
            #expect(hasty.ending == .exited(83), "\(hasty)")
            #expect(hasty.errorText.contains("ran out after 0 records") && hasty.errorText.contains(name), "\(hasty)")
            let limits = try await sandbox.clover("limits", "--json")
            #expect(limits.outputText.contains("\"stopped\":true"), "\(limits)")
            #expect(server.requests.count == 1)
            holder.send(SIGKILL)
            _ = try await holder.result()
            let result = try await patient.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.lines == Record.orders(1))
        }
    }

    @Test("a process that keeps the ledger locked is named, and waited for as long as --max-time allows")
    func lockedLedger() async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(1)) }, weight: 0) { sandbox, server in
            expectSuccess(try await sandbox.clover("get", "orders"))
            let sent = server.requests.count
            let path = sandbox.directory[try sandbox.ledgerFile()].dropLast("ledger".count) + "lock"
            let holder = try sandbox.startShell(
                "exec flock --no-fork '\(path)' bash -c 'echo held; kill -STOP $$; exit 0'")
            #expect(try await holder.firstLine() == "held")
            let patient = try sandbox.start("get", "orders", "--max-time", "10m")
            try await patient.waitForErrors(containing: " keeps ")
            let hasty = try await sandbox.clover("get", "orders", "--max-time", "20s")
            #expect(hasty.ending == .exited(83), "\(hasty)")
            #expect(hasty.errorText.contains("process \(holder.pid), which was stopped,"), "\(hasty)")
            #expect(hasty.errorText.split(separator: "\n").count { $0.contains("keeps the rate ledger locked") } == 1)
            #expect(server.requests.count == sent)
            holder.send(SIGKILL)
            _ = try await holder.result()
            let result = try await patient.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.lines == Record.orders(1))
        }
    }

    @Test("another token and another service have ledgers of their own")
    func scopes() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            expectSuccess(try await sandbox.clover("get", "orders"))
            expectSuccess(try await sandbox.with(["CLOVER_ACCESS_TOKEN": "other"]).clover("get", "orders"))
            expectSuccess(try await sandbox.using("http://localhost:\(server.port)").clover("get", "orders"))
            let ledgers = sandbox.directory.files(below: "state/ratelimit").filter { $0.hasSuffix(".ledger") }
            #expect(ledgers.count == 3)
            for file in sandbox.directory.files(below: "state/ratelimit") {
                #expect(!file.contains(Sandbox.token))
                let bytes = String(decoding: try sandbox.directory.read(file), as: UTF8.self)
                #expect(!bytes.contains(Sandbox.token))
                #expect(try mode(of: sandbox.directory[file]) & 0o077 == 0)
            }
        }
    }

    @Test("a ledger that cannot be written stops the run with its path")
    func unwritable() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            try sandbox.directory.makeFolder("state")
            try sandbox.directory.write("state/ratelimit", [])
            let result = try await sandbox.clover("get", "orders")
            #expect([73, 74, 78].contains(result.status), "\(result)")
            #expect(result.errorText.contains("state/ratelimit"), "\(result)")
            #expect(server.requests.isEmpty)
        }
    }
}

extension Sandbox {
    /// The path of the only ledger, relative to the sandbox.
    func ledgerFile() throws -> String {
        let files = directory.files(below: "state/ratelimit").filter { $0.hasSuffix(".ledger") }
        #expect(files.count == 1)
        return try #require(files.first)
    }
}

extension TemporaryDirectory {
    /// Changes a file in its place, as damage does.
    func overwrite(_ name: String, _ bytes: [UInt8]) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: self[name]))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }
}
