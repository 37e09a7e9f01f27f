import CloverEmulator
import NIOCore
import Testing

/// Calls the Export API of a shop in process, with a clock that stands still between calls.
private struct TestExports {
    static let now = 1_769_900_400_000  // Saturday 2026-01-31T23:00:00Z

    let shop: TestShop
    let office: ExportServer

    init(orders: Int = 3000, _ set: (inout ExportSettings) -> Void = { _ in }) {
        shop = TestShop(orders: orders)
        var settings = ExportSettings()
        settings.now = Self.now
        settings.time = .seconds(400)
        set(&settings)
        office = ExportServer(ledger: shop.api.ledger, settings: settings)
    }

    func call(_ method: String, _ path: String = "", _ body: String = "") -> EmulatorResponse {
        let words = ["merchants", shop.merchant, "exports"] + (path.isEmpty ? [] : [path])
        return office.answer(method, words, body: ByteBuffer(string: body), base: "http://h")
    }

    func begin(_ type: String = "ORDERS", from start: Int, to end: Int) throws -> Node {
        let answer = call("POST", "", #"{"type":"\#(type)","startTime":"\#(start)","endTime":"\#(end)"}"#)
        try #require(answer.status == 200)
        return try Node(Array(answer.body.readableBytesView))
    }

    func poll(_ id: String) throws -> Node {
        let answer = call("GET", id)
        try #require(answer.status == 200)
        return try Node(Array(answer.body.readableBytesView))
    }

    /// The response for a file's URL.
    func fetch(_ url: String, hasToken: Bool = false) -> EmulatorResponse {
        let halves = url.dropFirst("http://h".count).split(separator: "?")
        return office.file(String(halves[0]), QueryString(halves.count > 1 ? halves[1] : ""), hasToken: hasToken)
    }
}

@Suite("Export API")
struct ExportTests {
    private let day = 86_400_000
    private let now = TestExports.now

    @Test(
        "An export is pending, in progress and done, and its files have what the list has",
        arguments: ["ORDERS", "PAYMENTS"])
    func life(type: String) throws {
        let exports = TestExports()
        let (start, end) = (now - 30 * day, now)
        let begun = try exports.begin(type, from: start, to: end)
        #expect(begun["status"]?.text == "PENDING")
        #expect(begun["percentComplete"]?.integer == 0)
        #expect(begun["type"]?.text == type)
        #expect(begun["startTime"]?.integer == start)
        #expect(begun["endTime"]?.integer == end)
        #expect(begun["merchantRef"]?.id == exports.shop.merchant)
        #expect(begun["exportUrls"] == nil)
        exports.office.advance(200_000)
        let going = try exports.poll(begun.id)
        #expect(going["status"]?.text == "IN_PROGRESS")
        #expect((50..<60).contains(going["percentComplete"]?.integer ?? 0))
        exports.office.advance(200_000)
        let done = try exports.poll(begun.id)
        #expect(done["status"]?.text == "DONE")
        #expect(done["percentComplete"]?.integer == 100)
        let until = try #require(done["availableUntil"]?.integer)
        #expect(until == (begun["createdTime"]?.integer ?? 0) + 400_000 + day)
        let urls = try #require(done["exportUrls"]).elements.compactMap { $0["url"]?.text }
        let files = try urls.map { try Node(Array(exports.fetch($0).body.readableBytesView)).elements }
        #expect(files.dropLast().allSatisfy { $0.count == 1000 })
        let list = type == "ORDERS" ? "orders" : "payments"
        let expected = try exports.shop.everything(
            list, query: "filter=createdTime>=\(start)&filter=createdTime<\(end)"
        ).map(\.id)
        #expect(files.flatMap { $0 }.map(\.id) == expected)
        #expect(expected.count > 1000)
    }

    @Test("Files expire after a day and need their signature and no token")
    func files() throws {
        let exports = TestExports { $0.time = .zero }
        let id = try exports.begin(from: now - 5 * day, to: now).id
        let url = try #require(try exports.poll(id)["exportUrls"]?.elements.first?["url"]?.text)
        #expect(exports.fetch(url).status == 200)
        #expect(exports.fetch(url, hasToken: true).status == 400)
        #expect(exports.fetch(url + "x").status == 404)
        #expect(exports.fetch(String(url.prefix { $0 != "?" })).status == 404)
        #expect(exports.fetch(url.replacing("/1.json", with: "/9.json")).status == 404)
        exports.office.advance(day)
        #expect(exports.fetch(url).status == 404)
        #expect(try exports.poll(id)["status"]?.text == "DONE")
    }

    @Test("Without records there are no files")
    func empty() throws {
        let exports = TestExports { $0.time = .zero }
        let done = try exports.poll(try exports.begin(from: day, to: 2 * day).id)
        #expect(done["status"]?.text == "DONE")
        #expect(try #require(done["exportUrls"]).elements.isEmpty)
    }

    @Test("Excludes writes after the request from the files")
    func snapshot() throws {
        let exports = TestExports { $0.time = .zero }
        let id = try exports.begin(from: now - day, to: now + day).id
        try exports.shop.write("POST", "orders", "{}")
        let url = try #require(try exports.poll(id)["exportUrls"]?.elements.first?["url"]?.text)
        let exported = try Node(Array(exports.fetch(url).body.readableBytesView)).elements
        let listed = try exports.shop.everything("orders", query: "filter=createdTime>=\(now - day)")
        #expect(exported.count == listed.count - 1)
    }

    struct BadCase: CustomTestStringConvertible {
        let testDescription: String
        let body: String
        let part: String
    }

    @Test(
        "Refuses invalid requests with 400",
        arguments: [
            BadCase(testDescription: "no JSON", body: "x", part: "JSON"),
            BadCase(testDescription: "a list", body: "[]", part: "JSON"),
            BadCase(testDescription: "no type", body: #"{"startTime":1,"endTime":2}"#, part: "type"),
            BadCase(
                testDescription: "a wrong type", body: #"{"type":"ITEMS","startTime":1,"endTime":2}"#, part: "type"),
            BadCase(testDescription: "no start", body: #"{"type":"ORDERS","endTime":2}"#, part: "startTime"),
            BadCase(
                testDescription: "an end that is no number", body: #"{"type":"ORDERS","startTime":1,"endTime":"x"}"#,
                part: "endTime"),
            BadCase(
                testDescription: "an end before the start", body: #"{"type":"ORDERS","startTime":2,"endTime":1}"#,
                part: "before"),
            BadCase(
                testDescription: "a millisecond more than 30 days",
                body: #"{"type":"ORDERS","startTime":0,"endTime":2592000001}"#, part: "30 days"),
        ])
    func refusals(_ bad: BadCase) {
        let answer = TestExports(orders: 5).call("POST", "", bad.body)
        #expect(answer.status == 400)
        #expect(String(buffer: answer.body).contains(bad.part))
    }

    @Test("Accepts 30 days, and times as numbers")
    func longest() {
        let answer = TestExports(orders: 5).call("POST", "", #"{"type":"ORDERS","startTime":0,"endTime":2592000000}"#)
        #expect(answer.status == 200)
    }

    @Test("Other merchants, ids and methods are refused")
    func strangers() {
        let exports = TestExports(orders: 5)
        #expect(exports.call("GET").status == 405)
        #expect(exports.call("DELETE", "X").status == 405)
        #expect(exports.call("GET", "X").status == 404)
        let other = exports.office.answer(
            "POST", ["merchants", "X", "exports"], body: ByteBuffer(), base: "http://h")
        #expect(other.status == 401)
    }

    @Test("Returns 503 for more exports than slots until one is done")
    func slots() throws {
        let exports = TestExports(orders: 5) { $0.slots = 2 }
        for _ in 0..<2 { _ = try exports.begin(from: 0, to: day) }
        let refused = exports.call("POST", "", #"{"type":"ORDERS","startTime":0,"endTime":1}"#)
        #expect(refused.status == 503)
        #expect(String(buffer: refused.body) == #"{"message":"Too many exports in progress"}"#)
        exports.office.advance(400_000)
        _ = try exports.begin(from: 0, to: day)
    }

    @Test("The first exports fail when configured to")
    func failures() throws {
        let exports = TestExports(orders: 5) {
            $0.failures = 1
            $0.time = .zero
        }
        let failed = try exports.poll(try exports.begin(from: 0, to: day).id)
        #expect(failed["status"]?.text == "FAILED")
        #expect(failed["exportUrls"] == nil)
        #expect(try exports.poll(try exports.begin(from: 0, to: day).id)["status"]?.text == "DONE")
    }

    struct HoursCase: CustomTestStringConvertible {
        let testDescription: String
        let hours: ExportHours
        let instant: String
        let isOpen: Bool
    }

    @Test(
        "The hours are those of the documentation",
        arguments: [
            HoursCase(testDescription: "US before", hours: .us, instant: "2026-01-31T09:59:59Z", isOpen: false),
            HoursCase(testDescription: "US first", hours: .us, instant: "2026-01-31T10:00:00Z", isOpen: true),
            HoursCase(testDescription: "US last", hours: .us, instant: "2026-02-01T14:59:59Z", isOpen: true),
            HoursCase(testDescription: "US after", hours: .us, instant: "2026-02-01T15:00:00Z", isOpen: false),
            HoursCase(testDescription: "EU Friday", hours: .eu, instant: "2026-01-30T01:00:00Z", isOpen: true),
            HoursCase(
                testDescription: "EU Saturday at one", hours: .eu, instant: "2026-01-31T01:59:59Z", isOpen: false),
            HoursCase(testDescription: "EU Saturday at two", hours: .eu, instant: "2026-01-31T02:00:00Z", isOpen: true),
            HoursCase(testDescription: "EU Sunday at five", hours: .eu, instant: "2026-02-01T05:59:59Z", isOpen: true),
            HoursCase(testDescription: "EU Monday at five", hours: .eu, instant: "2026-02-02T05:00:00Z", isOpen: false),
            HoursCase(testDescription: "sandbox", hours: .any, instant: "2026-02-02T17:00:00Z", isOpen: true),
        ])
    func hours(_ hours: HoursCase) throws {
        let instant = try #require(InstantText.milliseconds(hours.instant))
        #expect(hours.hours.permits(instant) == hours.isOpen)
    }

    @Test("Returns 503 with the hours outside them")
    func gate() throws {
        let exports = TestExports(orders: 5) { $0.hours = .eu }
        let body = #"{"type":"ORDERS","startTime":0,"endTime":1}"#
        for answer in [exports.call("POST", "", body), exports.call("GET", "X")] {
            #expect(answer.status == 503)
            #expect(
                String(buffer: answer.body)
                    == #"{"message":"Exports are available in UTC at these times: MON-FRI 01:00-05:00, SAT 02:00-05:00, SUN 02:00-06:00"}"#
            )
        }
        exports.office.setClock(try #require(InstantText.milliseconds("2026-02-01T02:00:00Z")))
        #expect(exports.call("POST", "", body).status == 200)
    }
}
