import CloverEmulator
import Testing

@Suite("Faults")
struct FaultSpecTests {
    @Test(
        "Specifications are read",
        arguments: [
            ("reset", FaultKind.reset, FaultSpec.Selector.probability(1), nil),
            ("500:0.25", .serverError, .probability(0.25), nil),
            ("503-html:0.2:/orders", .unavailable, .probability(0.2), "/orders"),
            ("truncate@3", .truncate, .requests(3...3), nil),
            ("429-concurrent@2-4:/v3/merchants", .tokenConcurrency, .requests(2...4), "/v3/merchants"),
            ("slow:/items", .slow, .probability(1), "/items"),
        ])
    func grammar(text: String, kind: FaultKind, selector: FaultSpec.Selector, prefix: String?) throws {
        #expect(try FaultSpec(parsing: text) == FaultSpec(kind: kind, selector: selector, pathPrefix: prefix))
    }

    @Test("Every kind can be named", arguments: FaultTarget.records.kinds)
    func kinds(kind: FaultKind) throws {
        #expect(try FaultSpec(parsing: "\(kind.rawValue)@7").kind == kind)
    }

    @Test(
        "Malformed specifications are refused with their reason",
        arguments: [
            ("", FaultSpecError.unknownKind("", .records)), ("boom", .unknownKind("boom", .records)),
            ("no-answer", .unknownKind("no-answer", .records)), ("500:", .badProbability("")),
            ("500:2", .badProbability("2")), ("500:0", .badProbability("0")), ("500@0", .badRequestNumber("0")),
            ("500@4-2", .badRequestNumber("4-2")), ("500@1-2-3", .badRequestNumber("1-2-3")),
            ("500@x", .badRequestNumber("x")),
            ("decline@1:/orders", .notOfPayments(.decline, path: "/orders")),
        ])
    func malformed(text: String, error: FaultSpecError) {
        #expect(throws: error) { try FaultSpec(parsing: text) }
    }

    @Test("A plan depends only on the seed and hits at about the given rate")
    func plan() throws {
        let spec = try FaultSpec(parsing: "500:0.2:/orders")
        let plan = FaultPlan(specs: [spec], seed: 4)
        let hits = (1...5000).filter { plan.fault(forRequest: $0, path: "/v3/merchants/M/orders/X") != nil }
        #expect((850...1150).contains(hits.count))
        let again = FaultPlan(specs: [spec], seed: 4)
        #expect(hits == (1...5000).filter { again.fault(forRequest: $0, path: "/v3/merchants/M/orders") != nil })
        #expect(!(1...500).contains { plan.fault(forRequest: $0, path: "/v3/merchants/M/items") != nil })
    }

    @Test("The first fault that applies wins; numbers are exact")
    func priority() throws {
        let plan = FaultPlan(specs: [try FaultSpec(parsing: "reset@2-3"), try FaultSpec(parsing: "500@3-4")], seed: 1)
        let kinds = (1...5).map { plan.fault(forRequest: $0, path: "/v3/x") }
        #expect(kinds == [nil, .reset, .reset, .serverError, nil])
    }

    @Test("Token calls have separate faults", arguments: FaultTarget.oauth.kinds)
    func oauthKinds(kind: FaultKind) throws {
        let spec = try FaultSpec(parsing: "\(kind.rawValue)@1:/oauth/v2/refresh", for: .oauth)
        #expect(spec == FaultSpec(kind: kind, selector: .requests(1...1), pathPrefix: "/oauth/v2/refresh"))
    }

    @Test(
        "Record faults do not apply to token calls", arguments: ["slow", "429-rate", "429-concurrent", "no-elements"])
    func wrongTarget(text: String) {
        #expect(throws: FaultSpecError.unknownKind(text, .oauth)) { try FaultSpec(parsing: text, for: .oauth) }
    }

    @Test("Each token-call fault counts only the calls to its path; the first that applies takes precedence")
    func oauthPlan() throws {
        let texts = ["reset@2:/oauth/v2/refresh", "500@3", "lose-answer@1:/oauth/v2/refresh"]
        let plan = CountedFaultPlan(specs: try texts.map { try FaultSpec(parsing: $0, for: .oauth) }, seed: 1)
        let paths = ["token", "refresh", "refresh", "refresh", "token"].map { "/oauth/v2/" + $0 }
        #expect(paths.map { plan.next(path: $0) } == [nil, .loseAnswer, .reset, nil, nil])
    }

    @Test("A token fault with a probability hits at about the given rate")
    func oauthProbability() throws {
        let plan = CountedFaultPlan(specs: [try FaultSpec(parsing: "500:0.2", for: .oauth)], seed: 4)
        let hits = (1...5000).count { _ in plan.next(path: "/oauth/v2/token") != nil }
        #expect((850...1150).contains(hits))
    }

    @Test("A truncated body is never complete")
    func cut() {
        let plan = FaultPlan(specs: [], seed: 1)
        for length in [1, 2, 10, 1000] {
            for number in 1...100 { #expect((0..<length).contains(plan.cut(forRequest: number, length: length))) }
        }
    }
}
