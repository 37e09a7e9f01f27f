import Foundation
import Testing

@Suite("Server: writes")
@BlockingActor
struct WriteServerTests {
    private func post(_ emulator: EmulatorProcess, _ path: String, _ body: String) throws -> HTTPAnswer {
        try emulator.request("POST", emulator.path(path), body: body, token: emulator.token)
    }

    @Test("Shows a write in later responses, and after a kill and restart")
    func restart() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("clover-\(UUID().uuidString)").path
        defer { unlink(path) }
        let arguments = ["--orders", "50", "--state", path]
        let first = try EmulatorProcess(list: arguments)
        let made = try post(first, "items", #"{"name":"Ünïque","price":5}"#)
        #expect(made.status == 200)
        let id = try Node(made.body).id
        let listed = try first.get("items?limit=1").body
        #expect(try Node(listed).elements.first?.id == id)
        let (status, message) = try EmulatorProcess.failing(["serve"] + arguments)
        #expect(status == 74)
        #expect(message == "clover-emulator: \(path) is in use by another emulator\n")
        _ = first.stop(SIGKILL)
        let second = try EmulatorProcess(list: arguments)
        #expect(try second.get("items?limit=1").body == listed)
        _ = second.stop(SIGTERM)
        let (other, reason) = try EmulatorProcess.failing(["serve", "--orders", "51", "--state", path])
        #expect(other == 74)
        #expect(reason.contains("--seed 1 --orders 50"))
    }

    @Test("Carries out a write whose response is lost")
    func loseAnswer() throws {
        let emulator = try EmulatorProcess("--orders", "50", "--fault", "lose-answer@1:/items")
        #expect(throws: LoopbackConnection.Failure.reset) {
            try post(emulator, "items", #"{"name":"lost","price":5}"#)
        }
        #expect(try Node(emulator.get("items?limit=1").body).elements.first?["name"]?.text == "lost")
        #expect(try emulator.statistics()["answersLost"]?.integer == 1)
    }

    @Test("Writes need a token, a permission and JSON; a delete returns an empty object")
    func refusals() throws {
        let emulator = try EmulatorProcess("--orders", "50", "--without-permission", "tags")
        let path = emulator.path("items")
        #expect(try emulator.request("POST", path, body: "{}", token: "wrong").status == 401)
        let plain = try emulator.request(
            "POST", path, body: "{}", contentType: "text/plain", token: emulator.token)
        #expect(plain.status == 415)
        #expect(plain.text == #"{"message":"415 Unsupported Media Type"}"#)
        #expect(try post(emulator, "tags", #"{"name":"x"}"#).status == 401)
        let deleted = try emulator.get("items/\(try Node(emulator.get("items").body).elements[0].id)", method: "DELETE")
        #expect(deleted.status == 200)
        #expect(deleted.text == "{}")
        #expect(deleted.isWhole)
    }

    @Test("Writes have the current time with a live clock")
    func liveClock() throws {
        let emulator = try EmulatorProcess("--orders", "50", "--now", "clock")
        let before = Int(Date().timeIntervalSince1970 * 1000)
        let order = try Node(post(emulator, "orders", "{}").body)
        let after = Int(Date().timeIntervalSince1970 * 1000)
        #expect((before...after).contains(try #require(order["createdTime"]?.integer)))
    }

    @Test("Drift is reported without a token")
    func driftReport() throws {
        let emulator = try EmulatorProcess("--orders", "50", "--drift", "1")
        for _ in 0..<4 { _ = try emulator.get("orders?limit=10") }
        let report = try Node(emulator.request("GET", "/emulator/drift").body)
        #expect((report["inserted"]?.value as? [String])?.count == 4)
        #expect((report["removed"]?.value as? [String])?.count == 4)
    }

    @Test(
        "Exits with 64 and names an invalid list option",
        arguments: [["--drift", "0"], ["--short-page", "1.5"], ["--clamp", "0"], ["--clamp", "1001"]])
    func badOptions(arguments: [String]) throws {
        let (status, message) = try EmulatorProcess.failing(["serve"] + arguments)
        #expect(status == 64)
        #expect(message.contains(arguments[0]))
    }
}
