import CloverKit
import CloverKitPayments
import CloverTestSupport
import Testing

@Suite("refunds and captures of CloverKit")
struct ChargeFollowUpTests {
    private static let key = "order-1"

    @Test("refunds give back parts up to what was charged, and the program knows them")
    func refunds() async throws {
        let world = try await ChargeWorld()
        let charges = world.charges
        var request = try await world.request()
        request.tip = 200
        let charge = try await charges.charge(request)
        #expect(charge.captured == 1250 && charge.refunded == 0 && charge.refundable == 1450 && !charge.isHold)
        let part = try await charges.refund(
            chargeKey: Self.key, amount: 500, reason: .requestedByCustomer, key: "refund-1")
        #expect(part.outcome == .done && part.kind == .refund && part.amount == 500 && part.currency == "USD")
        #expect(part.chargeID == charge.id && part.refundID != nil && part.key == "refund-1" && !part.isProvisional)
        let error = await #expect(throws: CloverError.self) {
            try await charges.refund(chargeKey: Self.key, amount: 951, key: "refund-2")
        }
        #expect(error?.kind == .request && error?.message.contains("9.50 USD left") == true, "\(error as Any)")
        let rest = try await charges.refund(chargeKey: Self.key, amount: 750, key: "refund-3")
        #expect(rest.outcome == .done)
        let now = try #require(try await charges.charge(key: Self.key))
        #expect(now.captured == 1250 && now.refunded == 1250 && now.refundable == 200 && now.outcome == .approved)
        #expect(try await charges.followUps(chargeKey: Self.key) == [part, rest])
        #expect(try await charges.followUp(key: "refund-1") == part)
        #expect(try await world.movements("refund") == [-500, -750])
        #expect(try await charges.unsettledFollowUps().isEmpty)
        let shown = try await world.run(
            try CommandRunner.builtProgram("clover"), ["charge", "show", charge.id, "--json"])
        #expect(shown.status == 0 && shown.outputText.contains(part.id), "\(shown)")
    }

    @Test("what the program has refunded is not refunded again")
    func program() async throws {
        let world = try await ChargeWorld()
        let charge = try await world.charges.charge(try await world.request())
        let refund = try await world.run(
            try CommandRunner.builtProgram("clover"),
            ["charge", "refund", charge.id, "--minor", "1000", "--idempotency-key", "refund-1"])
        #expect(refund.status == 0, "\(refund)")
        #expect(try await world.charges.followUp(key: "refund-1")?.outcome == .done)
        let rest = try await world.charges.refund(chargeKey: Self.key, key: "refund-2")
        #expect(rest.outcome == .done && rest.amount == 250)
        #expect(try await world.movements("refund") == [-1000, -250])
    }

    @Test("a key refunds once, and cannot name another refund")
    func once() async throws {
        let world = try await ChargeWorld()
        let charges = world.charges
        _ = try await charges.charge(try await world.request())
        let refund = try await charges.refund(chargeKey: Self.key, amount: 500, key: "refund-1")
        #expect(try await charges.refund(chargeKey: Self.key, amount: 500, key: "refund-1") == refund)
        #expect(try await charges.recoverFollowUp(key: "refund-1") == refund)
        let others: [(amount: CloverKit.Money, reason: Charges.RefundReason?, key: String)] = [
            (600, nil, "refund-1"), (500, .duplicate, "refund-1"), (500, nil, Self.key),
        ]
        for (amount, reason, key) in others {
            let error = await #expect(throws: CloverError.self) {
                try await charges.refund(chargeKey: Self.key, amount: amount, reason: reason, key: key)
            }
            #expect(error?.kind == .request && error?.message.contains("used for something else") == true)
        }
        #expect(try await world.movements("refund") == [-500])
    }

    @Test("two refunds at the same time do not give back more than was charged")
    func together() async throws {
        let world = try await ChargeWorld()
        let charges = world.charges
        _ = try await charges.charge(try await world.request())
        let outcomes = await withTaskGroup(of: ChargeFollowUp.Outcome?.self) { group in
            for number in 1...4 {
                group.addTask {
                    do {
                        return try await charges.refund(chargeKey: Self.key, amount: 1000, key: "refund-\(number)")
                            .outcome
                    } catch {
                        return nil
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == .done }.count == 1 && outcomes.filter { $0 == nil }.count == 3)
        #expect(try await world.movements("refund") == [-1000])
    }

    @Test("a hold is captured once, in part, and refunded only after that")
    func hold() async throws {
        let world = try await ChargeWorld()
        let charges = world.charges
        var request = try await world.request()
        request.isHold = true
        let hold = try await charges.charge(request)
        #expect(hold.outcome == .approved && hold.isHold && hold.captured == 0 && hold.refundable == 0)
        let early = await #expect(throws: CloverError.self) {
            try await charges.refund(chargeKey: Self.key, key: "refund-1")
        }
        #expect(early?.kind == .request && early?.nextStep == "capture it first")
        let capture = try await charges.capture(chargeKey: Self.key, amount: 1000, key: "capture-1")
        #expect(capture.outcome == .done && capture.kind == .capture && capture.amount == 1000)
        #expect(capture.refundID == nil)
        #expect(try await charges.capture(chargeKey: Self.key, amount: 1000, key: "capture-1") == capture)
        let second = await #expect(throws: CloverError.self) {
            try await charges.capture(chargeKey: Self.key, key: "capture-2")
        }
        #expect(second?.kind == .request && second?.message.contains("captured already") == true)
        let now = try #require(try await charges.charge(key: Self.key))
        #expect(now.captured == 1000 && now.refundable == 1000)
        let refund = try await charges.refund(chargeKey: Self.key, key: "refund-1")
        #expect(refund.outcome == .done && refund.amount == 1000)
        #expect(try await world.movements("refund") == [-1000])
        #expect(try await world.movements("capture").count == 1)
    }

    @Test("a hold takes no tip, and a charge that is no hold is not captured")
    func types() async throws {
        let world = try await ChargeWorld()
        var request = try await world.request()
        request.isHold = true
        request.tip = 100
        let withTip = request
        let tip = await #expect(throws: CloverError.self) { _ = try await world.charges.charge(withTip) }
        #expect(tip?.kind == .request && tip?.message.contains("a hold takes no tip") == true)
        (request.isHold, request.tip) = (false, nil)
        #expect(try await world.charges.charge(request).outcome == .approved)
        let sale = await #expect(throws: CloverError.self) {
            try await world.charges.capture(chargeKey: Self.key, key: "capture-1")
        }
        #expect(sale?.kind == .request && sale?.message.contains("was not made as a hold") == true)
    }

    @Test("a capture whose response is lost is found by its charge")
    func lostCapture() async throws {
        let world = try await ChargeWorld("lose-answer@1:/v1/charges/")
        var request = try await world.request()
        request.isHold = true
        _ = try await world.charges.charge(request)
        let capture = try await world.charges.capture(chargeKey: Self.key, key: "capture-1")
        #expect(capture.outcome == .done, "\(capture)")
        #expect(try await world.movements("capture").count == 1)
    }

    @Test("a refund that did not arrive is sent again under its key", arguments: ["500", "reset"])
    func notArrived(_ fault: String) async throws {
        let world = try await ChargeWorld("\(fault)@1:/v1/refunds")
        _ = try await world.charges.charge(try await world.request())
        let refund = try await world.charges.refund(chargeKey: Self.key, amount: 500, key: "refund-1")
        #expect(refund.outcome == .done, "\(refund)")
        #expect(try await world.movements("refund") == [-500])
    }

    @Test(
        "a refund that may have been carried out is unknown, and blocks others",
        arguments: ["lose-answer", "500-after"])
    func lost(_ fault: String) async throws {
        let world = try await ChargeWorld("\(fault)@1:/v1/refunds")
        let charges = world.charges
        _ = try await charges.charge(try await world.request())
        let refund = try await charges.refund(chargeKey: Self.key, amount: 500, key: "refund-1")
        #expect(refund.outcome == .unknown && refund.reason != nil, "\(refund)")
        #expect(try await charges.unsettledFollowUps() == [refund])
        #expect(try await charges.unsettled().isEmpty)
        let other = await #expect(throws: CloverError.self) {
            try await charges.refund(chargeKey: Self.key, amount: 500, key: "refund-2")
        }
        #expect(other?.kind == .request && other?.nextStep == "recover it by its key")
        // The charge shows that something was refunded, which may be this refund: it is not sent again.
        #expect(try await charges.recoverFollowUp(key: "refund-1")?.outcome == .unknown)
        #expect(try await charges.refund(chargeKey: Self.key, amount: 500, key: "refund-1").outcome == .unknown)
        #expect(try await world.movements("refund") == [-500])
        let missing = await #expect(throws: CloverError.self) {
            try await charges.settleFollowUp(key: "refund-1", as: .paid(paymentID: "NOSUCHREFUND1"), by: "Anna")
        }
        #expect(missing?.message.contains("a refund NOSUCHREFUND1") == true, "\(missing as Any)")
        // A person has seen it in the dashboard. Then others are possible.
        let settled = try await charges.settleFollowUp(key: "refund-1", as: .paid(), by: "Anna")
        #expect(settled?.outcome == .done && settled?.amount == 500 && settled?.id == refund.id, "\(settled as Any)")
        #expect(try await charges.unsettledFollowUps().isEmpty)
        #expect(try await charges.refund(chargeKey: Self.key, amount: 750, key: "refund-2").outcome == .done)
        #expect(try await charges.settleFollowUp(key: Self.key, as: .paid(), by: "Anna") == nil)
    }

    @Test("a refund that Clover does not show yet is settled later, by its key")
    func recovered() async throws {
        // The first try, the look at the charge, and the repetition have no response.
        let world = try await ChargeWorld("500@1-2:/v1/refunds")
        let charges = world.charges
        _ = try await charges.charge(try await world.request())
        let refund = try await charges.refund(chargeKey: Self.key, amount: 500, key: "refund-1")
        #expect(refund.outcome == .unknown, "\(refund)")
        let known = try await charges.recoverFollowUp(key: "refund-1")
        #expect(known?.outcome == .done && known?.id == refund.id, "\(known as Any)")
        #expect(try await charges.unsettledFollowUps().isEmpty)
        #expect(try await world.movements("refund") == [-500])
    }

    @Test(
        "recovering a charge names a refund that a person recorded as done and Clover does not show, until a person decides",
        arguments: [Charges.Finding.paid(), .notPaid])
    func contradicted(_ finding: Charges.Finding) async throws {
        let world = try await ChargeWorld("500@1-2:/v1/refunds")
        let charges = world.charges
        let charge = try await charges.charge(try await world.request())
        #expect(try await charges.refund(chargeKey: Self.key, amount: 500, key: "refund-1").outcome == .unknown)
        let entered = try await charges.settleFollowUp(key: "refund-1", as: .paid(), by: "Anna")
        #expect(entered?.outcome == .done && entered?.contradiction == nil, "\(entered as Any)")
        #expect(try await charges.charge(key: Self.key)?.contradictedFollowUp == nil)
        for _ in 1...2 {
            let known = try #require(try await charges.recover(key: Self.key))
            #expect(known.outcome == .approved && known.contradiction == nil && known.id == charge.id, "\(known)")
            let wrong = try #require(known.contradictedFollowUp)
            #expect(wrong.id == entered?.id && wrong.kind == .refund && wrong.outcome == .done, "\(wrong)")
            let words = "Clover shows 0.00 USD refunded, the journal has 5.00 USD refunded"
            #expect(wrong.contradiction?.contains(words) == true, "\(wrong)")
            #expect(try await charges.charge(key: Self.key) == known)
            #expect(try await charges.followUp(key: "refund-1") == wrong)
            #expect(try await charges.recoverFollowUp(key: "refund-1") == wrong)
        }
        let decided = try await charges.settleFollowUp(key: "refund-1", as: finding, by: "Ben")
        #expect(decided?.outcome == (finding == .notPaid ? .failed : .done), "\(decided as Any)")
        let known = try #require(try await charges.recover(key: Self.key))
        #expect(known.contradictedFollowUp == nil && known.refunded == (finding == .notPaid ? 0 : 500), "\(known)")
        #expect(try await world.movements("refund").isEmpty)
    }

    @Test("a task that is cancelled before anything was sent refunds nothing, and its key is free")
    func cancelled() async throws {
        let world = try await ChargeWorld()
        let charges = world.charges
        _ = try await charges.charge(try await world.request())
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await charges.refund(chargeKey: Self.key, key: "refund-1")
        }
        #expect(try await task.value.outcome == .cancelled)
        #expect(try await world.movements("refund").isEmpty)
        #expect(try await charges.refund(chargeKey: Self.key, key: "refund-1").outcome == .done)
        #expect(try await world.movements("refund") == [-1250])
    }

    @Test("what this journal does not know, and a key that cannot be one, are refused")
    func unfit() async throws {
        let world = try await ChargeWorld()
        let charges = world.charges
        let none = await #expect(throws: CloverError.self) {
            try await charges.refund(chargeKey: Self.key, key: "refund-1")
        }
        #expect(none?.kind == .request && none?.message.contains("no charge") == true)
        _ = try await charges.charge(try await world.request())
        for key in ["", "a key", String(repeating: "k", count: 65)] {
            let error = await #expect(throws: CloverError.self) {
                try await charges.refund(chargeKey: Self.key, key: key)
            }
            #expect(error?.kind == .request && error?.message.contains("1 to 64 letters") == true, "\(key)")
        }
        for amount: CloverKit.Money in [0, -1] {
            let error = await #expect(throws: CloverError.self) {
                try await charges.refund(chargeKey: Self.key, amount: amount, key: "refund-1")
            }
            #expect(error?.kind == .request)
        }
        #expect(try await charges.followUp(key: "refund-1") == nil)
        #expect(try await charges.followUp(key: Self.key) == nil)
        #expect(try await charges.recoverFollowUp(key: Self.key) == nil)
        #expect(try await charges.followUps(chargeKey: "other").isEmpty)
        #expect(try await world.movements("refund").isEmpty)
    }
}
