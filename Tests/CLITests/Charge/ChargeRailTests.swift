import CloverTestSupport
import Foundation
import Testing

/// What each rail takes from its surroundings, and refuses.
@Suite("charge: what the rails can do")
struct ChargeRailTests {
    private static func expectNothingWritten(_ sandbox: Sandbox, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(
            !FileManager.default.fileExists(atPath: sandbox.directory["state/journal.sqlite"]),
            sourceLocation: sourceLocation)
    }

    @Test("a device charges in its merchant's currency; another one is refused before anything is written")
    func otherCurrency() async throws {
        try await ChargeFixture.run { till in
            let device = try await till.device()
            let result = try await till.sandbox.clover(
                "charge", "--amount", "12.50", "--currency", "CAD", "--device", device)
            expectFailure(
                result, status: 64, saying: "charges in USD, not in CAD", "--currency USD")
            Self.expectNothingWritten(till.sandbox)
            #expect(try await till.movements().isEmpty)
        }
    }

    @Test("a card is not charged in another currency than the merchant's, once that is known")
    func otherCurrencyOfCard() async throws {
        try await ChargeFixture.run { till in
            expectSuccess(try await till.sandbox.clover("get", "orders", "--limit", "1", "--period", "today"))
            let result = try await till.sandbox.clover(
                arguments: ["charge", "--amount", "5.00", "--currency", "EUR", "--card", "-"],
                input: ChargeFixture.card())
            expectFailure(result, status: 64, saying: "charges in USD, not in EUR", "--currency USD")
            Self.expectNothingWritten(till.sandbox)
            #expect(try await till.movements().isEmpty)
        }
    }

    @Test("a token that may not read the currency charges, and says what that means")
    func unknownCurrency() async throws {
        try await ChargeFixture.run(emulator: ["--without-permission", "properties"]) { till in
            let result = try await till.charge(on: try await till.device())
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.errorText.contains("cannot read the merchant's currency"), "\(result)")
        }
    }

    @Test("ecommerce in a region without it is refused, with the way that works", arguments: ["eu", "la"])
    func region(_ environment: String) async throws {
        try await Sandbox.run { given in
            let sandbox = given.with(["CLOVER_ACCESS_TOKEN": Sandbox.token, "CLOVER_MERCHANT_ID": Sandbox.merchantID])
            for way in [["--source", "clv_1TOKEN"], ["--card", "-"]] {
                let result = try await sandbox.clover(
                    arguments: ["charge", "--amount", "12.50", "--currency", "USD", "--environment", environment] + way,
                    input: ChargeFixture.card())
                expectFailure(
                    result, status: 64, saying: "there is no Ecommerce API in '\(environment)'", "--device SERIAL")
            }
            Self.expectNothingWritten(sandbox)
        }
    }

    @Test("a Clover Go without a driver that can read cards is refused, with the ways that work")
    func bluetoothReader() async throws {
        try await ReaderWorld.run { world in
            let result = try await world.sandbox.clover(
                "charge", "--amount", "12.50", "--currency", "USD", "--reader", ReaderWorld.first)
            expectFailure(
                result, status: 69, saying: "the reader's driver 'ble' cannot read cards",
                "Clover publishes no card protocol", "--device SERIAL", "man clover-reader-driver")
            Self.expectNothingWritten(world.sandbox)
        }
    }

    /// A device whose responses are inconclusive.
    private static func silent(_ request: LoopbackRequest) -> LoopbackResponse {
        switch request.path {
        case "/connect/v1/payments": LoopbackResponse(status: "500 Error", "{}")
        case "/connect/v1/device/status": LoopbackResponse(#"{"state":"BUSY"}"#)
        default: LoopbackResponse(status: "404 Not Found", "{}")
        }
    }

    @Test("the point of sale is what the flag, the variable or the configuration says, and recovery asks as the same")
    func pointOfSale() async throws {
        try await Sandbox.run(server: { request, _ in Self.silent(request) }) { sandbox, server in
            let setting = try await sandbox.clover("config", "set", "pay-display-pos-id", "Front desk")
            #expect(setting.ending == .exited(0), "\(setting)")
            let charge = ["charge", "--amount", "12.50", "--currency", "USD", "--device", "C1"]
            let other = sandbox.with(["CLOVER_PAY_DISPLAY_POS_ID": "Bar"])
            for (till, flags, name) in [
                (sandbox, [], "Front desk"), (other, [], "Bar"),
                (other, ["--pay-display-pos-id", "ChargeFixture 7"], "ChargeFixture 7"),
            ] {
                let before = server.requests.count
                let result = try await till.clover(charge + flags)
                #expect(result.ending == .exited(80), "\(result)")
                let id = try #require(try result.events.last?["charge"]?.string)
                _ = try await sandbox.clover("charge", "recover", id)
                let names = server.requests.dropFirst(before).filter { $0.path.hasPrefix("/connect/") }
                    .map { $0.header("X-POS-Id") }
                #expect(names.count >= 3)
                #expect(Set(names) == [name])
            }
            let bare = try await sandbox.clover(
                "charge", "--amount", "12.50", "--currency", "USD", "--source", "clv_1", "--pay-display-pos-id", "x")
            expectFailure(bare, status: 64, saying: "--pay-display-pos-id goes with --device")
        }
    }

    @Test("a driver that is named with the charge is asked again by recovery, whatever is configured then")
    func namedDriver() async throws {
        try await ReaderWorld.run(weight: 2) { world in
            let emulator = try await EmulatorProcess(["--orders", "5"])
            let driver = try #require(try world.emulated("--fault lose-answer@1").variables["CLOVER_READER_DRIVER"])
            let charge = [
                "charge", "--amount", "12.50", "--currency", "USD", "--reader", ReaderWorld.first,
            ]
            let sandbox = world.sandbox.using(emulator)
            let result = try await sandbox.clover(charge + ["--driver", driver])
            #expect(result.ending == .exited(80), "\(result)")
            let wrong = sandbox.with(["CLOVER_READER_DRIVER": "/nonexistent/driver"])
            let recovered = try await wrong.clover("charge", "recover", "--all")
            expectSuccess(recovered)
            #expect(try recovered.eventNames == ["approved"])
            expectFailure(
                try await sandbox.clover([
                    "charge", "--amount", "1.00", "--currency", "USD", "--device", "C1", "--driver", "x",
                ]),
                status: 64, saying: "--driver goes with --reader")
        }
    }

    @Test("recovery queries the driver given to it if the one of the charge is gone")
    func otherDriver() async throws {
        try await ReaderWorld.run(weight: 2) { world in
            let emulator = try await EmulatorProcess(["--orders", "5"])
            let driver = try #require(try world.emulated("--fault lose-answer@1").variables["CLOVER_READER_DRIVER"])
            let sandbox = world.sandbox.using(emulator)
            let program = try await sandbox.makeScript("driver", "exec \(driver)")
            let result = try await sandbox.clover(
                "charge", "--amount", "12.50", "--currency", "USD", "--reader", ReaderWorld.first, "--driver",
                "'\(program)'")
            #expect(result.ending == .exited(80), "\(result)")
            try FileManager.default.removeItem(atPath: program)
            let gone = try await sandbox.clover("charge", "recover", "--all")
            expectFailure(gone, status: 80, saying: "1 is still unknown", output: nil)
            expectSuccess(try await sandbox.clover("charge", "recover", "--all", "--driver", driver))
        }
    }

    @Test("a reader's --timeout cancels when no card is shown, and the dry run shows what the driver would be asked")
    func readerTimeout() async throws {
        try await ReaderWorld.run(weight: 2) { world in
            let emulator = try await EmulatorProcess(["--orders", "5"])
            let sandbox = try world.emulated("--fault no-card").using(emulator)
            let charge = ["charge", "--amount", "12.50", "--currency", "USD", "--reader", ReaderWorld.first]
            let preview = try await sandbox.clover(charge + ["--dry-run", "--tax", "1.00"])
            expectSuccess(preview)
            let shown = try JSONValue(preview.outputText)
            #expect(shown["reader"] == .string(ReaderWorld.first))
            #expect(shown["request"]?["charge"]?["amount"] == .integer(1250))
            #expect(shown["request"]?["charge"]?["taxAmount"] == .integer(100))
            Self.expectNothingWritten(sandbox)
            for timeout in ["soon", "1500ms"] {
                let refused = try await sandbox.clover(charge + ["--timeout", timeout])
                expectFailure(refused, status: 64, saying: "--timeout takes")
            }
            let result = try await sandbox.clover(charge + ["--timeout", "1s"])
            #expect(result.ending == .exited(81), "\(result)")
            #expect(try result.eventNames == ["created", "sent", "progress", "cancelling", "cancelled"])
            #expect(try sandbox.text("cards").isEmpty)
        }
    }

    @Test("a partial approval that cannot be voided is reported with 80 and how to void it")
    func partNotVoided() async throws {
        try await Sandbox.run(server: { request, _ in
            let external = request.bodyText.firstMatch(of: /"externalPaymentId":"([^"]+)"/).map { String($0.1) } ?? ""
            return switch request.path {
            case "/connect/v1/payments":
                LoopbackResponse(
                    #"{"payment":{"id":"P1","amount":600,"result":"SUCCESS","externalPaymentId":"\#(external)"}}"#)
            case "/connect/v1/payments/P1/void":
                LoopbackResponse(status: "401 Unauthorized", #"{"message":"401 Unauthorized"}"#)
            default: LoopbackResponse(status: "403 Forbidden", "{}")
            }
        }) { sandbox, _ in
            let result = try await sandbox.clover(
                "charge", "--amount", "12.50", "--currency", "USD", "--device", "C1")
            let id = try #require(try result.events.first?["charge"]?.string)
            expectFailure(
                result, status: 80, saying: "6.00 USD of 12.50 USD only, and it is uncertain whether this was voided",
                "clover charge void \(id)", output: nil)
            #expect(try result.eventNames == ["created", "sent", "partial", "created", "sent", "unknown"])
        }
    }
}
