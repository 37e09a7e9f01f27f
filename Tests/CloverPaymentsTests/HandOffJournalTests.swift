import CloverPayments
import CloverSystem
import CloverTestSupport
import Testing

@Suite("Hand-offs in the journal")
struct HandOffJournalTests {
    private static func handOff(_ state: String?) -> HandOff {
        HandOff(state: state, place: "square-commerce-v1://payment/create", body: "{}", location: "L1")
    }

    private static func paid(_ state: String?, _ payment: String) -> HandOffResponse {
        var outcome = OperationOutcome()
        outcome.paymentID = payment
        return HandOffResponse(state: state, ending: .approved, outcome: outcome)
    }

    @Test(
        "each hand-off is recorded as sent, with the newest other one that its response could belong to",
        arguments: JournalWorld.Store.allCases)
    func adds(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            let rows = try await journal.add([nil, "", "s", "s", nil, ""].map(Self.handOff), now: 1000)
            #expect(rows.map(\.rival?.id) == [nil, nil, nil, rows[2].id, nil, rows[1].id])
            #expect(rows.compactMap(\.rival).allSatisfy { $0.isSameRequest })
            let charges = try await journal.charges(limit: 10)
            #expect(charges.map(\.id) == rows.map(\.id).reversed())
            #expect(charges.map(\.externalID) == ["", nil, "s", "s", "", nil])
            #expect(charges.allSatisfy { $0.state == .sent && $0.merchantID == "L1" })
            #expect(
                try await journal.transitions(of: rows[0].id) == [
                    OperationTransition(state: .created, detail: nil, at: 1000),
                    OperationTransition(state: .sent, detail: nil, at: 1000),
                ])
        }
    }

    @Test(
        "an older hand-off for something else is reported rather than one for the same",
        arguments: JournalWorld.Store.allCases)
    func rivals(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            var other = Self.handOff("s")
            other.body = "[]"
            let rows = try await journal.add([other, Self.handOff("s"), Self.handOff("s")], now: 1000)
            let rival = try #require(rows[2].rival)
            #expect(rival.id == rows[0].id && !rival.isSameRequest)
        }
    }

    @Test("responses in one batch settle as they would one by one, in order", arguments: JournalWorld.Store.allCases)
    func settlesEach(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            let rows = try await journal.add(["a", "b", "b"].map(Self.handOff), now: 1000)
            let answers = [
                Self.paid("a", "T-1"), Self.paid("a", "T-1"), Self.paid("x", "T-2"), Self.paid("b", "T-3"),
                Self.paid("b", "T-4"),
            ]
            let matches = try await journal.settle(byEach: answers.map { ($0, nil) }, now: 2000)
            let charges = try await journal.charges(limit: 10)
            #expect(charges.map(\.outcome.paymentID) == ["T-3", "T-4", "T-1"])
            #expect(charges.allSatisfy { $0.state == .approved && $0.updatedAt == 2000 })
            guard case .settles(let first) = matches[0], case .known(let again) = matches[1], matches[2] == .none else {
                Issue.record("\(matches)")
                return
            }
            #expect(first.id == rows[0].id && again.id == rows[0].id)
        }
    }

    @Test("an amount in an unknown currency reads back as given", arguments: JournalWorld.Store.allCases)
    func plainAmount(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            var handOff = Self.handOff("s")
            handOff.plainAmount = RawAmount(minorUnits: 1250, currencyCode: "xbt")
            _ = try await journal.add([handOff], now: 1000)
            let found = try #require(try await journal.charges(limit: 1).first)
            #expect(found.amount == nil && found.plainAmount == handOff.plainAmount)
            #expect(found.minorUnits == 1250 && found.currencyCode == "xbt")
            #expect(found.amountText == "1250 smallest units of xbt")
        }
    }

    @Test(
        "a payment settles one hand-off, even if many responses report it at once",
        arguments: JournalWorld.Store.allCases)
    func races(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            let first = try await journal.add([Self.handOff("s")], now: 1000)[0].id
            _ = try await journal.settle(by: Self.paid("s", "T1"), detail: nil, now: 2000)
            let second = try await journal.add([Self.handOff("s")], now: 3000)[0].id
            let matches = try await withThrowingTaskGroup(of: HandOffMatch.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        try await journal.settle(
                            by: Self.paid("s", number.isMultiple(of: 2) ? "T1" : "T2"), detail: nil, now: 4000)
                    }
                }
                var matches: [HandOffMatch] = []
                for try await match in group { matches.append(match) }
                return matches
            }
            let settled = matches.filter { if case .settles = $0 { true } else { false } }
            let known = matches.filter { if case .known = $0 { true } else { false } }
            #expect(settled.count == 1 && known.count == 7)
            #expect(try await journal.operation(first)?.outcome.paymentID == "T1")
            #expect(try await journal.operation(first)?.updatedAt == 2000)
            #expect(try await journal.operation(second)?.outcome.paymentID == "T2")
            #expect(try await journal.transitions(of: second).map(\.state) == [.created, .sent, .approved])
        }
    }

    @Test("states that look alike are different", arguments: JournalWorld.Store.allCases)
    func spelling(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            _ = try await journal.add([Self.handOff("caf\u{E9}")], now: 1000)
            let match = try await journal.settle(by: Self.paid("cafe\u{301}", "T1"), detail: nil, now: 2000)
            #expect(match == .none)
        }
    }

    @Test("a state is kept whole, also after a NUL character", arguments: JournalWorld.Store.allCases)
    func zero(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            let states = ["a\0b", "a\0c", "a", "\0"]
            let rows = try await journal.add(states.map(Self.handOff), now: 1000)
            #expect(rows.allSatisfy { $0.rival == nil })
            _ = try await journal.settle(by: Self.paid("a\0c", "T1"), detail: nil, now: 2000)
            let charges = try await journal.charges(limit: 9)
            #expect(charges.reversed().map(\.externalID) == states)
            #expect(charges.reversed().map(\.state) == [.sent, .approved, .sent, .sent])
        }
    }

    @Test("a missing row is not settled", arguments: JournalWorld.Store.allCases)
    func missing(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            await #expect(throws: JournalError.missing(id: "c_none")) {
                _ = try await journal.settle(by: Self.paid("s", "T1"), chosen: "c_none", detail: nil, now: 2000)
            }
        }
    }
}
