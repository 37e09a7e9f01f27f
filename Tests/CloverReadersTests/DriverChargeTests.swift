import CloverReaders
import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// Charges through the driver protocol, with the emulated driver as a process.
struct DriverChargeTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let reader = "D4:22:CD:A8:43:CC"

    private func driver(_ faults: String..., pace: Double = 0.05) throws -> ExternalDriver {
        let program = try CommandRunner.builtProgram("clover-emulator")
        let words = faults.map { "--fault \($0)" }.joined(separator: " ")
        let command = try #require(
            DriverCommand(parsing: "'\(program)' reader-driver --pace \(pace) --state '\(directory["cards"])' \(words)")
        )
        return ExternalDriver(command, variables: ["PATH": "/usr/bin:/bin"], onErrorLine: { _ in })
    }

    /// Charges on a new session, and ends it.
    private func charge(
        _ charge: CardCharge, _ driver: ExternalDriver, at reader: String = reader, cancels: Bool = false
    ) async throws -> (outcome: CardOutcome, words: [String]) {
        let session = try await driver.session(to: reader, timeout: 120)
        do {
            while let event = try await session.nextEvent(), event != .state(.ready) {}
            let words = Mutex<[String]>([])
            let outcome = try await session.charge(charge) { word in
                words.withLock { $0.append(word) }
                if cancels { try await session.cancelCharge() }
            }
            await session.disconnect()
            return (outcome, words.withLock { $0 })
        } catch {
            await session.disconnect()
            throw error
        }
    }

    private func sale(_ name: String = "sale", amount: Int64 = 1250) -> CardCharge {
        CardCharge(
            idempotencyKey: "key-\(name)", externalPaymentID: "external-\(name)", amount: amount, currency: "USD",
            isFinal: true, capture: true, tipAmount: 200)
    }

    @Test("an approved charge returns its payment and progress codes, and can be looked up later")
    func approved() async throws {
        let driver = try driver()
        let (outcome, words) = try await charge(sale(), driver)
        guard case .approved(let payment) = outcome else {
            Issue.record("not approved: \(outcome)")
            return
        }
        #expect(payment.amount == 1250 && payment.currency == "USD" && payment.tipAmount == 200)
        #expect(payment.isFinal && payment.isCaptured)
        #expect(payment.externalPaymentID == "external-sale")
        #expect(payment.card?.last4?.count == 4)
        #expect(payment.card?.entryType == "EMV_CONTACTLESS")
        #expect(words == ["SWIPE_DIP_OR_TAP_CARD", "CARD_TAPPED", "PROCESSING_TRANSACTION"])
        #expect(try await driver.payment(externalID: "external-sale") == .ended(outcome))
        #expect(try await driver.payment(externalID: "never") == .notFound)
    }

    @Test("the same key does not charge twice, also after a restart")
    func idempotency() async throws {
        let first = try await charge(sale(), try driver())
        let second = try await charge(sale(), try driver())
        #expect(first.outcome == second.outcome)
        #expect(second.words.isEmpty, "a card was asked for again")
    }

    @Test("a lost response leaves a payment that is found by its external ID")
    func lostAnswer() async throws {
        let driver = try driver("lose-answer")
        await #expect(throws: ReaderError.driver(.ended(status: 4), program: "clover-emulator")) {
            try await charge(sale(), driver)
        }
        guard case .ended(.approved(let payment)) = try await driver.payment(externalID: "external-sale") else {
            Issue.record("not found")
            return
        }
        #expect(payment.amount == 1250)
        let again = try await charge(sale(), try self.driver())
        #expect(again.outcome == .approved(payment))
    }

    @Test("a driver that exits before it charges leaves no payment")
    func crash() async throws {
        let driver = try driver("crash-charge")
        await #expect(throws: ReaderError.driver(.ended(status: 3), program: "clover-emulator")) {
            try await charge(sale(), driver)
        }
        #expect(try await driver.payment(externalID: "external-sale") == .notFound)
    }

    @Test("a driver without a lasting record has no such payment, which proves nothing")
    func forgetful() async throws {
        let program = try CommandRunner.builtProgram("clover-emulator")
        let command = try #require(DriverCommand(parsing: "'\(program)' reader-driver --pace 0.05"))
        let driver = ExternalDriver(command, variables: ["PATH": "/usr/bin:/bin"], onErrorLine: { _ in })
        #expect(try await driver.payment(externalID: "never") == .notRemembered)
    }

    @Test("a charge cancelled before a card is presented moves nothing")
    func cancelled() async throws {
        let driver = try driver("no-card", pace: 1)
        let (outcome, _) = try await charge(sale(), driver, cancels: true)
        #expect(outcome == .cancelled(code: "cancelled", message: "cancelled before a card was shown"))
        #expect(try await driver.payment(externalID: "external-sale") == .notFound)
    }

    @Test("a driver that reports progress for ever after a cancellation, or lost its reader, does not hold the charge")
    func endless() async throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("CLITests/Fixtures/reader_driver.py").path
        for mode in ["chatty", "lost"] {
            let command = try #require(DriverCommand(parsing: "/usr/bin/python3 -I -S '\(file)' \(mode)"))
            let driver = ExternalDriver(
                command, variables: ["PATH": "/usr/bin:/bin"],
                limits: DriverLimits(cancellation: 0.5, loss: 0.5), onErrorLine: { _ in })
            await #expect(throws: ReaderError.self) {
                try await charge(sale(), driver, at: "F0:0D:00:00:00:01", cancels: mode == "chatty")
            }
        }
    }

    @Test("a decline, and a customer who cancels at the PIN entry")
    func refusals() async throws {
        guard case .declined("card_declined", _, let card?) = try await charge(sale(), try driver("decline")).outcome
        else {
            Issue.record("not declined")
            return
        }
        #expect(card.type != nil)
        guard case .cancelled("pin_cancelled", _) = try await charge(sale("pin"), try driver("pin-cancelled")).outcome
        else {
            Issue.record("not cancelled")
            return
        }
    }

    @Test("a partial approval is approved if accepted, and declined if not")
    func partial() async throws {
        var whole = sale()
        guard case .declined("partial_rejected", _, _) = try await charge(whole, try driver("partial")).outcome else {
            Issue.record("not declined")
            return
        }
        whole = sale("part")
        whole.acceptsPartial = true
        guard case .approved(let payment) = try await charge(whole, try driver("partial")).outcome else {
            Issue.record("not approved")
            return
        }
        #expect(payment.amount == 625)
    }

    @Test("an invalid charge is refused before a card is requested")
    func rules() async throws {
        var charge = sale()
        charge.capture = false
        let wrong = charge
        let driver = try driver()
        await #expect(throws: ReaderError.self) { try await self.charge(wrong, driver) }
    }
}
