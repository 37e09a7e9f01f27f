import CloverDatabase
import CloverJSON
import CloverOutput
import CloverPayments
import CloverSystem
import CloverTestSupport
import Foundation
import GRDB
import Glibc
import Testing

@Suite("The journal of charges")
struct JournalTests {
    private static func operation(
        _ id: String, key: String, kind: OperationKind = .charge, parent: String? = nil
    ) -> PaymentOperation {
        PaymentOperation(
            id: id, kind: kind, parent: parent, rail: .ecommerce, environment: "sandbox", merchantID: "M1",
            idempotencyKey: key, externalID: "E1", amount: Money(minorUnits: 1250, currency: .usDollar),
            request: OperationRequest(path: "/v1/charges", body: #"{"amount":1250}"#), now: 1000)
    }

    private static func withJournal(_ body: (ChargeJournal, StateDirectory) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let state = StateDirectory(path: directory["state"])
        try await body(try await ChargeJournal.open(in: state), state)
    }

    @Test("an operation reads back as written, also in another process", arguments: JournalWorld.Store.allCases)
    func keeps(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            let operation = Self.operation("c_1", key: "k1")
            let lock = try await journal.add(operation)
            #expect(lock != nil)
            let other = try await world.other()
            #expect(try await other.operation("c_1") == operation)
            #expect(try await other.operation(key: "k1") == operation)
            #expect(try await other.unsettled() == [operation])
        }
    }

    @Test(
        "a payment belongs to one page, and a webhook without its ID says nothing about another page",
        arguments: JournalWorld.Store.allCases)
    func onePage(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            for id in ["c_1", "c_2", "c_3", "c_4"] { try await world.add(Self.operation(id, key: id)) }
            func record(_ payment: String, of id: String) async throws -> PaymentOperation {
                try await journal.recordPayment(
                    PagePayment(payment), of: id, detail: "paid", now: 2000)
            }
            #expect(try await record("P1", of: "c_1").outcome.paymentID == "P1")
            #expect(try await record("P2", of: "c_1").outcome.paymentID == "P1")
            await #expect(throws: PaymentPlanError.paymentOfAnother(id: "c_2", payment: "P1", other: "c_1")) {
                try await record("P1", of: "c_2")
            }
            for id in ["c_3", "c_4"] { #expect(try await record("", of: id).state == .approved) }
        }
    }

    @Test("a new row waits for the lock of a process that was killed while it inserted the same row")
    func waitsForEndedProcess() async throws {
        try await Self.withJournal { journal, state in
            _ = try await journal.add(Self.operation("c_1", key: "k1"))
            let descriptor = open(state.path + "/journal.lock", O_RDWR | O_CLOEXEC)
            try #require(descriptor >= 0)
            var request = Glibc.flock(
                l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 2, l_len: 1, l_pid: 0)
            let setLock: Int32 = 37  // F_OFD_SETLK
            try #require(fcntl(descriptor, setLock, &request) == 0)
            // On a separate thread, which other tests cannot hold up.
            Thread.detachNewThread {
                usleep(100_000)
                close(descriptor)
            }
            #expect(try await journal.add(Self.operation("c_2", key: "k2")) != nil)
            #expect(try await journal.operation("c_2")?.state == .created)
        }
    }

    @Test("every change is recorded with its time, and the final outcome too", arguments: JournalWorld.Store.allCases)
    func advances(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            try await world.add(Self.operation("c_1", key: "k1"))
            _ = try await journal.advance("c_1", to: .sent, now: 2000)
            var outcome = OperationOutcome(reason: "the answer was lost")
            outcome.paymentID = "P1"
            outcome.card = CardDetails(type: "VISA", first6: "424242", last4: "4242")
            let ended = try await journal.advance("c_1", to: .unknown, outcome: outcome, detail: "lost", now: 3000)
            #expect(ended.outcome == outcome)
            #expect(try await journal.operation("c_1") == ended)
            #expect(
                try await journal.transitions(of: "c_1") == [
                    OperationTransition(state: .created, detail: nil, at: 1000),
                    OperationTransition(state: .sent, detail: nil, at: 2000),
                    OperationTransition(state: .unknown, detail: "lost", at: 3000),
                ])
        }
    }

    @Test("a settled operation cannot change", arguments: JournalWorld.Store.allCases)
    func refusesTransitions(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            let operation = Self.operation("c_1", key: "k1")
            try await world.add(operation)
            let proof = Verdict(on: operation, [.neverLeft(.failed, OperationOutcome())])
            _ = try await journal.settle("c_1", proof, now: 2000)
            await #expect(throws: JournalError.transition(id: "c_1", from: .failed, to: .sent)) {
                try await journal.advance("c_1", to: .sent, now: 3000)
            }
            #expect(try await journal.operation("c_1")?.state == .failed)
            await #expect(throws: JournalError.missing(id: "c_2")) {
                try await journal.advance("c_2", to: .sent, now: 3000)
            }
        }
    }

    @Test("a key cannot be used twice", arguments: JournalWorld.Store.allCases)
    func keys(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            let first = try await journal.add(Self.operation("c_1", key: "k1"))
            let second = try await journal.add(Self.operation("c_2", key: "k1"))
            #expect(first != nil)
            #expect(second == nil)
            #expect(try await journal.operation("c_2") == nil)
        }
    }

    @Test(
        "an operation is locked by its own row, also in a journal with earlier rows", arguments: [0, 1, 2, 7],
        JournalWorld.Store.allCases)
    func locks(_ earlier: Int, _ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            let other = try await world.other()
            for number in 0..<earlier {
                let id = "c_old\(number)"
                try await world.add(Self.operation(id, key: id))
                for time in 0..<Int64(number) {
                    _ = try await journal.advance(id, to: time == 0 ? .sent : .unknown, now: time)
                }
            }
            var lock = try await journal.add(Self.operation("c_1", key: "k1"))
            let held = try await other.lock("c_1")
            #expect(held == nil)
            withExtendedLifetime(lock) {}
            lock = nil
            let free = try await other.lock("c_1")
            #expect(free != nil)
        }
    }

    @Test(
        "an operation that was never sent restarts under its key; one that may have been sent does not",
        arguments: JournalWorld.Store.allCases)
    func restarts(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            let operation = Self.operation("c_1", key: "k1")
            try await world.add(operation)
            #expect(try await journal.restart("c_1", as: operation, now: 1500)?.state == .created)
            let proof = Verdict(on: operation, [.neverLeft(.cancelled, OperationOutcome(reason: "stopped"))])
            _ = try await journal.settle("c_1", proof, now: 2000)
            #expect(try await journal.operation("c_1")?.isNeverSent == true)
            #expect(try await journal.restart("c_1", as: operation, now: 3000)?.state == .created)
            _ = try await journal.advance("c_1", to: .sent, now: 4000)
            #expect(try await journal.restart("c_1", as: operation, now: 5000) == nil)
            #expect(try await journal.operation("c_1")?.state == .sent)
        }
    }

    @Test("what was done elsewhere with a payment is not that of another one", arguments: JournalWorld.Store.allCases)
    func otherPayment(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let operation = Self.operation("c_1", key: "k")
            try await world.add(operation)
            var outcome = OperationOutcome()
            (outcome.paymentID, outcome.amount, outcome.isByHand) = ("A", 1250, true)
            outcome.elsewhere = DoneElsewhere()
            outcome.elsewhere?.refunded = 300
            _ = try await world.journal.settle("c_1", Verdict(on: operation, [.effect(outcome)]), now: 2000)
            for (payment, refunded) in [("A", 300), ("B", nil)] as [(String, Int64?)] {
                let settled = try await world.journal.settleByHand(
                    "c_1", isDone: true, by: "Anna", payment: payment, now: 3000)
                #expect(settled.outcome.paymentID == payment && settled.outcome.elsewhere?.refunded == refunded)
            }
        }
    }

    @Test(
        "an outcome based on missing records gives way to a payment that is shown later",
        arguments: JournalWorld.Store.allCases)
    func provisional(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            var request = OperationRequest(path: "/v1/payments", body: "{}")
            request.type = .sale
            let operation = PaymentOperation(
                id: "c_1", kind: .charge, rail: .payDisplay, environment: "us", merchantID: "M1", idempotencyKey: "k",
                externalID: "E1", amount: Money(minorUnits: 1250, currency: .usDollar), request: request, now: 1000)
            try await world.add(operation)
            _ = try await journal.advance("c_1", to: .sent, now: 2000)
            let refusal = Verdict(
                on: operation, [.cancelled(OperationOutcome(reason: "on the device"), isRequested: true), .absent])
            #expect(try await journal.settle("c_1", refusal, now: 3000).state == .cancelled)
            #expect(try await journal.doubtful(since: 0, now: 3000).map(\.id) == ["c_1"])
            try await journal.recordRecheck("c_1", now: 4000)
            #expect(try await journal.doubtful(since: 0, now: 4500).isEmpty)
            #expect(try await journal.doubtful(since: 0, now: 5000).map(\.id) == ["c_1"])
            #expect(try await journal.doubtful(since: 3001, now: 5000).isEmpty)
            var outcome = OperationOutcome()
            outcome.paymentID = "P1"
            let shown = ObservedPayment(source: .externalID, ending: .approved, externalID: "E1", outcome: outcome)
            let heard = try await journal.hear("c_1", Verdict(on: operation, [.payment(shown)]), now: 6000)
            #expect(heard.state == .approved)
            #expect(heard.outcome.contradiction != nil)
            // It is reported until a person confirms it.
            #expect(try await journal.doubtful(since: 7000, now: 7000).map(\.id) == ["c_1"])
            let agreed = try await journal.settleByHand("c_1", isDone: true, by: "Anna", payment: nil, now: 8000)
            #expect(agreed.outcome.contradiction == nil)
        }
    }

    @Test(
        "a part that is found after a person recorded the payment is named, and never given back",
        arguments: JournalWorld.Store.allCases)
    func partOfSettledCharge(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            let operation = Self.operation("c_1", key: "k1")
            try await world.add(operation)
            _ = try await journal.advance("c_1", to: .sent, now: 2000)
            _ = try await journal.settleByHand("c_1", isDone: true, by: "Anna", payment: nil, now: 3000)
            var outcome = OperationOutcome()
            outcome.paymentID = "P1"
            outcome.amount = 625
            let shown = ObservedPayment(source: .externalID, ending: .approved, externalID: "E1", outcome: outcome)
            let heard = try await journal.hear("c_1", Verdict(on: operation, [.payment(shown)]), now: 4000)
            let words = "Anna recorded it as paid; asked later, only 6.25 USD was approved"
            #expect(heard.outcome.contradiction == words)
            #expect(heard.state == .approved && !heard.isUnwantedPartialApproval)
            #expect(try await journal.doubtful(since: 5000, now: 5000).map(\.id) == ["c_1"])
            #expect(try await journal.unsettled().isEmpty)
            let agreed = try await journal.settleByHand("c_1", isDone: true, by: "Anna", payment: nil, now: 6000)
            #expect(agreed.outcome.contradiction == nil && agreed.outcome.amount == 625)
            #expect(try await journal.unsettled().isEmpty && !agreed.isUnwantedPartialApproval)
        }
    }

    @Test(
        "a part is accepted by the person who settles its charge as paid, and not given back any more",
        arguments: JournalWorld.Store.allCases)
    func acceptedPart(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            let operation = Self.operation("c_1", key: "k1")
            try await world.add(operation)
            _ = try await journal.advance("c_1", to: .sent, now: 2000)
            var outcome = OperationOutcome()
            outcome.paymentID = "P1"
            outcome.amount = 625
            let shown = ObservedPayment(source: .response, ending: .approved, externalID: "E1", outcome: outcome)
            let part = try await journal.settle("c_1", Verdict(on: operation, [.payment(shown)]), now: 3000)
            #expect(part.isUnwantedPartialApproval)
            #expect(try await journal.unsettled().map(\.id) == ["c_1"])
            let accepted = try await journal.settleByHand("c_1", isDone: true, by: "Anna", payment: nil, now: 4000)
            #expect(accepted.outcome.settledBy == "Anna" && accepted.outcome.amount == 625)
            #expect(!accepted.isUnacceptedPart && !accepted.isUnwantedPartialApproval)
            #expect(try await journal.unsettled().isEmpty)
        }
    }

    @Test(
        "a person who has seen that the payment failed can confirm the entry, which is not named again",
        arguments: JournalWorld.Store.allCases)
    func confirmedAsPaid(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            let operation = Self.operation("c_1", key: "k1")
            try await world.add(operation)
            _ = try await journal.advance("c_1", to: .sent, now: 2000)
            _ = try await journal.settleByHand("c_1", isDone: true, by: "Anna", payment: nil, now: 3000)
            var outcome = OperationOutcome()
            outcome.paymentID = "P1"
            let shown = ObservedPayment(source: .externalID, ending: .declined, externalID: "E1", outcome: outcome)
            let verdict = Verdict(on: operation, [.payment(shown)])
            let heard = try await journal.hear("c_1", verdict, now: 4000)
            #expect(
                heard.outcome.contradiction
                    == "Anna recorded that it was carried out; asked later, the answer is that it was not")
            #expect(heard.state == .approved && heard.outcome.isByHand == true)
            let confirmed = try await journal.settleByHand("c_1", isDone: true, by: "Ben", payment: nil, now: 5000)
            #expect(confirmed.state == .approved && confirmed.outcome.contradiction == nil)
            #expect(try await journal.hear("c_1", verdict, now: 6000) == confirmed)
            #expect(try await journal.doubtful(since: 5001, now: 6000).isEmpty)
        }
    }

    @Test(
        "another payment than a person recorded is named, until a person confirms it",
        arguments: JournalWorld.Store.allCases)
    func otherPaymentNamed(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            let operation = Self.operation("c_1", key: "k1")
            try await world.add(operation)
            _ = try await journal.advance("c_1", to: .sent, now: 2000)
            _ = try await journal.settleByHand("c_1", isDone: true, by: "Eve", payment: "NOSUCH", now: 3000)
            var outcome = OperationOutcome()
            outcome.paymentID = "P1"
            outcome.amount = operation.minorUnits
            let shown = ObservedPayment(source: .externalID, ending: .approved, externalID: "E1", outcome: outcome)
            let heard = try await journal.hear("c_1", Verdict(on: operation, [.payment(shown)]), now: 4000)
            #expect(heard.outcome.contradiction == "Eve recorded the payment NOSUCH; asked later, it is P1")
            #expect(heard.outcome.paymentID == "P1")
            let agreed = try await journal.settleByHand("c_1", isDone: true, by: "Gus", payment: nil, now: 5000)
            #expect(agreed.outcome.contradiction == nil && agreed.outcome.paymentID == "P1")
        }
    }

    @Test(
        "a charge cannot be settled by hand with the payment of another charge, nor with a second payment",
        arguments: JournalWorld.Store.allCases)
    func foreignPayment(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            for number in 1...2 {
                try await world.add(Self.operation("c_\(number)", key: "k\(number)"))
                _ = try await journal.advance("c_\(number)", to: .sent, now: 2000)
                _ = try await journal.advance("c_\(number)", to: .unknown, now: 3000)
            }
            #expect(try await journal.wouldRecord(payment: "P1", of: "c_1"))
            #expect(try await journal.operation("c_1")?.state == .unknown)
            _ = try await journal.settleByHand("c_1", isDone: true, by: "Anna", payment: "P1", now: 4000)
            #expect(try await journal.wouldRecord(payment: "P1", of: "c_1") == false)
            await #expect(throws: PaymentPlanError.self) {
                try await journal.settleByHand("c_2", isDone: true, by: "Anna", payment: "P1", now: 5000)
            }
            await #expect(throws: PaymentPlanError.paymentOfAnother(id: "c_2", payment: "P1", other: "c_1")) {
                try await journal.wouldRecord(payment: "P1", of: "c_2")
            }
            #expect(try await journal.operation("c_2")?.state == .unknown)
            // A person corrects the payment that was entered.
            let corrected = try await journal.settleByHand("c_1", isDone: true, by: "Anna", payment: "P3", now: 6000)
            #expect(corrected.outcome.paymentID == "P3")
        }
    }

    @Test(
        "an end without a payment is read again at least once, and opens again when a payment may be its own",
        arguments: JournalWorld.Store.allCases)
    func reopened(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            let operation = Self.operation("c_1", key: "k1")
            try await world.add(operation)
            _ = try await journal.advance("c_1", to: .sent, now: 2000)
            let refusal = Verdict(on: operation, [.refused(OperationOutcome(reason: "words", http: 401)), .absent])
            #expect(try await journal.settle("c_1", refusal, now: 3000).state == .failed)
            // The clock was set by more than the period.
            #expect(try await journal.doubtful(since: 9_000_000, now: 10_000_000).map(\.id) == ["c_1"])
            var outcome = OperationOutcome(reason: "a payment may be this one")
            outcome.candidates = ["P1"]
            #expect(try await journal.reopen("c_1", outcome, now: 4000).state == .unknown)
            #expect(try await journal.unsettled().map(\.id) == ["c_1"])
            // What is not provisional stays.
            #expect(try await journal.reopen("c_1", OperationOutcome(reason: "again"), now: 5000).outcome == outcome)
        }
    }

    @Test("a card number is never kept, whatever a service sends")
    func cardFacts() {
        let card = CardDetails(type: "VISA", first6: "4242424242424242", last4: "4242424242424242")
        #expect(card.first6 == nil)
        #expect(card.last4 == nil)
    }

    @Test("reading creates nothing")
    func looks() async throws {
        let directory = try TemporaryDirectory()
        let state = StateDirectory(path: directory["state"])
        #expect(try await ChargeJournal.existing(in: state) == nil)
    }

    @Test("a journal that was in use and is empty is refused and left as it is", arguments: [false, true])
    func emptied(isOfHandOffs: Bool) async throws {
        let directory = try TemporaryDirectory()
        let state = StateDirectory(path: directory["state"])
        let path = state.path + "/journal.sqlite"
        do {
            let journal = try await ChargeJournal.open(in: state)
            if isOfHandOffs {
                _ = try await journal.add([HandOff(state: "s", place: "x://", body: "{}", location: "")], now: 1000)
            } else {
                _ = try await journal.add(Self.operation("c_1", key: "k1"))
            }
        }
        #expect(truncate(path, 0) == 0)
        let expected = StateDatabaseError.emptied(path: path)
        await #expect(throws: expected) { try await ChargeJournal.open(in: state) }
        await #expect(throws: expected) { try await ChargeJournal.existing(in: state) }
        await #expect(throws: expected) { try await ChargeJournal.glance(in: state) }
        await #expect(throws: expected) { try await ChargeJournal.inspect(in: state) }
        var found = stat()
        #expect(stat(path, &found) == 0 && found.st_size == 0)
    }

    @Test("an empty journal without a first row was not completed, and is used")
    func notCompleted() async throws {
        let directory = try TemporaryDirectory()
        let state = StateDirectory(path: directory["state"])
        _ = try await ChargeJournal.open(in: state)
        #expect(truncate(state.path + "/journal.sqlite", 0) == 0)
        #expect(try await ChargeJournal.inspect(in: state) == nil)
        #expect(try await ChargeJournal.existing(in: state)?.charges(limit: 1) == [])
        let journal = try await ChargeJournal.open(in: state)
        #expect(try await journal.add(Self.operation("c_1", key: "k1")) != nil)
    }

    @Test("a journal that was removed is missed by what reads it, and begun again by the next charge")
    func movedAway() async throws {
        try await Self.withJournal { journal, state in
            _ = try await journal.add(Self.operation("c_1", key: "k1"))
            #expect(unlink(state.path + "/journal.sqlite") == 0)
            let expected = StateDatabaseError.removed(
                path: state.path + "/journal.sqlite", witness: state.path + "/journal.lock")
            await #expect(throws: expected) { try await ChargeJournal.existing(in: state) }
            await #expect(throws: expected) { try await ChargeJournal.glance(in: state) }
            await #expect(throws: expected) { try await ChargeJournal.inspect(in: state) }
            #expect(try await ChargeJournal.open(in: state).charges(limit: 1) == [])
        }
    }

    @Test("a journal of a newer version is refused and kept")
    func newerVersion() async throws {
        try await Self.withJournal { journal, state in
            _ = try await journal.add(Self.operation("c_1", key: "k1"))
            let path = state.path + "/journal.sqlite"
            let database = try DatabaseQueue(path: path)
            try await database.write { try $0.execute(sql: "PRAGMA user_version = 99") }
            await #expect(throws: StateDatabaseError.newerVersion(path: path, found: 99, known: 1)) {
                try await ChargeJournal.open(in: state)
            }
            let rows = try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM operations") }
            #expect(rows == 1)
        }
    }
}

@Suite("Totals of a charge")
struct ChargeFactsTests {
    private static func charge(_ type: ChargeType, approved: Int64 = 1000) -> PaymentOperation {
        var request = OperationRequest(path: "/v1/payments", body: "{}")
        request.type = type
        return JournalFixture.operation(.charge, "c_1", nil, 1000, request, approved: approved)
    }

    private static func followUp(
        _ kind: OperationKind, _ amount: Int64?, state: OperationState = .approved
    ) -> PaymentOperation {
        JournalFixture.operation(
            kind, "x_\(kind)", "c_1", amount, OperationRequest(path: "/", body: "{}"), approved: amount, state: state)
    }

    @Test("the key of a refund of the whole is its own after a part was refunded elsewhere")
    func wholeRefund() {
        var outcome = JournalFixture.outcome(1000)
        outcome.elsewhere = DoneElsewhere()
        outcome.elsewhere?.refunded = 300
        let charge = Self.charge(.sale).settled(.approved, outcome)
        var plan = FollowUpPlan(.refund)
        for (asked, isSame) in [(1000, true), (700, true), (699, false)] as [(Int64, Bool)] {
            #expect(plan.asks(for: Self.followUp(.refund, asked), on: charge, after: []) == isSame)
        }
        // It says itself that it took what was left, whatever that was.
        var request = OperationRequest(path: "/", body: "{}")
        request.takesRest = true
        let rest = JournalFixture.operation(.refund, "r_1", "c_1", 699, request, approved: 699)
        #expect(plan.asks(for: rest, on: charge, after: []))
        plan.amount = 700
        #expect(!plan.asks(for: rest, on: charge, after: []))
        #expect(!plan.asks(for: Self.followUp(.refund, 1000), on: charge, after: []))
    }

    @Test("refunds add up to the whole amount")
    func refunds() throws {
        let charge = Self.charge(.sale)
        let facts = ChargeTotals(charge, [Self.followUp(.refund, 400), Self.followUp(.refund, 100)])
        #expect(facts.rest == 500)
        #expect(facts.word(charge, now: 0) == "partly refunded")
        #expect(throws: PaymentPlanError.partlyRefunded(id: "c_1")) {
            try FollowUpPlan(.void).operation(on: charge, after: [Self.followUp(.refund, 100)], now: 0)
        }
        let later = PaymentOperation(
            id: "x_later", kind: .refund, parent: "c_1", rail: .payDisplay, environment: "us", merchantID: "M",
            idempotencyKey: "x_later", amount: Money(minorUnits: 100, currency: .usDollar),
            request: OperationRequest(path: "/", body: "{}"), now: charge.updatedAt + 5
        ).settled(.approved, JournalFixture.outcome(100))
        #expect(ChargeTotals(charge, [later]).updatedAt == charge.updatedAt + 5)
        var plan = FollowUpPlan(.refund)
        // The device's whole may be more than the amount that was named.
        #expect(try plan.operation(on: charge, after: [], now: 0).request.body == #"{"fullRefund":true}"#)
        plan.amount = 1000
        #expect(try plan.operation(on: charge, after: [], now: 0).request.body == #"{"amount":1000}"#)
        plan.amount = 501
        let earlier = [Self.followUp(.refund, 400), Self.followUp(.refund, 100)]
        #expect(
            throws: PaymentPlanError.exceedsRest(
                .refund, id: "c_1", rest: Money(minorUnits: 500, currency: .usDollar))
        ) { try plan.operation(on: charge, after: earlier, now: 0) }
        plan.amount = nil
        #expect(try plan.operation(on: charge, after: earlier, now: 0).amount?.minorUnits == 500)
    }

    @Test("a key that a header cannot carry is refused", arguments: ["", "a key", "k\r\nX: y"])
    func malformedKey(_ key: String) throws {
        var plan = FollowUpPlan(.refund)
        plan.idempotencyKey = key
        #expect(throws: PaymentPlanError.self) { try plan.operation(on: Self.charge(.sale), after: [], now: 0) }
    }

    @Test("nothing is added while an earlier operation is unsettled")
    func unsettled() {
        let pending = Self.followUp(.refund, 400, state: .unknown)
        #expect(throws: PaymentPlanError.unsettled(.refund, id: "c_1", pending: "x_refund")) {
            try FollowUpPlan(.refund).operation(on: Self.charge(.sale), after: [pending], now: 0)
        }
    }

    struct Refused: CustomTestStringConvertible, Sendable {
        let kind: OperationKind
        let type: ChargeType
        var earlier: OperationKind?
        let refusal: PaymentPlanError
        var testDescription: String { "\(kind) of \(type) after \(earlier.map { "\($0)" } ?? "nothing")" }
    }

    @Test(
        "an operation that the charge's type or state does not allow is refused",
        arguments: [
            Refused(kind: .capture, type: .sale, refusal: .wrongType(.capture, id: "c_1", .sale)),
            Refused(kind: .capture, type: .auth, refusal: .wrongType(.capture, id: "c_1", .auth)),
            Refused(
                kind: .capture, type: .preauth, earlier: .capture, refusal: .alreadyDone(.capture, id: "c_1")),
            Refused(kind: .tip, type: .sale, refusal: .wrongType(.tip, id: "c_1", .sale)),
            Refused(kind: .tip, type: .preauth, refusal: .notCaptured(.tip, id: "c_1")),
            Refused(kind: .increment, type: .auth, refusal: .wrongType(.increment, id: "c_1", .auth)),
            Refused(
                kind: .increment, type: .preauth, earlier: .capture, refusal: .alreadyDone(.capture, id: "c_1")),
            Refused(kind: .refund, type: .preauth, refusal: .notCaptured(.refund, id: "c_1")),
            Refused(kind: .refund, type: .sale, earlier: .void, refusal: .alreadyDone(.void, id: "c_1")),
            Refused(kind: .void, type: .sale, earlier: .void, refusal: .alreadyDone(.void, id: "c_1")),
            Refused(kind: .refund, type: .sale, earlier: .refund, refusal: .alreadyDone(.refund, id: "c_1")),
            Refused(kind: .void, type: .sale, earlier: .refund, refusal: .alreadyDone(.refund, id: "c_1")),
            Refused(kind: .receipt, type: .sale, refusal: .receiptWithoutAddress),
        ])
    func refused(_ row: Refused) {
        let earlier = row.earlier.map { [Self.followUp($0, 1000)] } ?? []
        var plan = FollowUpPlan(row.kind)
        plan.amount = row.kind == .increment ? 100 : nil
        plan.tip = 100
        #expect(throws: row.refusal) { try plan.operation(on: Self.charge(row.type), after: earlier, now: 0) }
    }
}

/// Operations in any state, created through a journal as the program does.
enum JournalFixture {
    static func operation(
        _ kind: OperationKind, _ id: String, _ parent: String?, _ amount: Int64?, _ request: OperationRequest,
        approved: Int64?, state: OperationState = .approved
    ) -> PaymentOperation {
        PaymentOperation(
            id: id, kind: kind, parent: parent, rail: .payDisplay, environment: "us", merchantID: "M",
            idempotencyKey: id, amount: amount.map { Money(minorUnits: $0, currency: .usDollar) }, request: request,
            now: 0
        ).settled(state, outcome(approved))
    }

    static func outcome(_ approved: Int64?) -> OperationOutcome {
        var outcome = OperationOutcome()
        outcome.paymentID = "P1"
        outcome.amount = approved
        return outcome
    }
}
