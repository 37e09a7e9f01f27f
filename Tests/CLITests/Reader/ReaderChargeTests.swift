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

    @Test("an approved charge tells the reader's words, and its card")
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

    @Test("an answer that is lost leaves the outcome unknown; recovery asks the driver, and finds the money")
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

    @Test("that a driver has no such payment is no proof when it keeps no record that outlives it")
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
                last["reason"]?.string?.contains("no record that outlives it either (the capability 'recall')") == true,
                "\(recovered)")
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
            #expect(reason?.contains("not the driver that the charge was made with") == true, "\(recovered)")
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
            #expect(result.errorText.contains("is held by 'reader connect' (process \(holder.pid))"), "\(result)")
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
