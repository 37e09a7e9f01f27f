import Foundation
import Testing

@Suite("Server: exports")
@BlockingActor
struct ExportServerTests {
    private let body = #"{"type":"ORDERS","startTime":"1769040000000","endTime":"1769900400000"}"#

    private func post(_ emulator: EmulatorProcess, token: String? = nil) throws -> HTTPAnswer {
        try emulator.request("POST", emulator.path("exports"), body: body, token: token ?? emulator.token)
    }

    private func path(_ url: String) throws -> String {
        let parts = try #require(URLComponents(string: url))
        return parts.path + "?" + (parts.percentEncodedQuery ?? "")
    }

    @Test("Exports from request to file, which is not counted and then expires")
    func wholeWay() throws {
        let emulator = try EmulatorProcess("--export-time", "0ms")
        let id = try Node(post(emulator).body).id
        let done = try Node(emulator.get("exports/\(id)").body)
        let url = try #require(done["exportUrls"]?.elements.first?["url"]?.text)
        #expect(url.hasPrefix("http://"))
        let requests = try emulator.statistics()["requests"]?.integer
        let file = try emulator.request("GET", path(url))
        #expect(file.status == 200)
        #expect(try !Node(file.body).elements.isEmpty)
        #expect(try emulator.statistics()["requests"]?.integer == requests)
        #expect(try emulator.request("GET", path(url), token: emulator.token).status == 400)
        let report = try Node(emulator.request("POST", "/emulator/exports?advance=24h").body)
        #expect((report["exports"]?.value as? [Any])?.count == 1)
        #expect(try emulator.request("GET", path(url)).status == 404)
    }

    @Test("Needs a token and the permission, and follows the given hours and clock")
    func refusals() throws {
        let emulator = try EmulatorProcess("--export-hours", "us", "--export-now", "2026-01-31T09:00:00Z")
        #expect(try post(emulator, token: "wrong").status == 401)
        #expect(try post(emulator).status == 503)
        _ = try emulator.request("POST", "/emulator/exports?now=2026-01-31T10:00:00Z")
        #expect(try post(emulator).status == 200)
        #expect(try emulator.request("POST", "/emulator/exports?now=x").status == 400)
        #expect(try emulator.request("POST", "/emulator/exports?advance=x").status == 400)
        let withheld = try EmulatorProcess("--without-permission", "exports")
        #expect(try post(withheld).status == 401)
    }

    @Test("Files have separate faults, counted by file")
    func faults() throws {
        let emulator = try EmulatorProcess(
            "--export-time", "0ms", "--fault", "truncate@1:/export-files/", "--fault", "500@2:/export-files/")
        let id = try Node(post(emulator).body).id
        let done = try Node(emulator.get("exports/\(id)").body)
        let url = try #require(done["exportUrls"]?.elements.first?["url"]?.text)
        #expect(try !emulator.request("GET", path(url)).isWhole)
        #expect(try emulator.request("GET", path(url)).status == 500)
        #expect(try emulator.request("GET", path(url)).isWhole)
    }

    @Test(
        "Exits with 64 and names an invalid option",
        arguments: [
            ["--export-hours", "uk"], ["--export-now", "noon"], ["--export-time", "1"], ["--export-life", "x"],
            ["--export-slots=-1"], ["--fail-exports=-1"],
        ])
    func badOptions(arguments: [String]) throws {
        let (status, message) = try EmulatorProcess.failing(["serve"] + arguments)
        #expect(status == 64)
        #expect(message.contains(arguments[0].prefix { $0 != "=" }))
    }
}
