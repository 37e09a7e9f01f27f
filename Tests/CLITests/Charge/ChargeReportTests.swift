import CloverTestSupport
import Foundation
import Testing

@Suite("charge: list and show")
struct ChargeReportTests {
    private func charged(_ body: (ChargeFixture, _ ids: [String]) async throws -> Void) async throws {
        try await ChargeFixture.run { till in
            var ids: [String] = []
            for options in [["--tip", "1.00"], ["--preauth"]] {
                let result = try await till.sandbox.clover(
                    arguments: ["charge", "--amount", "12.50", "--currency", "USD", "--card", "-", "--quiet"] + options,
                    input: ChargeFixture.card())
                expectSuccess(result)
                ids.append(try #require(try result.events.last?["charge"]?.string))
            }
            try await body(till, ids)
        }
    }

    @Test("charges go through a jq program as records do")
    func jq() async throws {
        try await charged { till, ids in
            let list = try await till.sandbox.clover("charge", "list", "--jq", "[.charge,.status,.amount,.tip]")
            expectSuccess(list)
            #expect(list.lines == [#"["\#(ids[1])","authorized",1250,0]"#, #"["\#(ids[0])","approved",1250,100]"#])
            let raw = try await till.sandbox.clover("charge", "show", ids[0], "-r", "--jq", ".transitions[].state")
            expectSuccess(raw)
            #expect(raw.lines == ["created", "sent", "approved"])
            let all = try await till.sandbox.clover("charge", "list", "--slurp", "--jq", "map(.amount)|add")
            #expect(all.lines == ["2500"])
            let wrong = try await till.sandbox.clover("charge", "list", "--jq", ".[")
            expectFailure(wrong, status: 65, saying: "jq")
        }
    }

    @Test("a charge is found by its payment; the charges of a day are listed; a full refund leaves nothing to void")
    func payment() async throws {
        try await charged { till, ids in
            let shown = try JSONValue(try await till.sandbox.clover("charge", "show", ids[0]).outputText)
            let payment = try #require(shown["payment"]?.string)
            let found = try JSONValue(try await till.sandbox.clover("charge", "show", payment).outputText)
            #expect(found["charge"]?.string == ids[0])
            expectSuccess(try await till.sandbox.clover("charge", "refund", payment, "--quiet"))
            expectFailure(
                try await till.sandbox.clover("charge", "void", ids[0]), status: 64, saying: "refunded in full already")
            expectFailure(
                try await till.sandbox.clover("charge", "refund", "ABCDEFGHIJKLM"), status: 66,
                saying: "no charge 'ABCDEFGHIJKLM'", "the merchant's dashboard")
            for (period, count) in [("today", 2), ("this-year", 2), ("2001", 0)] {
                let list = try await till.sandbox.clover("charge", "list", "--period", period)
                #expect(list.ending == .exited(0) && list.lines.count == count, "\(list)")
            }
            expectFailure(
                try await till.sandbox.clover("charge", "list", "--period", "someday"), status: 64,
                saying: "'someday' is not a period")
        }
    }

    @Test("in columns, amounts have their own currency's decimals")
    func columns() async throws {
        try await charged { till, ids in
            let csv = try await till.sandbox.clover(
                "charge", "list", "--format", "tsv", "--fields", "charge,status,amount,currency", "--money", "major")
            expectSuccess(csv)
            #expect(
                csv.lines == [
                    "charge\tstatus\tamount\tcurrency", "\(ids[1])\tauthorized\t12.50\tUSD",
                    "\(ids[0])\tapproved\t12.50\tUSD",
                ])
            let whole = try await till.sandbox.clover("charge", "show", ids[0], "--format", "tsv")
            expectSuccess(whole)
            #expect(whole.lines.first?.hasPrefix("charge\tcreatedAt\tstate\tstatus\tamount\ttip") == true)
            let table = try await till.sandbox.clover(
                "charge", "list", "--format", "table", "--fields", "charge,amount")
            expectSuccess(table)
            #expect(table.outputText.contains("$12.50"))
            #expect(table.outputText.contains(ids[0]))
        }
    }

    @Test("a terminal shows a table, and any other format on request")
    func terminal() async throws {
        try await charged { till, ids in
            let own = try await till.sandbox.cloverOnTerminal("charge", "list")
            #expect(own.terminalText.contains("$12.50"), "\(own)")
            #expect(own.terminalText.hasPrefix("CHARGE"))
            let asked = try await till.sandbox.cloverOnTerminal("charge", "list", "--jq", ".charge", "-r")
            #expect(asked.terminalText == ids.reversed().map { $0 + "\n" }.joined())
            let checked = try await till.sandbox.cloverOnTerminal("charge", "show", ids[0], "--check")
            #expect(
                checked.terminalText.contains(/\nservice: approved, \$12\.50, payment \w+; matches the journal\n/),
                "\(checked)")
        }
    }

    @Test("a state that is none is refused with those that are")
    func unknownState() async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover("charge", "list", "--state", "nonsense")
            expectFailure(
                result, status: 64,
                saying: "--state takes one of created, sent, approved, declined, cancelled, failed, unknown")
        }
    }

    @Test("before anything was charged there is nothing to list")
    func empty() async throws {
        try await Sandbox.run { sandbox in
            for options in [[], ["--jq", ".charge"], ["--json"]] {
                let result = try await sandbox.clover(["charge", "list"] + options)
                expectSuccess(result)
                #expect(result.output == [])
            }
        }
    }
}
