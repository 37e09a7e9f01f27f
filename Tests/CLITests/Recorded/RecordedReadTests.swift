import CloverTestSupport
import Foundation
import Testing

@Suite("recorded responses: reads")
struct RecordedReadTests {
    /// One page of a list that goes on; `cursor` serves the rest.
    private static let part = "ecomm-list-cursor-repeated"
    static let reads = RecordedCase.all.filter { $0.method == "GET" && $0.status == 200 && $0.name != part }
    static let refusals = RecordedCase.all.filter {
        $0.method == "GET" && $0.status != 200 && !$0.name.hasPrefix("oauth")
    }

    @Test("every record is delivered with every key, null and number", arguments: reads)
    func delivered(_ recorded: RecordedCase) async throws {
        try await RecordedCase.serve([recorded]) { sandbox, _ in
            let names = recorded.query.split(separator: "&").filter { $0.hasPrefix("expand=") }.flatMap {
                ["--expand", String($0.dropFirst("expand=".count))]
            }
            let all = recorded.records == nil ? [] : ["--all"]
            // Each window of the payments gets the same page.
            let unchecked = recorded.name == "payments-card" ? ["--no-check"] : []
            let result = try await sandbox.clover(
                ["get", recorded.typedPath, "--show-sensitive"] + names + all + unchecked)
            expectSuccess(result)
            let delivered = try JSONValue.lines(result.lines)
            let expected = try recorded.records ?? [#require(recorded.json)]
            #expect(delivered == expected, "\(result)")
        }
    }

    @Test("a page that begins with the cursor's own record gives it once, and its list goes on until its end")
    func cursor() async throws {
        let recorded = try RecordedCase.named(Self.part)
        let cursor = "QP3GEXZ3H5C6Q"
        let start = try #require(recorded.body.firstIndex(of: "["))
        let end = try #require(recorded.body.firstRange(of: #",{"id":"VJP8PP1E59171""#)).lowerBound
        let record = recorded.body[recorded.body.index(after: start)..<end]
        try await Sandbox.run(server: { request, _ in
            switch request.values(of: "starting_after").first {
            case nil: LoopbackResponse(#"{"object":"list","has_more":true,"data":[\#(record)]}"#)
            case cursor?: recorded.response(to: request)
            default: LoopbackResponse(#"{"object":"list","url":"/v1/charges","data":[]}"#)
            }
        }) { sandbox, server in
            let result = try await sandbox.clover("get", "charges", "--all", "-r", "--jq", ".id")
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.lines == [cursor, "VJP8PP1E59171", "Y065G25WTKABH"])
            #expect(server.requests.allSatisfy { $0.path == "/v1/charges" && $0.header("authorization") != nil })
        }
    }

    @Test("a list that promises more and repeats itself is incomplete")
    func promised() async throws {
        try await RecordedCase.serve([try RecordedCase.named(Self.part)]) { sandbox, _ in
            let result = try await sandbox.clover("get", "charges", "--all")
            expectFailure(result, status: 79, saying: "charges were not read to their end", output: nil)
            #expect(result.lines.count == 3)
        }
    }

    @Test("masked records keep their keys, and only values that are secret change", arguments: reads)
    func masked(_ recorded: RecordedCase) async throws {
        try await RecordedCase.serve([recorded]) { sandbox, _ in
            let all = recorded.records == nil ? [] : ["--all", "--no-check"]
            let result = try await sandbox.clover(["get", recorded.typedPath] + all)
            #expect(result.ending == .exited(0), "\(result)")
            let delivered = try JSONValue.lines(result.lines)
            let expected = try recorded.records ?? [#require(recorded.json)]
            #expect(delivered.map(Shape.init) == expected.map(Shape.init))
            for secret in ["0388787686952516", "\"pin\":\"1178\"", "SAMPLE NAME"] {
                #expect(!result.outputText.contains(secret), "\(result)")
            }
        }
    }

    /// The status of each refusal, and what the message says.
    static let endings: [String: (status: Int32, parts: [String])] = [
        "error-302-v3": (76, ["www.clover.com"]),
        "error-400-nested": (64, ["400"]),
        "error-401": (77, []),
        "error-404-order": (66, ["Order not found"]),
        "error-404-text-employees": (66, []),
        "error-404-text-merchant": (66, []),
        "error-405-get-item-tax-rates": (64, ["405 GET not allowed."]),
        "error-502-html": (69, ["502"]),
    ]

    @Test("a refusal has its status, and one JSON line with --json", arguments: refusals)
    func refused(_ recorded: RecordedCase) async throws {
        let ending = try #require(Self.endings[recorded.name], "no ending for \(recorded.name)")
        try await RecordedCase.serve([recorded]) { sandbox, _ in
            // An empty merchant in the path cannot be typed.
            let path = recorded.path.replacing("//", with: "/M/")
            let result = try await sandbox.clover("get", path, "--no-check", "--json")
            #expect(result.ending == .exited(ending.status), "\(result)")
            #expect(result.output.isEmpty)
            let lines = result.errorText.split(separator: "\n")
            #expect(lines.count == 1, "\(result)")
            let error = try JSONValue(String(try #require(lines.last)))["error"]
            let message = error?["message"]?.string ?? ""
            for part in ending.parts { #expect(message.contains(part), "no '\(part)' in: \(result)") }
        }
    }
}

/// The keys and types of a value, without the values themselves.
indirect enum Shape: Hashable {
    case null, boolean, number, text
    case list([Shape])
    case object([String: Shape])

    init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool: self = .boolean
        case .integer, .number: self = .number
        case .string: self = .text
        case .array(let values): self = .list(values.map(Shape.init))
        case .object(let members): self = .object(members.mapValues(Shape.init))
        }
    }
}
