import Foundation
import Testing

@Suite("Server: churn")
@BlockingActor
struct ChurnServerTests {
    @Test("Changes the shop until stopped, with the current time")
    func rate() throws {
        let begin = Int(Date().timeIntervalSince1970 * 1000)
        let emulator = try EmulatorProcess("--orders", "50", "--churn", "200", "--now", "clock")
        func changes() throws -> Int {
            try Node(emulator.request("GET", "/emulator/churn").body)["changes"]?.integer ?? 0
        }
        #expect(try EmulatorProcess.eventually { try changes() >= 40 })
        let stopped = try Node(emulator.request("POST", "/emulator/churn?rate=0").body)
        #expect(stopped["perSecond"]?.integer == 0)
        let newest = try Node(emulator.get("orders?limit=1&orderBy=modifiedTime%20DESC").body).elements.first
        #expect(try #require(newest?["modifiedTime"]?.integer) >= begin)
        // A change in progress when the response was sent may still arrive; after that there is none.
        var last = try changes()
        var unchanged = 0
        let isStill = try EmulatorProcess.eventually {
            let now = try changes()
            unchanged = now == last ? unchanged + 1 : 0
            last = now
            return unchanged == 50
        }
        #expect(isStill)
        #expect(emulator.stop(SIGTERM) == 0)
    }

    @Test("Makes changes on request without counting them as requests")
    func changes() throws {
        let emulator = try EmulatorProcess("--orders", "50")
        let report = try Node(emulator.request("POST", "/emulator/churn?changes=25").body)
        #expect(report["changes"]?.integer == 25)
        let last = try #require(report["time"]?.integer)
        let later = try Node(emulator.request("POST", "/emulator/churn?changes=1").body)
        #expect(try #require(later["time"]?.integer) > last)
        let dump = try emulator.request("GET", "/emulator/records/items")
        #expect(dump.status == 200)
        #expect(dump.headers["content-type"] == "application/x-ndjson")
        #expect(try emulator.statistics()["requests"]?.integer == 0)
    }

    @Test("Bad requests are refused", arguments: ["rate=-1", "rate=x", "changes=-1", "changes=10001", "rate=nan"])
    func bad(query: String) throws {
        let emulator = try EmulatorProcess("--orders", "5")
        #expect(try emulator.request("POST", "/emulator/churn?\(query)").status == 400)
        #expect(try emulator.request("PUT", "/emulator/churn").status == 405)
        #expect(try emulator.request("POST", "/emulator/records/items").status == 405)
        #expect(try emulator.request("GET", "/emulator/records/nothing").status == 404)
    }

    @Test("Exits with 64 for an invalid rate", arguments: ["-1", "10001"])
    func badRate(rate: String) throws {
        let (status, message) = try EmulatorProcess.failing(["serve", "--churn=\(rate)"])
        #expect(status == 64)
        #expect(message.contains("--churn"))
    }
}
