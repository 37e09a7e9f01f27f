import CloverKit
import CloverTestSupport
import Foundation
import Logging
import Synchronization
import Testing

/// What errors say: the cause, the request that they are about, and a sentence.
@Suite("errors of CloverKit")
struct ErrorTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func makeShop(_ url: String, _ change: (inout Shop.Options) -> Void = { _ in }) throws -> Shop {
        var options = Shop.Options()
        options.stateDirectory = directory["state"]
        change(&options)
        return try Shop(token: "T", merchantID: "M", environment: url, options: options)
    }

    private static func refusal(_ status: String, id: String? = nil) -> LoopbackResponse {
        LoopbackResponse(
            status: status,
            headers: ["Content-Type: application/json"] + (id.map { ["X-Clover-Request-Id: \($0)"] } ?? []),
            body: Array(#"{"message":"no"}"#.utf8))
    }

    // MARK: Nested lists

    /// Orders of which the second has more line items than Clover shows in it, and whose list of them has this response.
    private static func orders(_ lines: LoopbackResponse) throws -> LoopbackServer {
        let items = (1...100).map { #"{"id":"L\#($0)"}"# }.joined(separator: ",")
        let large = #"{"id":"O2","lineItems":{"elements":[\#(items)]}}"#
        let records = [
            #"{"id":"O1","lineItems":{"elements":[{"id":"L0"}]}}"#, large,
            #"{"id":"O3","lineItems":{"elements":[{"id":"L101"}]}}"#,
        ]
        return try LoopbackServer { request, _ in
            if request.path.hasSuffix("/line_items") { return lines }
            if request.path.hasSuffix("/O2") { return LoopbackResponse(large) }
            return .page((request.values(of: "offset").first ?? "0") == "0" ? records : [])
        }
    }

    @Test(
        "a record whose nested list is refused is not delivered, and the error has the cause",
        arguments: [
            ("401 Unauthorized", CloverError.Kind.forbidden), ("403 Forbidden", .forbidden),
            ("404 Not Found", .notFound), ("400 Bad Request", .refused),
        ])
    func nested(_ status: String, _ kind: CloverError.Kind) async throws {
        let server = try Self.orders(Self.refusal(status, id: "LINES-1"))
        let shop = try makeShop(server.url)
        let ids = Mutex<[String]>([])
        let error = await #expect(throws: CloverError.self) {
            for try await order in shop.orders.expand(\.lineItems) {
                ids.withLock { $0.append(order.id?.text ?? "") }
                #expect(order.lineItems?.count == 1)
            }
        }
        #expect(ids.withLock { $0 } == ["O1"])
        #expect(error?.kind == kind && error?.status == Int(status.prefix(3)) && error?.requestID == "LINES-1")
        #expect(error?.message.hasPrefix("lineItems of O2 could not be completed: ") == true, "\(error as Any)")
        let single = await #expect(throws: CloverError.self) { _ = try await shop.order("O2", expand: [\.lineItems]) }
        #expect(single?.kind == kind && single?.requestID == "LINES-1")
        #expect(single?.message.contains("lineItems of O2") == true, "\(single as Any)")
    }

    @Test("a nested list that is shorter than in its record is incomplete without a request that failed")
    func shorter() async throws {
        let server = try Self.orders(.page([]))
        let error = await #expect(throws: CloverError.self) {
            for try await _ in try makeShop(server.url).orders.expand(\.lineItems) {}
        }
        #expect(error?.kind == .incomplete && error?.status == nil && error?.requestID == nil)
        #expect(error?.message.contains("lineItems of O2") == true, "\(error as Any)")
    }

    @Test("a read of any path has whole nested lists as a type, and what Clover sends as bytes")
    func rawNested() async throws {
        struct Page: Decodable { var elements: [Order] }
        let lines = (1...150).map { #"{"id":"L\#($0)"}"# }
        let isRefused = Mutex(false)
        let server = try LoopbackServer { request, _ in
            let order = #"{"id":"O2","lineItems":{"elements":[\#(lines.prefix(100).joined(separator: ","))]}}"#
            if request.path.hasSuffix("/O2") { return LoopbackResponse(order) }
            guard request.path.hasSuffix("/line_items") else { return .page([order]) }
            if isRefused.withLock({ $0 }) { return Self.refusal("403 Forbidden") }
            let offset = request.values(of: "offset").first.flatMap { Int($0) } ?? 0
            let limit = request.values(of: "limit").first.flatMap { Int($0) } ?? 100
            return .page(Array(lines.dropFirst(offset).prefix(limit)))
        }
        let shop = try makeShop(server.url)
        #expect(try await shop.get("orders/O2?expand=lineItems", as: Order.self).lineItems?.count == 150)
        let page = try await shop.get("orders?limit=1&expand=lineItems", as: Page.self)
        #expect(page.elements.map { $0.lineItems?.count } == [150])
        let bytes = try await shop.get("orders/O2?expand=lineItems")
        #expect(try JSONDecoder().decode(Order.self, from: bytes).lineItems?.count == 100)
        isRefused.withLock { $0 = true }
        for path in ["orders/O2?expand=lineItems", "orders?limit=1&expand=lineItems"] {
            let error = await #expect(throws: CloverError.self) {
                _ = try await shop.get(path, as: CloverKit.JSONValue.self)
            }
            #expect(error?.kind == .forbidden, "\(error as Any)")
            #expect(error?.message.contains("lineItems of O2") == true, "\(error as Any)")
        }
    }

    @Test("a page of 100 records is no nested list")
    func rawPage() async throws {
        struct Page: Decodable { var elements: [Employee] }
        let server = try LoopbackServer { _, _ in .page((1...100).map { #"{"id":"E\#($0)"}"# }) }
        let page = try await makeShop(server.url).get("employees?limit=100", as: Page.self)
        #expect(page.elements.count == 100 && server.requests.count == 1)
    }

    // MARK: The request that an error is about

    @Test("calls at the same time have the ids of their own requests")
    func together() async throws {
        let server = try LoopbackServer { request, number in
            Self.refusal("404 Not Found", id: "R-\(number)-\(request.path.split(separator: "/").last ?? "")")
        }
        let shop = try makeShop(server.url)
        let ids = await withTaskGroup(of: String?.self) { group in
            for _ in 1...12 {
                group.addTask {
                    do {
                        _ = try await shop.order("O1")
                        return nil
                    } catch {
                        return (error as? CloverError)?.requestID
                    }
                }
            }
            return await group.reduce(into: Set<String>()) { ids, id in if let id { ids.insert(id) } }
        }
        #expect(ids.count == 12)
    }

    @Test("an id of an earlier refusal is not that of a later one without an id")
    func remembered() async throws {
        let server = try LoopbackServer { _, number in
            Self.refusal("404 Not Found", id: number == 1 ? "R-1" : nil)
        }
        let shop = try makeShop(server.url)
        for expected in ["R-1", nil] {
            let error = await #expect(throws: CloverError.self) { _ = try await shop.order("O1") }
            #expect(error?.status == 404 && error?.requestID == expected)
        }
        // The address of the first refusal is a part of this one's.
        let other = await #expect(throws: CloverError.self) { _ = try await shop.order("O11") }
        #expect(other?.requestID == nil)
    }

    @Test("a write whose response is cut off has the id in its head, and one that is unreadable its status")
    func written() async throws {
        let cut = try LoopbackServer { _, _ in
            LoopbackResponse(
                headers: ["Content-Type: application/json", "X-Clover-Request-Id: W-1"],
                body: Array(#"{"id":"I""#.utf8), declaredLength: 400, ending: .close)
        }
        let item = Item(members: ["name": .string("Tea")])
        let lost = await #expect(throws: CloverError.self) { try await makeShop(cut.url).post(item, to: "items") }
        #expect(lost?.kind == .responseLost && lost?.requestID == "W-1")
        let odd = try LoopbackServer { _, _ in LoopbackResponse(status: "202 Accepted", "accepted") }
        let unreadable = await #expect(throws: CloverError.self) { try await makeShop(odd.url).post(item, to: "items") }
        #expect(unreadable?.kind == .outcomeUnknown && unreadable?.status == 202, "\(unreadable as Any)")
    }

    @Test("a read whose response is cut off has the status and the id in its head")
    func cutRead() async throws {
        let server = try LoopbackServer { _, _ in
            LoopbackResponse(
                headers: ["Content-Type: application/json", "X-Clover-Request-Id: R-1"],
                body: Array(#"{"id":"O1""#.utf8), declaredLength: 400, ending: .close)
        }
        let error = await #expect(throws: CloverError.self) { _ = try await makeShop(server.url).order("O1") }
        #expect(error?.status == 200 && error?.requestID == "R-1", "\(error as Any)")
    }

    @Test("a refused connection, an untrusted one, and a certificate file that cannot be used have different kinds")
    func connections() async throws {
        let server = try LoopbackServer { _, _ in .page([]) }
        let relay = try await TLSRelay(to: server.port, in: directory)
        let untrusted = await #expect(throws: CloverError.self) { _ = try await makeShop(relay.url).merchant() }
        #expect(untrusted?.kind == .untrusted && untrusted?.status == nil, "\(untrusted as Any)")
        #expect(untrusted?.nextStep.contains("certificateFile") == true)
        let refused = await #expect(throws: CloverError.self) {
            _ = try await makeShop("http://127.0.0.1:1").merchant()
        }
        #expect(refused?.kind == .unavailable && refused?.status == nil, "\(refused as Any)")
        let path = directory["missing.pem"]
        let file = await #expect(throws: CloverError.self) {
            _ = try await makeShop(relay.url) { $0.certificateFile = path }.merchant()
        }
        #expect(file?.kind == .request && file?.message.contains(path) == true, "\(file as Any)")
        #expect(server.requests.isEmpty)
    }

    // MARK: Pauses

    @Test("a long pause is an error at once, also for the calls after the one that caused it")
    func longPause() async throws {
        let server = try LoopbackServer { _, _ in
            LoopbackResponse(
                status: "429 Too Many Requests", headers: ["Retry-After: 3000"],
                body: Array(#"{"message":"429 Too Many Requests"}"#.utf8))
        }
        let shop = try makeShop(server.url)
        for number in 1...3 {
            let error = await #expect(throws: CloverError.self) { _ = try await shop.order("O1") }
            // Only the first one had a response.
            let status = number == 1 ? 429 : nil
            #expect(error?.kind == .rateLimited && error?.status == status, "\(error as Any)")
            #expect(error?.message.contains("so this request was not sent") == (number > 1), "\(error as Any)")
            let wait = try #require(error?.retryAfter)
            #expect(wait > .zero && wait <= .seconds(3000))
        }
        #expect(server.requests.count == 1)
    }

    @Test("a wait for the end of a pause is logged, with its end")
    func loggedPause() async throws {
        let server = try LoopbackServer { _, number in
            number > 1
                ? LoopbackResponse(#"{"id":"O1"}"#)
                : LoopbackResponse(
                    status: "429 Too Many Requests", headers: ["Retry-After: 1"],
                    body: Array(#"{"message":"429 Too Many Requests"}"#.utf8))
        }
        let lines = Lines()
        let shop = try makeShop(server.url) { $0.logger = Logger(label: "test") { _ in lines } }
        #expect(try await shop.order("O1").id == "O1")
        let wait = try #require(lines.all.first { $0.hasPrefix("waiting for the end of a pause") })
        #expect(wait.contains("until") && wait.contains("seconds"))
    }

    // MARK: Sentences

    @Test(
        "a parameter that cannot be right is one of the request",
        arguments: [
            ("T", "a/b", "us"), ("", "M", "us"), ("T\n", "M", "us"), ("T", "M", "http://example.com"),
            ("T", "M", "ftp://x"),
        ])
    func parameters(_ token: String, _ merchant: String, _ environment: String) {
        let error = #expect(throws: CloverError.self) {
            _ = try Shop(token: token, merchantID: merchant, environment: environment)
        }
        #expect(error?.kind == .request && error?.nextStep.contains("doctor") == false, "\(error as Any)")
        #expect(error?.message.contains("(") == false, "\(error as Any)")
    }

    @Test("a request that cannot be right is explained in a sentence")
    func sentences() async throws {
        let server = try LoopbackServer { _, _ in .page([]) }
        let shop = try makeShop(server.url)
        let path = await #expect(throws: CloverError.self) { _ = try await shop.get("orders//x") }
        #expect(path?.message == "'orders//x' is not a path: it has '//'", "\(path as Any)")
        let filter = await #expect(throws: CloverError.self) {
            _ = try await shop.employees.filter(\.isOwner == true).all()
        }
        #expect(filter?.message.contains("nickname") == true, "\(filter as Any)")
        let silent = await #expect(throws: CloverError.self) {
            _ = try await shop.refunds.filter(\.amount > 100).all()
        }
        #expect(silent?.message == "the catalogue does not say whether Clover filters refunds by amount")
        #expect(silent?.nextStep == "leave out the filter, and compare the records that come")
        let sort = await #expect(throws: CloverError.self) {
            _ = try await shop.orders.filter(\.state == "open").sort(\.total).all()
        }
        #expect(sort?.kind == .request && sort?.message.contains("over more than 89 days") == true, "\(sort as Any)")
        #expect(sort?.nextStep.contains("createdTime") == true)
        let times = await #expect(throws: CloverError.self) {
            let (start, end) = (Timestamp(milliseconds: 2000), Timestamp(milliseconds: 1000))
            _ = try await shop.orders.filter(\.createdTime >= start).filter(\.createdTime < end).all()
        }
        #expect(times?.message.hasPrefix("orders: no time matches") == true, "\(times as Any)")
        let signIn = await #expect(throws: CloverError.self) {
            var options = Shop.Options()
            options.stateDirectory = directory["state"]
            _ = try await Shop(signedIn: "M9", options: options)
        }
        #expect(signIn?.message == "no sign-in fits the merchant M9", "\(signIn as Any)")
        // Apps of one merchant differ in neither name.
        let apps = CloverError.signIn(isAmbiguous: true, merchantID: "M", environment: "us")
        #expect(apps.nextStep == "choose one of them with 'clover auth switch'")
        let number = await #expect(throws: CloverError.self) {
            try await shop.post(.object(["price": .number(.nan)]), to: "items")
        }
        #expect(number?.kind == .request, "\(number as Any)")
        let body = await #expect(throws: CloverError.self) { try await shop.post(.array([]), to: "items") }
        #expect(body?.message == "the body takes an object, not a list: POST items", "\(body as Any)")
        let typed = await #expect(throws: CloverError.self) {
            try await shop.post(.object(["price": .string("3.50")]), to: "items")
        }
        #expect(typed?.message.hasPrefix("the field price takes a whole number") == true, "\(typed as Any)")
        let lost = try LoopbackServer { _, _ in .reset }
        let reset = await #expect(throws: CloverError.self) {
            try await makeShop(lost.url).post(Item(members: ["name": .string("Tea")]), to: "items")
        }
        #expect(reset?.message.contains("127.0.0.1") == true && reset?.message.contains("(host:") == false)
    }

    // MARK: Filters

    @Test("records that lack the time by which the library filters are counted in the log")
    func leftOut() async throws {
        let server = try LoopbackServer { request, _ in
            .page(
                (request.values(of: "offset").first ?? "0") == "0"
                    ? [#"{"id":"C1","createdTime":1790000000000}"#, #"{"id":"C2"}"#] : [])
        }
        let lines = Lines()
        let shop = try makeShop(server.url) { $0.logger = Logger(label: "test") { _ in lines } }
        let start = Timestamp(milliseconds: 1_780_000_000_000)
        #expect(try await shop.credits.filter(\.createdTime >= start).all().map { $0.id?.text } == ["C1"])
        let line = try #require(lines.all.first { $0.hasPrefix("left out records of credits") })
        #expect(line.contains("without a createdTime") && line.contains("1"))
    }

    @Test("a record that a filter excludes is not delivered")
    func filter() async throws {
        let server = try LoopbackServer { request, _ in
            .page(
                (request.values(of: "offset").first ?? "0") == "0"
                    ? [#"{"id":"E1","role":"ADMIN"}"#, #"{"id":"E2","role":"EMPLOYEE"}"#] : [])
        }
        let shop = try makeShop(server.url)
        let error = await #expect(throws: CloverError.self) {
            for try await employee in shop.employees.filter(\.role == "ADMIN") { #expect(employee.role == "ADMIN") }
        }
        #expect(error?.kind == .request, "\(error as Any)")
        #expect(error?.message.contains("a record of employees, E2,") == true, "\(error as Any)")
    }

    @Test("records that are not in the order that was asked for are not delivered")
    func unsorted() async throws {
        let server = try LoopbackServer { request, _ in
            .page(
                (request.values(of: "offset").first ?? "0") == "0"
                    ? [#"{"id":"R1","amount":100}"#, #"{"id":"R2","amount":900}"#] : [])
        }
        let shop = try makeShop(server.url)
        let error = await #expect(throws: CloverError.self) {
            for try await refund in shop.refunds.sort(\.amount, .descending) { Issue.record("\(refund)") }
        }
        #expect(error?.kind == .request, "\(error as Any)")
        #expect(error?.message.contains("does not sort refunds by amount") == true, "\(error as Any)")
        #expect(try await shop.refunds.sort(\.amount).all().count == 2)
    }

    @Test("a sort order that the catalogue does not have is refused before anything is sent")
    func sort() async throws {
        let server = try LoopbackServer { _, _ in .page([]) }
        let shop = try makeShop(server.url)
        let error = await #expect(throws: CloverError.self) { _ = try await shop.orders.sort(\.lineItems).all() }
        #expect(error?.kind == .request, "\(error as Any)")
        #expect(error?.message.contains("orders has no sort 'lineItems'") == true, "\(error as Any)")
        let nested = await #expect(throws: CloverError.self) {
            _ = try await shop.items.sort(\.itemGroup.name).all()
        }
        #expect(nested?.kind == .request, "\(nested as Any)")
        #expect(server.requests.isEmpty)
    }
}
