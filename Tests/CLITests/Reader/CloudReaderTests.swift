import CloverTestSupport
import Synchronization
import Testing

/// `clover reader` with the merchant's own devices: the built program and a scripted service.
@Suite("reader through the service")
struct CloudReaderTests {
    private static let devices = [
        #"{"id":"DEVFLEX","name":"Counter","model":"Clover_C406","serial":"C046LT001","productName":"Flex","buildNumber":421}"#,
        #"{"id":"DEVMINI","name":"Kitchen","model":"Clover_C305","serial":"C035LT002","productName":"Mini"}"#,
        #"{"id":"DEVOLD","name":"Drawer"}"#,
    ]

    /// The service: `status` is what the devices say, and only the first one is there.
    private static func service(status: String = "IDLE") -> LoopbackServer.Answering {
        service(statusBody: #"{"state":"\#(status)"}"#)
    }

    private static func service(statusBody: String) -> LoopbackServer.Answering {
        { request, _ in
            switch (request.method, request.path) {
            case ("GET", "/v3/merchants/\(Sandbox.merchantID)/devices"): return page(devices, request)
            case ("POST", "/connect/v1/device/ping") where request.header("X-Clover-Device-Id") == "C046LT001":
                return LoopbackResponse(#"{"connected":true}"#)
            case ("POST", "/connect/v1/device/ping"):
                return LoopbackResponse(status: "503 Service Unavailable", #"{"type":"RESOURCE_CONFLICT"}"#)
            case ("POST", "/connect/v1/device/status"): return LoopbackResponse(statusBody)
            default: return LoopbackResponse(status: "404 Not Found", "{}")
            }
        }
    }

    /// The rows that a request asks for, in pages of at most `cap`.
    private static func page(_ devices: [String], _ request: LoopbackRequest, cap: Int = 1000) -> LoopbackResponse {
        func number(_ name: String) -> Int? {
            request.query.first { $0.hasPrefix(name + "=") }.flatMap { Int($0.dropFirst(name.count + 1)) }
        }
        return .page(Array(devices.dropFirst(number("offset") ?? 0).prefix(min(number("limit") ?? 100, cap))))
    }

    @Test("a scan reports the devices that respond, and ends when all were queried")
    func scan() async throws {
        try await Sandbox.run(server: Self.service()) { sandbox, server in
            let result = try await sandbox.clover("reader", "scan", "--json", "--transport", "cloud", "--timeout", "0")
            expectSuccess(result)
            let records = try result.records()
            #expect(records.map { $0["id"]?.string } == ["DEVFLEX"])
            let record = try #require(records.first)
            #expect(record["transport"]?.string == "cloud")
            #expect(record["name"]?.string == "Counter")
            #expect(record["serial"]?.string == "C046LT001")
            #expect(record["firmware"]?.string == "421")
            #expect(record["rssi"] == .null)
            #expect(record["battery"] == .null)
            let pings = server.requests.filter { $0.path == "/connect/v1/device/ping" }
            #expect(Set(pings.compactMap { $0.header("X-Clover-Device-Id") }) == ["C046LT001", "C035LT002"])
            #expect(pings.allSatisfy { $0.header("X-POS-Id")?.isEmpty == false })
        }
    }

    @Test("a service that sends shorter pages than were asked for hides no device")
    func shortPages() async throws {
        let others = (1...4).map { #"{"id":"DEV\#($0)","serial":"C035LT10\#($0)"}"# }
        let service: LoopbackServer.Answering = { request, number in
            request.method == "GET" && request.path.hasSuffix("/devices")
                ? Self.page(others + Self.devices, request, cap: 2) : Self.service()(request, number)
        }
        try await Sandbox.run(server: service) { sandbox, _ in
            let scan = try await sandbox.clover("reader", "scan", "--json", "--transport", "cloud", "--timeout", "0")
            expectSuccess(scan)
            #expect(try scan.records().map { $0["id"]?.string } == ["DEVFLEX"])
            expectSuccess(try await sandbox.clover("reader", "connect", "Counter", "--transport", "cloud"))
        }
    }

    @Test("a list with a device in place of another is incomplete, and proves no device unknown")
    func repeatedRow() async throws {
        let service: LoopbackServer.Answering = { request, _ in
            request.method == "GET"
                ? Self.page([Self.devices[0], Self.devices[1], Self.devices[0]], request)
                : LoopbackResponse(#"{"connected":true}"#)
        }
        try await Sandbox.run(server: service) { sandbox, _ in
            for arguments in [["connect", "DEVNONE"], ["scan"]] {
                let result = try await sandbox.clover(["reader"] + arguments + ["--transport", "cloud"])
                expectFailure(result, status: 79, saying: "may not be complete")
            }
        }
    }

    @Test("no responding device is status 66, without a wait", arguments: [true, false])
    func nobodyAnswers(_ hasDevices: Bool) async throws {
        let service: LoopbackServer.Answering = { request, _ in
            request.method == "GET"
                ? Self.page(hasDevices ? Self.devices : [], request)
                : LoopbackResponse(status: "503 Service Unavailable", #"{"type":"RESOURCE_CONFLICT"}"#)
        }
        try await Sandbox.run(server: service) { sandbox, _ in
            let result = try await sandbox.clover("reader", "scan", "--transport", "cloud")
            expectFailure(result, status: 66, saying: "no device of the merchant responds", "clover get devices")
            // The service is asked once, so more time is of no use.
            #expect(!result.errorText.contains("--timeout"), "\(result)")
        }
    }

    @Test("connect proves that the device responds", arguments: ["DEVFLEX", "C046LT001", "Counter"])
    func connect(word: String) async throws {
        try await Sandbox.run(server: Self.service()) { sandbox, server in
            let result = try await sandbox.clover("reader", "connect", word, "--transport", "cloud", "--json")
            expectSuccess(result)
            #expect(try result.records().map { $0["state"]?.string } == ["initializing", "ready"])
            #expect(server.requests.contains { $0.path == "/connect/v1/device/ping" })
        }
    }

    @Test(
        "a device that cannot be used says why",
        arguments: [
            ("DEVMINI", "IDLE", 69, "not_answering"), ("DEVFLEX", "BUSY", 69, "reader_failed"),
            ("DEVOLD", "IDLE", 65, "not_reader"), ("DEVNONE", "IDLE", 66, "no_reader"),
        ] as [(String, String, Int32, String)])
    func refused(id: String, state: String, status: Int32, code: String) async throws {
        try await Sandbox.run(server: Self.service(status: state)) { sandbox, _ in
            let result = try await sandbox.clover("reader", "connect", id, "--transport", "cloud", "--json")
            #expect(result.ending == .exited(status), "\(result)")
            #expect(result.errorText.contains(#""code":"\#(code)""#), "\(result)")
        }
    }

    @Test(
        "a status that cannot be read is not that of a free device",
        arguments: [
            ("large", "a record is larger than 65536 bytes"), ("page", "an HTML page, not JSON"),
            ("number", "not an object"), ("empty", "cut off after 0 bytes"),
        ])
    func unreadableStatus(kind: String, words: String) async throws {
        let body =
            switch kind {
            case "large": #"{"state":"BUSY","data":"\#(String(repeating: "x", count: 64 << 10))"}"#
            case "page": "<html>a network's login</html>"
            case "number": #"{"state":7}"#
            default: ""
            }
        try await Sandbox.run(server: Self.service(statusBody: body)) { sandbox, _ in
            let result = try await sandbox.clover("reader", "connect", "DEVFLEX", "--transport", "cloud")
            expectFailure(result, status: 76, saying: words, "/connect/v1/device/status")
        }
    }

    @Test("a token that the service refuses is not reported as a silent device")
    func unauthorized() async throws {
        let answer: LoopbackServer.Answering = { request, _ in
            request.path.hasSuffix("/devices")
                ? Self.page(Self.devices, request)
                : LoopbackResponse(status: "401 Unauthorized", #"{"message":"401 Unauthorized"}"#)
        }
        try await Sandbox.run(server: answer) { sandbox, _ in
            let result = try await sandbox.clover("reader", "scan", "--transport", "cloud", "--json")
            #expect(result.ending == .exited(77), "\(result)")
        }
    }
}
