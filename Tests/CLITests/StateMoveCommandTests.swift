import CloverTestSupport
import Foundation
import Testing

/// `clover state move`, by the built program. It starts programs because kills are what is judged.
@Suite("state move")
struct StateMoveCommandTests {
    /// A machine with a sign-in and a charge in its directory, and a database with tables.
    private func machine(
        _ body: (_ files: Sandbox, _ shared: Sandbox, ChargeFixture, ServedDatabase) async throws -> Void
    ) async throws {
        let server = try await PostgreSQLServer.shared
        try await ChargeFixture.run(emulator: ["--auto-approve"], weight: 2) { given in
            let database = try await ServedDatabase(server)
            let files = given.sandbox.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID", "CLOVER_ENVIRONMENT")
                .limited(to: .seconds(300))
            try await files.receive(
                SignInService(
                    given.emulator, appID: given.emulator.appID, merchantID: given.emulator.merchantID),
                "--profile", "downtown")
            let shared = files.with(["CLOVER_STATE": database.address])
            expectSuccess(try await shared.clover("state", "init", "-q"))
            let charge = try await ChargeFixture(sandbox: files, emulator: given.emulator).charge("12.50", "--quiet")
            expectSuccess(charge)
            try await body(files, shared, ChargeFixture(sandbox: shared, emulator: given.emulator), database)
        }
    }

    @Test("there and back: what was in use goes on in the other place, and the former place says where it is")
    func wholeWay() async throws {
        try await machine { files, shared, fixture, _ in
            for words in [
                ["auth", "list"], ["auth", "status"], ["get", "orders"], ["get", "orders", "--profile", "downtown"],
            ] {
                let result = try await shared.clover(words)
                #expect(result.errorText.contains("not used while state is set: clover state move"), "\(result)")
            }
            let list = try await files.clover("charge", "list", "--json")
            let id = try #require(try JSONValue(list.outputText)["charge"]?.string)
            for words in [["charge", "list"], ["charge", "show", id], ["charge", "refund", id]] {
                let result = try await shared.clover(words)
                #expect(result.status == (words[1] == "list" ? 0 : 66), "\(result)")
                for text in ["clover state move", "CLOVER_STATE=files"] {
                    #expect(result.errorText.contains(text), "\(result)")
                }
            }
            let before = try await shared.withoutBuses.doctor()
            #expect(before.text("credentials").contains("clover state move"), "\(before.result.outputText)")
            let moved = try await shared.clover("state", "move")
            #expect(moved.status == 0 && moved.errorText.contains("1 sign-in, 1 name and 1 charge"), "\(moved)")
            #expect(moved.errorText.contains("which encrypts sign-ins, is in /"), "\(moved)")
            try await expectNothingLeft(shared, [])
            expectSuccess(try await shared.clover("get", "orders", "--limit", "1"))
            expectSuccess(try await fixture.charge("3.00", "--quiet"))
            try await fixture.expectAgreement()
            let listed = try await shared.clover("charge", "list")
            #expect(listed.status == 0 && !listed.errorText.contains("not used"), "\(listed)")
            let check = try await shared.clover("state", "check")
            #expect(check.status == 0 && !check.errorText.contains("not used"), "\(check)")
            let doctor = try await shared.withoutBuses.doctor()
            #expect(doctor.failed == [], "\(doctor.result.outputText)")
            for words in [["get", "orders"], ["auth", "list"], ["charge", "list"]] {
                expectFailure(
                    try await files.clover(words), status: 78, saying: "were moved to postgresql://",
                    "clover config set state", output: "")
            }
            let back = try await shared.clover("state", "move", "--back")
            #expect(back.status == 0 && back.errorText.contains("clover config unset state"), "\(back)")
            #expect(back.errorText.contains("moved 1 sign-in, 1 name and 2 charges"), "\(back)")
            try await expectNothingLeft(shared, ["--back"])
            expectSuccess(try await files.clover("get", "orders", "--limit", "1"))
            let rows = try await files.clover("charge", "list", "--json")
            #expect(rows.status == 0 && rows.lines.count == 2, "\(rows)")
            for words in [["get", "orders"], ["auth", "list"], ["charge", "list"], ["state", "check"]] {
                expectFailure(
                    try await shared.clover(words), status: 78, saying: "were moved to", "clover config unset state",
                    output: "")
            }
        }
    }

    /// Expects that the same move again says what it did: nothing.
    private func expectNothingLeft(_ shared: Sandbox, _ options: [String]) async throws {
        let again = try await shared.clover(["state", "move"] + options)
        #expect(again.status == 0 && again.errorText.contains("nothing was left to move from "), "\(again)")
        #expect(!again.errorText.contains("charge from"), "\(again)")
        #expect(!again.errorText.contains("do not know these charges"), "\(again)")
        #expect(!again.errorText.contains("charges from"), "\(again)")
    }

    @Test("a sign-in that both places have is named with the command that signs out of the directory's")
    func sameMerchant() async throws {
        try await machine { files, shared, fixture, _ in
            try await shared.receive(
                SignInService(
                    fixture.emulator, appID: fixture.emulator.appID, merchantID: fixture.emulator.merchantID),
                "--profile", "downtown")
            let command = "CLOVER_STATE=files clover auth logout --profile"
            expectFailure(
                try await shared.clover("state", "move"), status: 78, saying: "both places have", command, output: "")
            for (sandbox, words) in [
                (files, ["auth", "logout", "--profile", "downtown"]), (shared, ["state", "move"]),
                (shared, ["get", "orders", "--profile", "downtown", "--limit", "1"]),
            ] {
                let result = try await sandbox.clover(words)
                #expect(result.status == 0, "\(result)")
            }
        }
    }

    @Test("a move of which nothing was committed: what it left is named, and --back takes it back without the database")
    func unfinished() async throws {
        try await machine { files, shared, _, _ in
            let mark = "preparing\n0123456789abcdef\npostgresql://127.0.0.1:1/x\n\n"
            _ = try files.directory.write("state/moved", mark.utf8)
            for words in [["state", "check"], ["auth", "list"], ["charge", "list"], ["get", "orders"]] {
                let result = try await shared.clover(words)
                #expect(result.errorText.contains("not used while state is set"), "\(words): \(result)")
            }
            let charges = try await shared.clover("charge", "list")
            #expect(charges.errorText.contains("take it back with 'clover state move --back'"), "\(charges)")
            #expect(!charges.errorText.contains("CLOVER_STATE=files"), "\(charges)")
            let doctor = try await shared.withoutBuses.doctor()
            #expect(doctor.result.outputText.contains("is not complete"), "\(doctor.result.outputText)")
            expectFailure(
                try await files.clover("charge", "list"), status: 78, saying: "is not complete",
                "clover state move --back", output: "")
            // The setting is gone, and the database never existed.
            let back = try await files.clover("state", "move", "--back")
            #expect(back.status == 0 && back.errorText.contains("took the move"), "\(back)")
            let list = try await files.clover("charge", "list", "--json")
            #expect(list.status == 0 && list.lines.count == 1, "\(list)")
            let away = try await files.with(["CLOVER_STATE": "postgresql://127.0.0.1:1/x"]).clover("state", "move")
            expectFailure(away, status: 75, saying: "cannot use postgresql://127.0.0.1:1/x", output: "")
            expectSuccess(try await files.clover("auth", "status"))
        }
    }

    @Test("after a move back that was killed, both places name the two commands that end it")
    func bothClosed() async throws {
        try await machine { files, shared, _, database in
            expectSuccess(try await shared.clover("state", "move", "-q"))
            _ = try await database.rows(
                "INSERT INTO clover_state.moved (id, place) VALUES ('0123456789abcdef', 'shop1:/somewhere')")
            expectFailure(
                try await shared.clover("auth", "list"), status: 78,
                saying: "a move of the sign-ins and charges to shop1:/somewhere is not complete",
                "clover state move --back", "use the database again", output: "")
            let mark = "arriving\n0123456789abcdef\n\(database.address)\nreplaces\n"
            _ = try files.directory.write("state/moved", mark.utf8)
            expectFailure(
                try await files.clover("auth", "list"), status: 78, saying: "is not complete",
                "the database is closed too", "clover state move --back", "to use the database again instead",
                output: "")
        }
    }

    @Test("a move that is killed at a random statement is completed by the next run")
    func killed() async throws {
        try await machine { files, shared, fixture, database in
            for turn in 0..<Scale.pick(6, full: 60) {
                let isBack = turn % 2 == 1
                let words = ["state", "move"] + (isBack ? ["--back"] : [])
                let relay = try await PostgreSQLRelay(
                    to: database.server, at: Int.random(in: 1...40), ["before", "after"].randomElement() ?? "before",
                    "kill")
                let address = relay.address(of: database.name)
                // The address of the next turn is another one.
                let dying = shared.with(["CLOVER_STATE": address])
                _ = try await dying.clover(words)
                var next = try await dying.clover(words)
                // A relay kills once; the first run may have had fewer statements.
                if next.ending == .signalled(SIGKILL) { next = try await dying.clover(words) }
                #expect(next.status == 0, "turn \(turn): \(next)")
                let place = isBack ? files : dying
                var list = try await place.clover("charge", "list", "--json")
                // The two before may have had fewer statements, too.
                if list.ending == .signalled(SIGKILL) { list = try await place.clover("charge", "list", "--json") }
                #expect(list.status == 0 && list.lines.count == 1, "turn \(turn): \(list)")
                expectSuccess(try await place.clover("auth", "status"))
                expectFailure(
                    try await (isBack ? dying : files).clover("auth", "list"), status: 78, saying: "were moved to",
                    output: "")
            }
        }
    }
}
