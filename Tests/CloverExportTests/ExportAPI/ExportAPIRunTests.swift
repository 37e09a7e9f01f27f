import CloverAPI
import CloverExport
import CloverHTTP
import Foundation
import Synchronization
import Testing

@Suite("Export API: a run")
struct ExportAPIRunTests {
    private let day = ExportService.day
    private let start = ExportService.start

    @Test(
        "a long range is requested in pieces of 30 days, one after the other, and every record comes once",
        arguments: [false, true])
    func pieces(endsAreIncluded: Bool) async throws {
        let service = ExportService {
            // Every 12 hours, so that there are records at the ends of pieces.
            $0.makeOrders(130, every: 12)
            $0.endsAreIncluded = endsAreIncluded
        }
        let ids = try await service.read(days: 65)
        #expect(ids == service.state.withLock(\.ids))
        #expect(
            service.submissions
                == [Int64(0), 30, 60].map {
                    let end = min($0 + 30, 65)
                    return
                        #"{"type":"ORDERS","startTime":\#(start + $0 * day),"endTime":\#(start + end * day)}"#
                })
    }

    @Test("the token is sent to the service, not to the file host")
    func tokens() async throws {
        let service = ExportService { $0.makeOrders(5, every: 1) }
        _ = try await service.read(days: 1)
        for request in service.requests {
            #expect((request.bearer == nil) == request.url.contains("store.invalid"), "\(request.url)")
        }
    }

    @Test("a range without records is complete without files if one list request confirms it")
    func empty() async throws {
        let service = ExportService()
        #expect(try await service.read(days: 3).isEmpty)
        #expect(service.listings.count == 1)
        let other = ExportService { $0.makeOrders(5, every: 24) }
        #expect(try await other.read(days: 65) == other.state.withLock(\.ids))
        // One for each piece, for the record after those delivered.
        #expect(other.listings.map { $0.contains("limit=1&offset=5") } == [true, false, false])
    }

    @Test("an export with fewer records than the list is requested again and finally fails")
    func fewer() async throws {
        for (count, left) in [(6, 6), (6, 1), (1, 1)] {
            let service = ExportService {
                $0.makeOrders(count, every: 1)
                $0.left = left
            }
            await #expect(
                throws: ExportAPIError.fewer(
                    .orders, from: start, to: start + day, records: count - left, tries: 3)
            ) { try await service.read(days: 1) }
            #expect(service.submissions.count == 3)
            #expect(
                service.events.contains(.again(from: start, to: start + day, because: .fewer(records: count - left))))
            // The next run uses none of them, and is complete once the service is.
            let state = try #require(service.kept.last)
            service.state.withLock { $0.left = 0 }
            #expect(try await service.read(days: 1, resuming: state) == service.state.withLock(\.ids))
        }
    }

    @Test("a record missing from the first export and present in the second is delivered once")
    func fewerAtFirst() async throws {
        let service = ExportService {
            $0.makeOrders(6, every: 1)
            $0.spoil = { request, _, _ in
                request.url.contains("files/E1/1") ? .init(body: #"{"elements":[]}"#) : nil
            }
        }
        #expect(try await service.read(days: 1) == service.state.withLock(\.ids))
        #expect(service.submissions.count == 2)
    }

    @Test("records outside the range do not make up for missing ones")
    func otherTimesDoNotCount() async throws {
        let service = ExportService {
            $0.makeOrders(2, every: 1)
            let old =
                #"{"id":"LONG","createdTime":\#(ExportService.start - 1),"modifiedTime":\#(ExportService.start + 1)}"#
            let body = #"{"elements":[{"id":"O0","createdTime":\#(ExportService.start)},\#(old)]}"#
            $0.spoil = { request, _, _ in request.url.contains("files") ? .init(body: body) : nil }
        }
        await #expect(
            throws: ExportAPIError.fewer(.orders, from: start, to: start + day, records: 1, tries: 3)
        ) { try await service.read(days: 1) }
    }

    @Test(
        "DONE without a list of files, without a URL, or below 100 % is a failure",
        arguments: [
            (#"{"id":"E1","status":"DONE"}"#, "DONE without a list of files"),
            (#"{"id":"E1","status":"DONE","exportUrls":null}"#, "DONE without a list of files"),
            (#"{"id":"E1","status":"DONE","exportUrls":{}}"#, "DONE without a list of files"),
            (#"{"id":"E1","status":"DONE","exportUrls":{"elements":null}}"#, "DONE without a list of files"),
            (#"{"id":"E1","status":"DONE","exportUrls":{"elements":[null]}}"#, "DONE without the address of a file"),
            (#"{"id":"E1","status":"DONE","exportUrls":{"elements":[{}]}}"#, "DONE without the address of a file"),
            (
                #"{"id":"E1","status":"DONE","exportUrls":{"elements":[{"url":null}]}}"#,
                "DONE without the address of a file"
            ),
            (
                #"{"id":"E1","status":"DONE","exportUrls":{"elements":[{"url":""}]}}"#,
                "DONE without the address of a file"
            ),
            (
                #"{"id":"E1","status":"DONE","percentComplete":40,"exportUrls":{"elements":[]}}"#, "DONE at 40 %"
            ),
        ])
    func doneWithoutFiles(body: String, status: String) async throws {
        let service = ExportService {
            $0.spoil = { request, _, state in
                guard request.method == .get, request.url.contains("/exports/") else { return nil }
                return .init(body: body.replacing(#""E1""#, with: #""E\#(state.jobs.count)""#))
            }
        }
        await #expect(
            throws: ExportAPIError.ended(.orders, from: start, to: start + day, status: status, tries: 3)
        ) { try await service.read(days: 1) }
    }

    @Test("a large file is delivered in batches, each record once, even when the download restarts midway")
    func largeFile() async throws {
        let padding = String(repeating: "x", count: 1 << 10)
        let records = (0..<5000).map {
            #"{"id":"O\#($0)","createdTime":\#(ExportService.start + Int64($0)),"note":"\#(padding)"}"#
        }
        let whole = #"{"elements":[\#(records.joined(separator: ","))]}"#
        let service = ExportService {
            $0.orders = (0..<5000).map {
                ExportService.Order(id: "O\($0)", createdTime: ExportService.start + Int64($0))
            }
            $0.recordsPerFile = 5000
            $0.spoil = { request, number, _ in
                guard request.url.contains("files") else { return nil }
                guard number == 1 else { return .init(body: whole) }
                return .init(
                    body: String(whole.prefix(whole.utf8.count / 2)),
                    bodyFailure: .cutOff(host: "store.invalid", detail: ""))
            }
        }
        #expect(try await service.read(days: 1) == service.state.withLock(\.ids))
        #expect(service.submissions.count == 1)
        #expect(service.state.withLock(\.batches).allSatisfy { $0 < 2 << 20 })
        #expect(service.state.withLock(\.batches).count > 3)
    }

    @Test(
        "a file with non-records is refused, and the next run requests a new export",
        arguments: ["7", "null"])
    func noRecord(_ ending: String) async throws {
        let service = ExportService { $0.makeOrders(1, every: 1) }
        let body = #"{"elements":[{"id":"A","createdTime":\#(start + 1)},\#(ending)]}"#
        service.state.withLock {
            $0.spoil = { request, _, _ in request.url.contains("store.invalid") ? .init(body: body) : nil }
        }
        await #expect {
            try await service.read(days: 1)
        } throws: { error in
            if case ServiceError.unreadable = error { true } else { false }
        }
        let left = try #require(service.kept.last)
        service.state.withLock { $0.spoil = { _, _, _ in nil } }
        #expect(try await service.read(days: 1, resuming: left).count == 1)
        #expect(service.submissions.count == 2)
    }

    @Test("records outside the range are refused, and the next run requests a new export")
    func otherTimes() async throws {
        let strange: [(ending: String, error: ExportError?)] = [
            (
                #"{"id":"OLD","createdTime":\#(start - 3 * day),"modifiedTime":\#(start - 2 * day)}"#,
                .wrongTime(resource: "orders", id: "OLD", time: start - 2 * day, window)
            ),
            (
                #"{"id":"NEW","createdTime":\#(start + 3 * day)}"#,
                .wrongTime(resource: "orders", id: "NEW", time: start + 3 * day, window)
            ),
            // Created before and changed since; of the previous day in another zone; without any time.
            (#"{"id":"LONG","createdTime":\#(start - 9 * day),"modifiedTime":\#(start + 9 * day)}"#, nil),
            (#"{"id":"ZONE","createdTime":\#(start - day / 2)}"#, nil), (#"{"id":"NONE"}"#, nil),
        ]
        for (ending, error) in strange {
            let service = ExportService { $0.makeOrders(1, every: 1) }
            let body = #"{"elements":[{"id":"A","createdTime":\#(start + 1)},\#(ending)]}"#
            service.state.withLock {
                $0.spoil = { request, _, _ in request.url.contains("store.invalid") ? .init(body: body) : nil }
            }
            guard let error else {
                #expect(try await service.read(days: 1).count == 2, "\(ending)")
                continue
            }
            await #expect(throws: error) { try await service.read(days: 1) }
            let left = try #require(service.kept.last)
            service.state.withLock { $0.spoil = { _, _, _ in nil } }
            #expect(try await service.read(days: 1, resuming: left).count == 1)
            #expect(service.submissions.count == 2)
        }
    }

    private var window: PlannedWindow { PlannedWindow(field: "createdTime", from: start, to: start + day) }

    @Test("the stored state suffices to resume without a new request, and has no URL")
    func resume() async throws {
        let service = ExportService { $0.makeOrders(200, every: 12) }
        _ = try await service.read(days: 65)
        let state = try #require(service.kept.last)
        let text = String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
        #expect(!text.contains("store"))
        let submissions = service.submissions.count
        let old = try JSONDecoder().decode(ExportAPIState.self, from: Data(text.utf8))
        let ids = try await service.read(days: 65, resuming: old)
        #expect(service.submissions.count == submissions)
        #expect(ids == Array(service.state.withLock(\.ids).prefix(130)))
    }

    @Test("an export unknown to the service is requested again")
    func forgotten() async throws {
        let service = ExportService { $0.makeOrders(5, every: 1) }
        _ = try await service.read(days: 1)
        let state = try #require(service.kept.last)
        service.state.withLock { $0.jobs = [:] }
        #expect(try await service.read(days: 1, resuming: state).count == 5)
        #expect(service.submissions.count == 2)
        #expect(service.events.contains(.again(from: start, to: start + day, because: .unknownToService)))
    }

    @Test("outside the permitted hours it waits, repeatedly if needed")
    func hours() async throws {
        let service = ExportService {
            $0.makeOrders(5, every: 1)
            $0.spoil = { request, _, state in
                // Every call, until ten o'clock.
                guard state.now < ExportService.start + 10 * 3_600_000 else { return nil }
                return .init(
                    status: 503,
                    body: #"{"message":"Available MON-FRI 10:00-15:00, SAT 10:00-15:00, SUN 10:00-15:00 UTC"}"#)
            }
        }
        #expect(try await service.read(days: 1).count == 5)
        #expect(service.waits.filter { $0 == 600 }.count >= 59)
        #expect(
            service.events.first == .waitingForHours(opening: start + 10 * 3_600_000, seconds: 600))
    }

    @Test("waits for a busy service, and finally gives up")
    func busy() async throws {
        let free = ExportService {
            $0.makeOrders(5, every: 1)
            $0.spoil = { request, number, _ in
                request.method == .post && number < 4
                    ? .init(status: 503, body: #"{"message":"Too many exports in progress"}"#) : nil
            }
        }
        #expect(try await free.read(days: 1).count == 5)
        #expect(free.waits.prefix(3) == [1, 2, 4])
        let busy = ExportService { $0.spoil = { _, _, _ in .init(status: 503) } }
        await #expect {
            try await busy.read(days: 1)
        } throws: { error in
            if case ServiceError.failed(503, _, _, _, _) = error { true } else { false }
        }
        #expect((3600..<4000).contains(busy.waits.reduce(0, +)))
    }

    @Test("a request whose response was lost is sent again")
    func lostAnswer() async throws {
        let service = ExportService {
            $0.makeOrders(5, every: 1)
            $0.spoil = { request, number, _ in
                request.method == .post && number == 1
                    ? .init(failure: .connectionLost(host: "service.invalid", detail: "")) : nil
            }
        }
        #expect(try await service.read(days: 1).count == 5)
        #expect(service.submissions.count == 2)
    }

    @Test("a failed export is requested again a limited number of times")
    func ended() async throws {
        func service(_ failures: Int) -> ExportService {
            ExportService {
                $0.makeOrders(5, every: 1)
                $0.spoil = { request, _, state in
                    guard request.method == .get, let id = request.url.split(separator: "/").last, id.hasPrefix("E"),
                        let number = Int(id.dropFirst()), number <= failures
                    else { return nil }
                    return .init(body: #"{"id":"\#(id)","status":"FAILED"}"#)
                }
            }
        }
        #expect(try await service(2).read(days: 1).count == 5)
        await #expect(
            throws: ExportAPIError.ended(.orders, from: start, to: start + day, status: "FAILED", tries: 3)
        ) { try await service(3).read(days: 1) }
    }

    @Test("expired files are exported again without duplicate records")
    func filesGone() async throws {
        let service = ExportService {
            $0.makeOrders(8, every: 1)
            $0.spoil = { request, _, _ in request.url.contains("files/E1/1") ? .init(status: 404) : nil }
        }
        #expect(try await service.read(days: 1) == service.state.withLock(\.ids))
        #expect(service.submissions.count == 2)
        #expect(service.events.contains(.again(from: start, to: start + day, because: .filesGone)))
        let gone = ExportService {
            $0.makeOrders(8, every: 1)
            $0.spoil = { request, _, _ in request.url.contains("files") ? .init(status: 403) : nil }
        }
        await #expect(throws: ExportAPIError.filesGone(.orders, from: start, to: start + day, tries: 3)) {
            try await gone.read(days: 1)
        }
    }

    struct BadFile: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: ExportService.Answer
    }

    @Test(
        "an incomplete file is downloaded again without duplicate records",
        arguments: [
            BadFile(
                testDescription: "the connection ends",
                answer: .init(
                    body: #"{"elements":[{"id":"O0","createdTime":1},"#,
                    bodyFailure: .cutOff(host: "store.invalid", detail: ""))),
            BadFile(
                testDescription: "the body ends", answer: .init(body: #"{"elements":[{"id":"O0","createdTime":1},"#)),
            BadFile(testDescription: "500", answer: .init(status: 500)),
            BadFile(testDescription: "no connection", answer: .init(failure: .timedOut(host: "", detail: ""))),
        ])
    func truncatedFile(_ bad: BadFile) async throws {
        let service = ExportService {
            $0.makeOrders(8, every: 1)
            $0.spoil = { request, number, _ in request.url.contains("files/E1/0") && number == 1 ? bad.answer : nil }
        }
        #expect(try await service.read(days: 1) == service.state.withLock(\.ids))
        #expect(service.submissions.count == 1)
    }

    @Test(
        "a file that is not JSON is unreadable", arguments: ["{\"elements\":[{\"id\":\"O0\",}]}", "<html>", "{}"])
    func notJSON(body: String) async throws {
        let service = ExportService {
            $0.makeOrders(2, every: 1)
            $0.spoil = { request, _, _ in request.url.contains("files/E1/") ? .init(body: body) : nil }
        }
        #expect(try await service.read(days: 1) == ["O0", "O1"])
        #expect(service.submissions.count == 2)
    }

    @Test("a web page in place of a file or of the list is reported at its first retry", arguments: [true, false])
    func webPage(isFile: Bool) async throws {
        let service = ExportService {
            $0.makeOrders(2, every: 1)
            $0.spoil = { request, number, _ in
                request.url.contains(isFile ? "files/E1/" : "/orders?") && number < 3 ? .init(body: "<html>") : nil
            }
        }
        #expect(try await service.read(days: 1) == ["O0", "O1"])
        #expect(service.events.count { $0 == .webPage(isFile: isFile) } == 1)
        #expect(!service.events.contains(.webPage(isFile: !isFile)))
    }

    @Test("a file URL without TLS is not fetched", arguments: ["http://store.invalid/1", "ftp://store.invalid/1", "x"])
    func insecure(url: String) async throws {
        let service = ExportService {
            $0.spoil = { request, _, _ in
                guard request.method == .get else { return nil }
                return .init(body: #"{"id":"E1","status":"DONE","exportUrls":{"elements":[{"url":"\#(url)"}]}}"#)
            }
        }
        await #expect(throws: ExportAPIError.insecureFile(url: url)) { try await service.read(days: 1) }
        #expect(!service.requests.contains { $0.url == url })
    }

    @Test("a refusal ends the run immediately", arguments: [400, 401, 403])
    func refused(status: Int) async throws {
        let service = ExportService { $0.spoil = { _, _, _ in .init(status: status, body: #"{"message":"no"}"#) } }
        await #expect(throws: ServiceError.self) { try await service.read(days: 1) }
        #expect(service.requests.count == 1)
        #expect(service.waits.isEmpty)
    }

    @Test(
        "a response that does not describe an export ends the run",
        arguments: ["", "[]", #"{"status":"DONE"}"#, #"{"id":"..","status":"PENDING"}"#])
    func unreadable(body: String) async throws {
        let service = ExportService { $0.spoil = { _, _, _ in .init(body: body) } }
        await #expect(throws: ExportAPIError.self) { try await service.read(days: 1) }
    }

    @Test(
        "a response that describes another export is not believed",
        arguments: [#""id":"E2""#, #""id":"E1","type":"PAYMENTS""#])
    func another(members: String) async throws {
        let service = ExportService {
            $0.makeOrders(6, every: 1)
            $0.spoil = { request, _, _ in
                request.url.hasSuffix("/exports/E1")
                    ? .init(body: #"{\#(members),"status":"DONE","exportUrls":{"elements":[]}}"#) : nil
            }
        }
        await #expect(throws: ExportAPIError.unreadable(url: "https://service.invalid/v3/merchants/M/exports/E1")) {
            try await service.read(days: 1)
        }
    }
}
