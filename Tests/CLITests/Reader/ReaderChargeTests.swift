import CloverTestSupport
import Foundation
import Testing

@Suite("charges by a reader")
struct ReaderChargeTests {
    private static let charge = [
        "charge", "--amount", "12.50", "--currency", "USD", "--reader", ReaderWorld.first, "--json",
    ]

    /// A sandbox with a shop, and a driver with these faults.
    private func run(
        _ faults: String..., body: (ReaderWorld, Sandbox, EmulatorProcess) async throws -> Void
    ) async throws {
        try await ReaderWorld.run(weight: 2) { world in
            let emulator = try await EmulatorProcess(["--orders", "10"])
            let sandbox = try world.emulated(faults.map { "--fault \($0)" }.joined(separator: " ")).using(emulator)
            try await body(world, sandbox, emulator)
        }
    }

    @Test("an approved charge prints the reader's messages and the card")
    func approved() async throws {
        try await run { _, sandbox, _ in
            let result = try await sandbox.clover(Self.charge)
            #expect(result.ending == .exited(0), "\(result)")
            let records = try result.records()
            #expect(
                records.compactMap { $0["say"]?.string } == [
                    "SWIPE_DIP_OR_TAP_CARD", "CARD_TAPPED", "PROCESSING_TRANSACTION",
                ])
            let last = try #require(records.last)
            #expect(last["event"]?.string == "approved")
            #expect(last["amount"]?.integer == 1250)
            #expect(last["card"]?["entry"]?.string == "EMV_CONTACTLESS")
            let known = try await sandbox.clover("reader", "list", "--last")
            #expect(try known.records().first?["id"]?.string == ReaderWorld.first)
        }
    }

    @Test(
        "declined, cancelled at the PIN, and a part that is not accepted: no money moved, status 81",
        arguments: [
            "decline", "pin-cancelled", "partial",
        ])
    func refused(_ fault: String) async throws {
        try await run(fault) { _, sandbox, _ in
            let result = try await sandbox.clover(Self.charge)
            #expect(result.ending == .exited(81), "\(result)")
            #expect(!(try sandbox.text("cards")).contains("\"approved\""))
            let code: String? =
                switch fault {
                case "decline": "card_declined"
                case "partial": "partial_rejected"
                default: nil
                }
            #expect(try result.records().last?["code"]?.string == code)
        }
    }

    @Test("a lost response leaves the outcome unknown; recovery queries the driver, and finds the payment")
    func lostAnswer() async throws {
        try await run("lose-answer") { world, sandbox, emulator in
            let result = try await sandbox.clover(Self.charge)
            #expect(result.ending == .exited(80), "\(result)")
            let recovered = try await world.emulated().using(emulator).clover("charge", "recover", "--all", "--json")
            #expect(recovered.ending == .exited(0), "\(recovered)")
            let last = try #require(try recovered.records().last)
            #expect(last["event"]?.string == "approved")
            #expect(last["amount"]?.integer == 1250)
            #expect(try sandbox.text("cards").split(separator: "\n").count == 1, "charged more than once")
        }
    }

    @Test("a driver that ends before it charges has moved nothing, and says so when it is asked")
    func crash() async throws {
        try await run("crash-charge") { world, sandbox, emulator in
            let result = try await sandbox.clover(Self.charge)
            #expect(result.ending == .exited(80), "\(result)")
            let recovered = try await world.emulated().using(emulator).clover("charge", "recover", "--all", "--json")
            #expect(try recovered.records().last?["event"]?.string == "failed", "\(recovered)")
        }
    }

    @Test("a driver without the payment is no proof if it keeps no permanent record")
    func forgetful() async throws {
        try await ReaderWorld.run(weight: 2) { world in
            let emulator = try await EmulatorProcess(["--orders", "5"])
            let program = try CommandRunner.builtProgram("clover-emulator")
            let sandbox = world.sandbox.using(emulator)
                .with(["CLOVER_READER_DRIVER": "'\(program)' reader-driver --pace 0.1 --fault lose-answer@1"])
            #expect(try await sandbox.clover(Self.charge).ending == .exited(80))
            let recovered = try await sandbox.clover("charge", "recover", "--all", "--json")
            #expect(recovered.ending == .exited(80), "\(recovered)")
            let last = try #require(try recovered.records().last)
            #expect(last["event"]?.string == "unknown", "\(recovered)")
            #expect(
                last["reason"]?.string?.contains("keeps no permanent record (the capability 'recall')") == true,
                "\(recovered)")
        }
    }

    /// An unknown charge of a driver that keeps no record; `body` gets its id and the same driver without the fault.
    private func forgotten(_ body: (Sandbox, String) async throws -> Void) async throws {
        try await ReaderWorld.run(weight: 2) { world in
            let emulator = try await EmulatorProcess(["--orders", "5"])
            let program = try CommandRunner.builtProgram("clover-emulator")
            let driver = "'\(program)' reader-driver --pace 0.1"
            let sandbox = world.sandbox.using(emulator)
            let lost = try await sandbox.with(["CLOVER_READER_DRIVER": "\(driver) --fault lose-answer@1"])
                .clover(Self.charge)
            #expect(lost.ending == .exited(80), "\(lost)")
            let id = try #require(try lost.records().last?["charge"]?.string)
            #expect(lost.errorText.contains("clover charge settle \(id) --paid, or --not-paid"), "\(lost)")
            try await body(sandbox.with(["CLOVER_READER_DRIVER": driver]), id)
        }
    }

    @Test(
        "a charge that no driver knows is settled by hand; the journal keeps who did it, and nothing stays open",
        arguments: [true, false])
    func byHand(_ isPaid: Bool) async throws {
        try await forgotten { sandbox, id in
            let open = try await sandbox.clover("charge", "recover", "--all", "--json")
            #expect(open.ending == .exited(80), "\(open)")
            #expect(open.errorText.contains("clover charge settle \(id) --paid, or --not-paid"), "\(open)")
            let entered = try await sandbox.clover(
                "charge", "settle", id, isPaid ? "--paid" : "--not-paid", "--by", "Anna", "--json")
            expectSuccess(entered)
            let event = try #require(try entered.records().last)
            #expect(event["event"]?.string == (isPaid ? "approved" : "failed"), "\(entered)")
            #expect(event["settledBy"]?.string == "Anna", "\(entered)")
            #expect(event[isPaid ? "amount" : "requestedAmount"]?.integer == 1250, "\(entered)")
            // A later query yields nothing new.
            let settled = try await sandbox.clover("charge", "recover", "--all", "--json")
            #expect(settled.ending == .exited(0) && settled.lines == [], "\(settled)")
            let shown = try #require(try await sandbox.clover("charge", "show", id, "--json").records().first)
            let change = try #require(shown["transitions"]?.elements?.last)
            #expect(
                change["detail"]?.string == "by hand, Anna: it was \(isPaid ? "" : "not ")carried out", "\(shown)")
            #expect(change["at"]?.string != nil)
            // Entering the same outcome again changes nothing; entering the other one is a correction.
            let again = try await sandbox.clover(
                "charge", "settle", id, isPaid ? "--paid" : "--not-paid", "--by", "Ben", "--json")
            #expect(try again.records().last?["settledBy"]?.string == "Anna", "\(again)")
            let words = "nothing was changed: \(id) is recorded as \(isPaid ? "" : "not ")paid already, by Anna at 20"
            #expect(again.ending == .exited(0) && again.errorText.contains(words), "\(again)")
            let corrected = try await sandbox.clover(
                "charge", "settle", id, isPaid ? "--not-paid" : "--paid", "--by", "Ben", "--json")
            let last = try #require(try corrected.records().last)
            #expect(last["event"]?.string == (isPaid ? "failed" : "approved"), "\(corrected)")
            #expect(last["settledBy"]?.string == "Ben", "\(corrected)")
        }
    }

    /// The id of the newest charge.
    private func newestCharge(in sandbox: Sandbox) async throws -> String {
        try #require(try await sandbox.clover("charge", "list", "--json").records().first?["charge"]?.string)
    }

    @Test("a payment that its driver finds after someone entered that there was none is reported, and in the journal")
    func overturned() async throws {
        try await run("lose-answer") { world, sandbox, emulator in
            #expect(try await sandbox.clover(Self.charge).ending == .exited(80))
            let id = try await newestCharge(in: sandbox)
            expectSuccess(try await sandbox.clover("charge", "settle", id, "--not-paid", "--by", "Anna"))
            let healthy = try world.emulated().using(emulator)
            let named = try await healthy.clover("charge", "recover", "--all", "--json")
            #expect(named.ending == .exited(80), "\(named)")
            let words = "Anna recorded that it was not carried out; asked later, the answer is that it was"
            #expect(try named.records().last?["event"]?.string == "approved", "\(named)")
            #expect(try named.records().last?["contradiction"]?.string == words, "\(named)")
            #expect(named.errorText.contains("\(id): \(words)"), "\(named)")
            let doctor = try await healthy.withoutBuses.doctor("--offline").text("database")
            #expect(doctor == "warn\n1 charge did not end as entered by hand\nclover charge recover --all", "\(doctor)")
            // Reported until the entry is corrected; an outcome from a response is final.
            for command in [["--all"], [id], ["--all"]] {
                let next = try await healthy.clover(["charge", "recover", "--json"] + command)
                #expect(next.ending == .exited(80), "\(next)")
                #expect(try next.records().last?["contradiction"]?.string == words, "\(next)")
                #expect(next.errorText.contains("\(id): \(words)"), "\(next)")
            }
            let refused = try await healthy.clover("charge", "settle", id, "--not-paid")
            #expect(refused.ending == .exited(64), "\(refused)")
            #expect(
                refused.errorText.contains("\(id) is approved, as a response has confirmed, which is final"),
                "\(refused)")
            let agreed = try await healthy.clover("charge", "settle", id, "--paid", "--by", "Ben", "--json")
            #expect(try agreed.records().last?["event"]?.string == "approved", "\(agreed)")
            #expect(try agreed.records().last?["contradiction"] == nil, "\(agreed)")
            let shown = try #require(try await healthy.clover("charge", "show", id, "--json").records().first)
            #expect(
                shown["transitions"]?.elements?.last?["detail"]?.string == "by hand, Ben: it was as the response shows",
                "\(shown)")
            let settled = try await healthy.clover("charge", "recover", "--all", "--json")
            #expect(settled.ending == .exited(0) && settled.lines == [], "\(settled)")
            #expect(try sandbox.text("cards").split(separator: "\n").count == 1, "charged more than once")
        }
    }

    @Test("a payment that a person has seen stays when its driver knows of none, which is named")
    func notFoundLater() async throws {
        try await run("crash-charge") { world, sandbox, emulator in
            #expect(try await sandbox.clover(Self.charge).ending == .exited(80))
            let id = try await newestCharge(in: sandbox)
            expectSuccess(try await sandbox.clover("charge", "settle", id, "--paid", "--by", "Anna"))
            let healthy = try world.emulated().using(emulator)
            let named = try await healthy.clover("charge", "recover", id, "--json")
            #expect(named.ending == .exited(80), "\(named)")
            #expect(try named.records().last?["event"]?.string == "approved", "\(named)")
            #expect(
                named.errorText.contains(
                    "Anna recorded that it was carried out; asked later, the answer is that it was no"),
                "\(named)")
            for _ in 0..<2 {
                let again = try await healthy.clover("charge", "recover", "--all", "--json")
                #expect(again.ending == .exited(80), "\(again)")
                #expect(again.errorText.contains("asked later, the answer is that it was no"), "\(again)")
                #expect(again.errorText.contains("clover charge settle ID --paid, or --not-paid"), "\(again)")
            }
            // An account that cannot be reached is reported without -v, and the charge keeps its outcome.
            let lost = try await healthy.without("CLOVER_ACCESS_TOKEN").clover("charge", "recover", "--all", "--json")
            #expect(lost.ending == .exited(80), "\(lost)")
            #expect(lost.errorText.contains("\(id) was settled by hand, and checking it failed: "), "\(lost)")
            // A person who has looked again stays with the entry, or changes it.
            expectSuccess(try await healthy.clover("charge", "settle", id, "--paid", "--by", "Ben"))
            for command in [["--all"], [id]] {
                expectSuccess(try await healthy.clover(["charge", "recover"] + command))
            }
            let changed = try await healthy.clover("charge", "settle", id, "--not-paid", "--by", "Anna")
            #expect(changed.ending == .exited(0), "\(changed)")
            #expect(changed.errorText.contains("was recorded as paid by Ben at "), "\(changed)")
            let agreed = try await healthy.clover("charge", "recover", "--all", "--json")
            #expect(agreed.ending == .exited(0), "\(agreed)")
            #expect(try agreed.records().last?["event"]?.string == "failed", "\(agreed)")
            #expect(try await healthy.clover("charge", "recover", "--all", "--json").lines == [])
        }
    }

    @Test("a charge in progress and one that does not exist cannot be settled by hand")
    func notByHand() async throws {
        try await run("no-card") { _, sandbox, _ in
            let charge = try sandbox.start(Self.charge)
            try await charge.waitForOutput("the reader's first word") {
                String(decoding: $0, as: UTF8.self).contains("SWIPE_DIP_OR_TAP_CARD")
            }
            let id = try await newestCharge(in: sandbox)
            let busy = try await sandbox.clover("charge", "settle", id, "--paid")
            #expect(busy.ending == .exited(75), "\(busy)")
            #expect(try await sandbox.clover("charge", "settle", "c_NONE", "--paid").ending == .exited(66))
            charge.send(2)
            _ = try await charge.result()
            let ended = try await sandbox.clover("charge", "settle", id, "--paid")
            #expect(ended.ending == .exited(64), "\(ended)")
        }
    }

    @Test("nor is it from another driver than the one of the charge")
    func otherDriver() async throws {
        try await run("lose-answer") { _, sandbox, _ in
            #expect(try await sandbox.clover(Self.charge).ending == .exited(80))
            let program = try CommandRunner.builtProgram("clover-emulator")
            let other = "'\(program)' reader-driver --state '\(sandbox.directory["others"])'"
            let recovered = try await sandbox.clover("charge", "recover", "--all", "--driver", other, "--json")
            #expect(recovered.ending == .exited(80), "\(recovered)")
            let reason = try recovered.records().last?["reason"]?.string
            #expect(reason?.contains("not the driver that made the charge") == true, "\(recovered)")
            let settled = try await sandbox.clover("charge", "recover", "--all", "--json")
            #expect(try settled.records().last?["event"]?.string == "approved", "\(settled)")
        }
    }

    @Test("Ctrl-C before a card is shown cancels the charge at the reader")
    func interrupt() async throws {
        try await run("no-card") { _, sandbox, _ in
            let charge = try sandbox.start(Self.charge)
            try await charge.waitForOutput("the reader's first word") {
                String(decoding: $0, as: UTF8.self).contains("SWIPE_DIP_OR_TAP_CARD")
            }
            charge.send(2)
            let result = try await charge.result()
            #expect(result.outputText.contains("\"cancelled\""), "\(result)")
            #expect(try sandbox.text("cards").isEmpty)
        }
    }

    @Test("a reader that another process has is not charged with, and nothing is written down")
    func held() async throws {
        try await run { _, sandbox, _ in
            let holder = try sandbox.start("reader", "connect", ReaderWorld.first, "--follow")
            try await holder.waitForOutput("ready") { String(decoding: $0, as: UTF8.self).contains("\"ready\"") }
            let result = try await sandbox.clover(Self.charge)
            #expect(result.ending == .exited(75), "\(result)")
            #expect(result.errorText.contains("is in use by 'reader connect' (process \(holder.pid))"), "\(result)")
            #expect(try await sandbox.clover("charge", "list", "--json").output == [])
            holder.send(15)
            _ = try await holder.result()
        }
    }

    @Test("a driver that cannot charge is refused before anything is written down")
    func incapable() async throws {
        try await run { world, _, emulator in
            let result = try await world.python("no-charge").using(emulator).clover(
                ["charge", "--amount", "1.00", "--currency", "USD", "--reader", "F0:0D:00:00:00:01", "--json"])
            #expect(result.ending == .exited(69), "\(result)")
            #expect(result.errorText.contains("no_card_driver"), "\(result)")
        }
    }
}
