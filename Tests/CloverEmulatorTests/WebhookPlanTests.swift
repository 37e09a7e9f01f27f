import CloverEmulator
import NIOCore
import Testing

@Suite("webhooks of the emulator")
struct WebhookPlanTests {
    private static func changes(_ count: Int) -> [ShopChange] {
        (0..<count).map { ShopChange(key: "O", id: "\($0)", type: .update, time: $0) }
    }

    private static func plan(faults: [String] = [], bundle: Int = 1, delay: Duration = .zero) throws -> WebhookPlan {
        var settings = WebhookSettings(address: try #require(WebhookAddress(parsing: "http://localhost")))
        settings.faults = try faults.map { try FaultSpec(parsing: $0) }
        settings.bundle = bundle
        settings.delay = delay
        return WebhookPlan(settings, seed: 1)
    }

    @Test("without faults every change is in one body, in order, and bodies have up to the maximum of events")
    func bundles() throws {
        var plan = try Self.plan(bundle: 4)
        let bodies = plan.bodies(of: Self.changes(1000))
        #expect(bodies.flatMap(\.changes) == Self.changes(1000))
        #expect(Set(bodies.map(\.changes.count)) == [1, 2, 3, 4])
        #expect(bodies.allSatisfy { $0.copies == 1 && $0.delay == .zero })
    }

    @Test("faults hit about as many bodies as they should, and the same ones in every run")
    func faults() throws {
        let faults = ["webhook-lose=10%", "webhook-double:0.2", "webhook-reorder:0.5"]
        var plan = try Self.plan(faults: faults)
        var again = try Self.plan(faults: faults)
        let bodies = plan.bodies(of: Self.changes(10_000))
        #expect(again.bodies(of: Self.changes(10_000)) == bodies)
        #expect((850...1150).contains(bodies.count { $0.copies == 0 }))
        // A lost one is not doubled.
        #expect((1600...2000).contains(bodies.count { $0.copies == 2 }))
        #expect((4700...5300).contains(bodies.count { $0.delay > .zero }))
    }

    @Test("a fault can hit single bodies, and delays are up to the maximum")
    func single() throws {
        var plan = try Self.plan(faults: ["webhook-lose@2-3"], delay: .seconds(1))
        let bodies = plan.bodies(of: Self.changes(100))
        #expect(bodies.indices.filter { bodies[$0].copies == 0 } == [1, 2])
        #expect(
            bodies.allSatisfy { $0.delay >= .zero && $0.delay < .seconds(1) } && Set(bodies.map(\.delay)).count > 90)
    }

    @Test("delays and faults apply to the bodies of Hosted Checkout, too")
    func checkouts() throws {
        var plan = try Self.plan(faults: ["webhook-lose@2", "webhook-double@3"], delay: .seconds(1))
        let checkouts = (0..<100).map { [UInt8($0)] }
        let bodies = plan.bodies(ofCheckouts: checkouts)
        #expect(bodies.map(\.checkout) == checkouts && bodies.allSatisfy(\.changes.isEmpty))
        #expect(bodies.prefix(4).map(\.copies) == [1, 0, 2, 1])
        #expect(Set(bodies.map(\.delay)).count > 90 && bodies.allSatisfy { $0.delay < .seconds(1) })
    }

    @Test("webhook faults are no faults of requests")
    func noRequests() throws {
        let plan = FaultPlan(specs: [try FaultSpec(parsing: "webhook-lose")], seed: 1)
        #expect(plan.fault(forRequest: 1, path: "/v3/merchants/M/orders") == nil)
    }

    @Test(
        "a percentage is a probability", arguments: [("webhook-lose=100%", 1.0), ("500:2.5%", 0.025), ("500=0.5", 0.5)])
    func percentage(_ text: String, _ probability: Double) throws {
        #expect(try FaultSpec(parsing: text).selector == .probability(probability))
    }

    @Test("no percentage is accepted outside of 0 to 100", arguments: ["500:0%", "500:101%", "500:%", "500:x%"])
    func badPercentage(_ text: String) {
        #expect(throws: FaultSpecError.self) { try FaultSpec(parsing: text) }
    }

    @Test(
        "an address is an http URL with a host",
        arguments: [
            ("http://127.0.0.1:8978", "127.0.0.1", 8978, "/"), ("http://app:5000/a/b?c=d", "app", 5000, "/a/b?c=d"),
            ("http://[::1]:80/x", "::1", 80, "/x"), ("http://localhost", "localhost", 80, "/"),
        ])
    func address(_ text: String, _ host: String, _ port: Int, _ target: String) throws {
        let address = try #require(WebhookAddress(parsing: text))
        #expect(address.host == host && address.port == port && address.target == target)
    }

    @Test(
        "what is no such URL is refused",
        arguments: [
            "https://a", "a", "http://", "http://a:0", "http://a:70000", "http://u@a", "http://a/b c",
            "http://a/\r\nX: y",
        ])
    func badAddress(_ text: String) {
        #expect(WebhookAddress(parsing: text) == nil)
    }
}
