import CloverTestSupport
import Foundation
import Testing

/// A service that returns other records than requested must not lead to files that look complete.
@Suite("export: a service that misbehaves")
struct ExportMisbehaviourTests {
    private static let arguments = [
        "--since", "2026-01-10T00:00Z", "--until", "2026-01-20T00:00Z", "--retry", "0", "--no-pacing", "--summary",
    ]
    /// 2026-01-15.
    private static let middle = 1_768_435_200_000

    private static func order(_ id: String, _ time: Int) -> String { #"{"id":"\#(id)","modifiedTime":\#(time)}"# }

    private static func page(_ records: [String], _ request: LoopbackRequest) -> LoopbackResponse {
        let offset = request.values(of: "offset").first.flatMap { Int($0) } ?? 0
        return .page(Array(records.dropFirst(offset)))
    }

    @Test(
        "a record outside the requested time is named, and nothing is published: 79",
        arguments: [(-10, "2026-01-05"), (10, "2026-01-25")])
    func filterIgnored(days: Int, date: String) async throws {
        let other = Self.middle + days * 86_400_000
        let records = [Self.order("GOOD", Self.middle), Self.order("OTHER", other)].sorted {
            _, _ in days < 0
        }
        try await Sandbox.run(server: { request, _ in Self.page(records, request) }) { sandbox, _ in
            let folder = sandbox.exports("out")
            let result = try await sandbox.clover(["export", "orders", "--to", folder.path] + Self.arguments)
            #expect(result.status == 79, "\(result)")
            #expect(
                result.errorText.contains(
                    "the service does not filter orders by modifiedTime: asked for records of "
                        + "2026-01-10T00:00:00.000Z..2026-01-20T00:00:00.000Z, it returned OTHER of \(date)T00:00:00.000Z"
                ),
                "\(result)")
            #expect(folder.files.isEmpty)
        }
    }

    @Test(
        "a clock behind the service's leaves out the newest records: 79; one that is ahead, or 30 s behind, does not",
        arguments: [(7200, 79), (30, 0), (-7200, 0)])
    func slowClock(seconds: Double, status: Int32) async throws {
        try await Sandbox.run(server: { request, _ in
            let format = DateFormatter()
            format.locale = Locale(identifier: "en_US_POSIX")
            format.timeZone = TimeZone(secondsFromGMT: 0)
            format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
            let date = format.string(from: Date(timeIntervalSinceNow: seconds))
            return LoopbackResponse(
                headers: ["Content-Type: application/json", "Date: \(date)"], body: LoopbackResponse.envelope([]))
        }) { sandbox, _ in
            let folder = sandbox.exports("out")
            let result = try await sandbox.clover(
                "export", "orders", "--to", folder.path, "--since", "2026-11-20T00:00Z", "--no-pacing")
            #expect(result.status == status, "\(result)")
            #expect(result.errorText.contains("s behind the service's") == (status == 79), "\(result)")
            // What does not end with this machine's clock is complete.
            let bounded = try await sandbox.clover(["export", "orders", "--to", folder.path] + Self.arguments)
            #expect(bounded.status == 0, "\(bounded)")
        }
    }

    @Test("bytes that are not UTF-8 are replaced, and counted on standard error without a terminal, too")
    func notUTF8() async throws {
        let record = Array(#"{"id":"A","modifiedTime":\#(Self.middle),"note":"Z"#.utf8) + [0xFC] + Array("\"}".utf8)
        try await Sandbox.run(server: { request, _ in
            let isFirst = ["0", nil].contains(request.values(of: "offset").first)
            return LoopbackResponse(body: Array(#"{"elements":["#.utf8) + (isFirst ? record : []) + Array("]}".utf8))
        }) { sandbox, _ in
            let folder = sandbox.exports("out")
            let result = try await sandbox.clover(["export", "orders", "--to", folder.path] + Self.arguments)
            #expect(result.status == 0, "\(result)")
            #expect(result.errorText.contains("1 record has bytes that are not UTF-8"), "\(result)")
        }
    }

    @Test("a rounded time counts as inside the window")
    func rounded() async throws {
        let start = Self.middle - 5 * 86_400_000
        try await Sandbox.run(server: { request, _ in Self.page([Self.order("A", start - 1000)], request) }) {
            sandbox, _ in
            let folder = sandbox.exports("out")
            expectSuccess(
                try await sandbox.clover(
                    [
                        "export", "orders", "--to", folder.path, "--since", "2026-01-10T00:00Z", "--until",
                        "2026-01-20T00:00Z",
                    ]))
            #expect(try folder.records(of: "orders").count == 1)
        }
    }

    @Test(
        "an element that is not an object is named with its position: 76", arguments: ["null", "7", #""text""#, "[]"],
        ["orders", "customers"])
    func noObject(element: String, list: String) async throws {
        let good = Self.order("GOOD", Self.middle)
        try await Sandbox.run(server: { request, _ in
            request.path.hasSuffix(list) ? Self.page([good, element], request) : .page([])
        }) { sandbox, _ in
            let folder = sandbox.exports("out")
            let range = list == "orders" ? Self.arguments : ["--retry", "0"]
            let result = try await sandbox.clover(["export", list, "--to", folder.path] + range)
            #expect(result.status == 76, "\(result)")
            #expect(result.errorText.contains("a record is not an object at byte"), "\(result)")
            #expect(folder.files.isEmpty)
        }
    }

    @Test(
        "a control character in a string is not JSON and is named with its position: 76",
        arguments: ["\u{1}", "\t", "\u{1F}"])
    func controlCharacter(character: String) async throws {
        let records = [#"{"id":"A","modifiedTime":\#(Self.middle),"note":"a\#(character)b"}"#]
        try await Sandbox.run(server: { request, _ in Self.page(records, request) }) { sandbox, _ in
            let folder = sandbox.exports("out")
            let result = try await sandbox.clover(["export", "orders", "--to", folder.path] + Self.arguments)
            #expect(result.status == 76, "\(result)")
            #expect(result.errorText.contains("not JSON at byte 61"), "\(result)")
            #expect(folder.files.isEmpty)
        }
    }

    @Test("pages cut to one row at any offset lose no records")
    func oneRow() async throws {
        let times = (0..<30).map { Self.middle + $0 * 60_000 }
        try await Sandbox.run(server: { request, _ in
            let filters = request.values(of: "filter").compactMap(\.removingPercentEncoding)
            func bound(_ prefix: String) -> Int? {
                filters.first { $0.hasPrefix(prefix) }.flatMap { Int($0.dropFirst(prefix.count)) }
            }
            let (from, to) = (bound("modifiedTime>=") ?? 0, bound("modifiedTime<") ?? Int.max)
            return .page(
                times.first { $0 >= from && $0 < to }.map { [Self.order("R\($0)", $0)] } ?? [])
        }) { sandbox, _ in
            let folder = sandbox.exports("out")
            let result = try await sandbox.clover(["export", "orders", "--to", folder.path] + Self.arguments)
            #expect(result.status == 0, "\(result)")
            #expect(try folder.records(of: "orders").count == times.count)
        }
    }
}
