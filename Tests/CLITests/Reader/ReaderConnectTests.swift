import CloverTestSupport
import Foundation
import Testing

@Suite("reader connect, watch, disconnect, list, forget")
struct ReaderConnectTests {
    @Test("an unknown id that looks like that of a device of the merchant's comes with the way to it")
    func deviceIdentifier() async throws {
        try await ReaderWorld.run { world in
            let device = try await world.emulated().clover(
                "reader", "connect", "262d2773-aefe-4550-aead-f8d85f65c1a5")
            expectFailure(device, status: 66, saying: "add --transport cloud")
            let reader = try await world.emulated().clover("reader", "connect", "D4:22:CD:00:00:00")
            expectFailure(reader, status: 66, saying: "no reader D4:22:CD:00:00:00")
            #expect(!reader.errorText.contains("--transport cloud"))
        }
    }

    @Test("an id that a script left empty is refused", arguments: ["connect", "disconnect", "forget"])
    func emptyIdentifier(_ verb: String) async throws {
        try await ReaderWorld.run { world in
            for id in ["", " "] {
                let result = try await world.emulated().clover("reader", verb, id)
                expectFailure(result, status: 64, saying: "the reader's ID is empty")
            }
        }
    }

    @Test("a reader gets ready step by step, and is known afterwards")
    func connects() async throws {
        try await ReaderWorld.run { world in
            let sandbox = try world.emulated()
            let result = try await sandbox.clover("reader", "connect", ReaderWorld.first)
            expectSuccess(result)
            let records = try result.records()
            #expect(
                records.filter { $0["event"]?.string == "state" }.compactMap { $0["state"]?.string } == [
                    "initializing", "ready",
                ])
            let last = try #require(records.last)
            #expect(
                last.keys == [
                    "at", "battery", "event", "firmware", "name", "progress", "reader", "serial", "state", "transport",
                ])
            #expect(last["battery"]?.integer == 87)
            #expect(last["firmware"]?.string == "1.0.14")
            let list = try await sandbox.clover("reader", "list")
            expectSuccess(list)
            let known = try #require(try list.records().first)
            #expect(known["id"]?.string == ReaderWorld.first)
            #expect(known["name"]?.string == ReaderWorld.firstName)
            #expect(known["lastConnected"]?.string != nil)
            let scan = try await sandbox.clover(
                "reader", "scan", "--transport", "driver", "--count", "2", "--timeout", "60s")
            #expect(
                try scan.records().map { $0["previouslyConnected"] } == [JSONValue.bool(true), .bool(false)])
        }
    }

    @Test("firmware and keys are renewed with progress, once")
    func updates() async throws {
        try await ReaderWorld.run { world in
            let sandbox = try world.emulated()
            let first = try await sandbox.clover("reader", "connect", ReaderWorld.second)
            expectSuccess(first)
            var states = try first.records().filter { $0["event"]?.string == "state" }.compactMap {
                $0["state"]?.string
            }
            states = states.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
            #expect(states == ["initializing", "updatingFW", "initializing", "updatingFW", "initializing", "ready"])
            #expect(try first.records().last?["firmware"]?.string == "1.0.14")
            let second = try await sandbox.clover("reader", "connect", ReaderWorld.second)
            expectSuccess(second)
            #expect(!second.outputText.contains("updatingFW"))
        }
    }

    @Test("firmware is not touched below 30 %")
    func lowForUpdate() async throws {
        try await ReaderWorld.run { world in
            let result = try await world.emulated().clover("reader", "connect", ReaderWorld.third)
            expectFailure(
                result, status: 69, saying: "needs new firmware", "24 % (minimum: 30 %)", "charge the reader",
                output: nil)
            #expect(!result.outputText.contains("updatingFW"))
            #expect(try await world.sandbox.clover("reader", "list").output == [])
        }
    }

    @Test("a charge below 20 % is lowBattery, and can be used")
    func lowBattery() async throws {
        try await ReaderWorld.run { world in
            let result = try await world.emulated("--fault low-battery@1").clover(
                "reader", "connect", ReaderWorld.first)
            expectSuccess(result)
            #expect(try result.records().last?["state"]?.string == "lowBattery")
        }
    }

    struct Trouble: Sendable, CustomTestStringConvertible {
        let fault: String
        let status: Int32
        let message: String
        var testDescription: String { fault }
    }

    private static let troubles = [
        Trouble(fault: "busy@1", status: 75, message: "connected to another device"),
        Trouble(fault: "out-of-range@1", status: 69, message: "is out of range, or off"),
        Trouble(fault: "init-failed@1", status: 69, message: "terminal parameters are not available"),
        Trouble(fault: "drop-update@1", status: 69, message: "the update of reader"),
        Trouble(fault: "drop@1", status: 69, message: "the connection to reader"),
    ]

    @Test("trouble ends it with its own status and words", arguments: troubles)
    func trouble(_ trouble: Trouble) async throws {
        try await ReaderWorld.run { world in
            let result = try await world.emulated("--fault \(trouble.fault)").clover(
                "reader", "connect", ReaderWorld.first, "--follow")
            expectFailure(result, status: trouble.status, saying: trouble.message, output: nil)
        }
    }

    @Test("preconditions are named: signed in, a reader to go back to, one that is there")
    func preconditions() async throws {
        try await ReaderWorld.run { world in
            let sandbox = try world.emulated()
            expectFailure(
                try await sandbox.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID").clover("reader", "connect"),
                status: 77, saying: "not signed in")
            expectFailure(
                try await sandbox.clover("reader", "connect"), status: 66, saying: "no reader was connected yet")
            expectFailure(
                try await sandbox.clover("reader", "list", "--last"), status: 66, saying: "no reader was connected yet")
            expectFailure(
                try await sandbox.clover("reader", "connect", "absent"), status: 66, saying: "no reader absent")
            expectFailure(
                try await sandbox.clover("reader", "watch"), status: 66, saying: "no reader is connected")
            expectFailure(
                try await sandbox.clover("reader", "disconnect"), status: 66, saying: "no reader is connected")
        }
    }

    @Test("no id is the last connected one; a name is as good as an id")
    func last() async throws {
        try await ReaderWorld.run { world in
            let sandbox = try world.emulated()
            expectSuccess(try await sandbox.clover("reader", "connect", ReaderWorld.second))
            expectSuccess(try await sandbox.clover("reader", "connect", ReaderWorld.first))
            let again = try await sandbox.clover("reader", "connect")
            expectSuccess(again)
            #expect(try again.records().allSatisfy { $0["reader"]?.string == ReaderWorld.first })
            expectSuccess(try await sandbox.clover("reader", "connect", ReaderWorld.firstName.lowercased()))
            let list = try await sandbox.clover("reader", "list")
            #expect(try list.records().compactMap { $0["id"]?.string } == [ReaderWorld.first, ReaderWorld.second])
            let forgotten = try await sandbox.clover("reader", "forget", ReaderWorld.first)
            #expect(forgotten.ending == .exited(0))
            #expect(
                try await sandbox.clover("reader", "list").records().compactMap { $0["id"]?.string }
                    == [ReaderWorld.second])
            expectFailure(
                try await sandbox.clover("reader", "forget", ReaderWorld.first), status: 66, saying: "no reader")
            #expect(try await sandbox.clover("reader", "forget", "--all").ending == .exited(0))
            #expect(try await sandbox.clover("reader", "list").output == [])
        }
    }

    @Test("a reader that was never connected is found by its name, too; an unknown name is an error")
    func unknownName() async throws {
        try await ReaderWorld.run { world in
            let sandbox = try world.emulated()
            let connected = try await sandbox.clover("reader", "connect", ReaderWorld.firstName.lowercased())
            expectSuccess(connected)
            #expect(try connected.records().allSatisfy { $0["reader"]?.string == ReaderWorld.first })
            expectFailure(
                try await sandbox.clover("reader", "connect", "Clover_Go_000000"), status: 66,
                saying: "no reader Clover_Go_000000")
        }
    }

    @Test("of many processes that connect at once one wins, and the others name the process that has the reader")
    func contenders() async throws {
        try await ReaderWorld.run(weight: 4) { world in
            let sandbox = try world.emulated()
            let commands = try (0..<4).map { _ in
                try sandbox.start("reader", "connect", ReaderWorld.first, "--follow")
            }
            // The losers end by themselves; the winner goes on.
            try await sandbox.eventually("three losers") {
                commands.count { $0.errorsSoFar.contains("is in use by 'reader connect' (process ") } == 3
            }
            let winners = commands.filter { $0.errorsSoFar.isEmpty }
            #expect(winners.count == 1)
            let winner = try #require(winners.first)
            try await winner.waitForOutput("ready") { String(decoding: $0, as: UTF8.self).contains("\"ready\"") }
            for loser in commands where loser.pid != winner.pid {
                let result = try await loser.result()
                expectFailure(result, status: 75, saying: "(process \(winner.pid))")
            }
            expectFailure(
                try await sandbox.clover("reader", "connect", ReaderWorld.second), status: 75,
                saying: "reader \(ReaderWorld.first) is already connected by 'reader connect' (process \(winner.pid))")
            winner.send(15)
            #expect(try await winner.result().ending == .signalled(15))
            expectSuccess(try await sandbox.clover("reader", "connect", ReaderWorld.first))
        }
    }

    @Test("a killed holder frees its reader at once")
    func killedHolder() async throws {
        try await ReaderWorld.run(weight: 2) { world in
            let sandbox = try world.emulated()
            let holder = try sandbox.start("reader", "connect", ReaderWorld.first, "--follow")
            try await holder.waitForOutput("ready") { String(decoding: $0, as: UTF8.self).contains("\"ready\"") }
            holder.send(9)
            _ = try await holder.result()
            expectSuccess(try await sandbox.clover("reader", "connect", ReaderWorld.first))
        }
    }

    @Test("watch begins with the current state, reports each change once, and ends with the session")
    func watch() async throws {
        try await ReaderWorld.run { world in
            let sandbox = try world.emulated()
            let holder = try sandbox.start("reader", "connect", ReaderWorld.first, "--follow")
            try await holder.waitForOutput("ready") { String(decoding: $0, as: UTF8.self).contains("\"ready\"") }
            let watch = try sandbox.start("reader", "watch")
            let present = try JSONValue(try await watch.firstLine())
            #expect(present["state"]?.string == "ready")
            #expect(present["reader"]?.string == ReaderWorld.first)
            // At a tenth of its pauses the battery loses a percent every three seconds.
            try await watch.waitForOutput("a change of the battery") {
                String(decoding: $0, as: UTF8.self).contains("\"battery\":86")
            }
            let ended = try await sandbox.clover("reader", "disconnect", ReaderWorld.firstName)
            #expect(ended.ending == .exited(0), "\(ended)")
            let result = try await watch.result()
            #expect(result.ending == .exited(0), "\(result)")
            let records = try result.records()
            #expect(records.last?["state"]?.string == "disconnected")
            let facts = records.map { [$0["event"], $0["state"], $0["battery"]] }
            for (before, after) in zip(facts, facts.dropFirst()) { #expect(before != after) }
            #expect(try await holder.result().ending == .signalled(15))
        }
    }

    @Test("watch ends when the holder is killed, and says that the session is over")
    func watchKilledHolder() async throws {
        try await ReaderWorld.run { world in
            let sandbox = try world.emulated()
            let holder = try sandbox.start("reader", "connect", ReaderWorld.first, "--follow")
            try await holder.waitForOutput("ready") { String(decoding: $0, as: UTF8.self).contains("\"ready\"") }
            let watch = try sandbox.start("reader", "watch")
            _ = try await watch.firstLine()
            holder.send(9)
            let result = try await watch.result()
            expectSuccess(result)
            #expect(try result.records().last?["state"]?.string == "disconnected")
        }
    }

    @Test("a session that is stopped is ended at the driver too", arguments: [Int32(2), 15])
    func stopped(_ signal: Int32) async throws {
        try await ReaderWorld.run { world in
            let holder = try world.python().start("reader", "connect", "F0:0D:00:00:00:01", "--follow")
            try await holder.waitForOutput("ready") { String(decoding: $0, as: UTF8.self).contains("\"ready\"") }
            holder.send(signal)
            let result = try await holder.result()
            #expect(result.ending == .signalled(signal))
            #expect(try world.asked() == ["hello", "connect", "disconnect", "end"])
            // The event stream reports the end of the session.
            let states = try result.records().filter { $0["event"]?.string == "state" }.compactMap {
                $0["state"]?.string
            }
            #expect(states.suffix(2) == ["ready", "disconnected"], "\(result)")
        }
    }

    @Test("the way that is named by flag is what is meant, however the reader was reached before")
    func namedTransport() async throws {
        try await ReaderWorld.run { world in
            let sandbox = try world.emulated()
            expectSuccess(try await sandbox.clover("reader", "connect", ReaderWorld.first))
            for reader in [[], [ReaderWorld.first], [ReaderWorld.firstName]] {
                expectFailure(
                    try await sandbox.clover(["reader", "connect"] + reader + ["--transport", "ble"]), status: 69,
                    saying: "cannot reach D-Bus")
            }
        }
    }

    @Test("a reader that was reached in two ways is forgotten with both", arguments: ["--all", ReaderWorld.first])
    func forgetsBoth(_ argument: String) async throws {
        try await ReaderWorld.run { world in
            let sandbox = try world.emulated()
            expectSuccess(try await sandbox.clover("reader", "connect", ReaderWorld.first))
            let python = CommandRunner(executable: "/usr/bin/python3", environment: [:])
            let change = """
                import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute("INSERT INTO reader SELECT 'ble', id, \
                name, firmware, serial, model, battery, first_connected, last_connected FROM reader"); c.commit()
                """
            let path = sandbox.directory["state/readers.sqlite"]
            #expect(try await python.run(["-I", "-c", change, path]).ending == .exited(0))
            #expect(try await sandbox.clover("reader", "list").lines.count == 2)
            let forgotten = try await sandbox.clover("reader", "forget", argument)
            #expect(forgotten.ending == .exited(0), "\(forgotten)")
            #expect(forgotten.errorText == "clover: forgotten: \(ReaderWorld.firstName)\n")
            #expect(try await sandbox.clover("reader", "list").lines.isEmpty)
        }
    }

    @Test("a database of a newer version is refused and kept")
    func newerDatabase() async throws {
        try await ReaderWorld.run { world in
            let sandbox = try world.emulated()
            expectSuccess(try await sandbox.clover("reader", "connect", ReaderWorld.first))
            let python = CommandRunner(executable: "/usr/bin/python3", environment: [:])
            let path = sandbox.directory["state/readers.sqlite"]
            let change =
                "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('PRAGMA user_version=99'); c.commit()"
            #expect(try await python.run(["-I", "-c", change, path]).ending == .exited(0))
            let before = try sandbox.directory.read("state/readers.sqlite")
            expectFailure(try await sandbox.clover("reader", "list"), status: 78, saying: "version 99")
            #expect(try sandbox.directory.read("state/readers.sqlite") == before)
        }
    }
}
