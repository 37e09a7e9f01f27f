import CloverTestSupport
import Foundation
import Testing

/// One refresh for any number of processes.
@Suite("auth: many processes, one refresh", .serialized)
struct RefreshStormTests {
    @Test("64 processes started together on an expired token: one refresh, 64 successes, one token")
    func expired() async throws {
        let rounds = Scale.pick(2, full: 20)
        try await Sandbox.run(weight: 4) { given in
            let sandbox = given.limited(to: .seconds(180))
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve"], limit: .seconds(1800))
            try await sandbox.receive(SignInService(emulator))
            for round in 1...rounds {
                let old = try sandbox.keptTokens()
                try sandbox.expireAccessToken()
                // No process renews before all are in the queue.
                let barrier = try LockBarrier(sandbox.directory[try sandbox.tokenFile() + ".lock"])
                let commands = try (0..<64).map { number in
                    try sandbox.start(
                        (number % 2 == 0 ? ["auth", "token"] : ["get", "merchant", "-r", "--jq", ".id"]) + ["--verbose"]
                    )
                }
                for command in commands { try await command.waitForErrors(containing: "waiting for it") }
                #expect(try await emulator.stats().refreshes == round - 1)
                barrier.open()
                var tokens: Set<String> = []
                for (number, command) in commands.enumerated() {
                    let result = try await command.result()
                    #expect(result.ending == .exited(0), "round \(round): \(result)")
                    if number % 2 == 0 {
                        tokens.insert(result.outputText)
                    } else {
                        #expect(result.lines == [emulator.merchantID], "\(result)")
                    }
                }
                let kept = try sandbox.keptTokens()
                #expect(tokens == [kept.access + "\n"])
                #expect(kept.access != old.access && kept.refresh != old.refresh)
                #expect(kept.generation == old.generation + 1)
                let stats = try await emulator.stats()
                #expect(stats.refreshes == round)
                #expect(stats.refreshesRefused == 0)
                #expect(try sandbox.journal() == nil)
            }
            try Scale.report(
                "64 processes at once on an expired token", count: "\(rounds) rounds, \(rounds * 64) processes",
                result: "\(rounds) refreshes, none refused; all succeeded with the same token")
        }
    }

    @Test("16 processes whose token the service refuses: one refresh, 16 successes")
    func refused() async throws {
        try await Sandbox.run(weight: 4) { given in
            let sandbox = given.limited(to: .seconds(120))
            let emulator = try await EmulatorProcess([
                "--orders", "20", "--auto-approve", "--oauth-latency", "500ms",
            ])
            try await sandbox.receive(SignInService(emulator))
            try sandbox.spoilAccessToken()
            let commands = try (0..<16).map { _ in try sandbox.start("get", "merchant", "-r", "--jq", ".id") }
            for command in commands {
                let result = try await command.result()
                #expect(result.ending == .exited(0), "\(result)")
                #expect(result.lines == [emulator.merchantID], "\(result)")
            }
            let stats = try await emulator.stats()
            #expect(stats.refreshes == 1)
            #expect(stats.refreshesRefused == 0)
        }
    }

    @Test("a token that really ends is renewed by the next command, without a word")
    func realEnd() async throws {
        try await Sandbox.signedIn(emulator: ["--access-token-life", "6s"]) { sandbox, emulator, _ in
            var value = try await sandbox.status()
            #expect(value["refreshDue"] == .bool(false))
            #expect(value["loggedIn"] == .bool(true))
            let limit = ContinuousClock.now + .seconds(300)
            while value["refreshDue"] != .bool(true), ContinuousClock.now < limit {
                value = try await sandbox.status()
            }
            #expect(value["refreshDue"] == .bool(true))
            #expect(value["loggedIn"] == .bool(true))
            let result = try await sandbox.clover("get", "merchant", "-r", "--jq", ".id")
            expectSuccess(result)
            #expect(result.lines == [emulator.merchantID])
            #expect(try await emulator.stats().refreshes == 1)
        }
    }

    @Test("a refresh that waits for another process says so with -v, and is not a second one")
    func waiting() async throws {
        try await Sandbox.run(weight: 2) { sandbox in
            let emulator = try await EmulatorProcess([
                "--orders", "20", "--auto-approve", "--oauth-answer-delay", "5s",
            ])
            try await sandbox.receive(SignInService(emulator))
            try sandbox.expireAccessToken()
            let first = try sandbox.start("auth", "token")
            let limit = ContinuousClock.now + .seconds(300)
            while try await emulator.stats().refreshes == 0, ContinuousClock.now < limit {}
            // It goes on when the other one has found it at work, however long that takes.
            first.send(SIGSTOP)
            let second = try sandbox.start("auth", "token", "-v")
            try await second.waitForErrors(containing: "wait")
            first.send(SIGCONT)
            let results = [try await first.result(), try await second.result()]
            for result in results { #expect(result.ending == .exited(0), "\(result)") }
            #expect(results[0].outputText == results[1].outputText)
            #expect(try await emulator.stats().refreshes == 1)
        }
    }

    @Test("when the refreshing process is killed, the first waiter settles the refresh, and no other asks again")
    func killedHolder() async throws {
        try await Sandbox.run(weight: 4) { given in
            let sandbox = given.limited(to: .seconds(240))
            let emulator = try await EmulatorProcess([
                "--orders", "20", "--auto-approve", "--oauth-answer-delay", "5s",
            ])
            try await sandbox.receive(SignInService(emulator))
            try sandbox.expireAccessToken()
            let old = try sandbox.keptTokens()
            let holder = try sandbox.start("auth", "token")
            // The service has rotated, and its response is on its way.
            let limit = ContinuousClock.now + .seconds(300)
            while try await emulator.stats().refreshes == 0, ContinuousClock.now < limit {}
            // It never reads the response, however long the others take to begin.
            holder.send(SIGSTOP)
            let waiting = try (0..<8).map { _ in try sandbox.start("auth", "token", "-v") }
            for command in waiting { try await command.waitForErrors(containing: "wait") }
            holder.send(9)
            #expect(try await holder.result().ending == .signalled(9))
            for command in waiting {
                let result = try await command.result()
                expectFailure(result, status: 77, saying: "never arrived", "clover auth login")
            }
            let stats = try await emulator.stats()
            #expect(stats.refreshes == 1)
            #expect(stats.refreshesRefused == 1)
            #expect(try sandbox.keptTokens() == old)
            #expect(try sandbox.journal()?["state"]?.string == "lost")
        }
    }
}
