import CloverKit
import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// The typed calls, against the emulator; `curl` says what is right.
@Suite("reads of CloverKit")
struct ReadTests {
    @Test("each of the 71 reads has the records that curl gets")
    func all() async throws {
        #expect(ReadCase.all.count == 71)
        let world = try await World(["--orders", "300", "--seed", "150", "--no-limits"])
        for read in ReadCase.all {
            let (ids, body) = try await world.place(of: read)
            let typed = try await read.read(world.shop, ids)
            let raw = try Coding.value(body)
            let model = try #require(ModelCase.all.first { $0.name == read.model })
            for json in typed { model.check(json, "\(read)") }
            guard read.isList else {
                #expect(typed == [raw], "\(read)")
                continue
            }
            let elements = raw.elements
            #expect(!elements.isEmpty, "\(read) is empty")
            // Some lists of Clover end after 90 days; the library reads on.
            #expect(Set(elements).isSubset(of: Set(typed)), "\(read)")
        }
    }

    @Test("filters, expansions and sort orders are Clover's")
    func query() async throws {
        let world = try await World(["--orders", "300", "--seed", "150", "--no-limits"])
        var orders: [Order] = []
        for try await order in world.shop.orders.filter(\.total >= 5000).expand(\.lineItems)
            .sort(\.createdTime, .descending)
        { orders.append(order) }
        var all: [Order] = []
        for try await order in world.shop.orders { all.append(order) }
        #expect(all.count == 300)
        #expect(!orders.isEmpty && orders.count < all.count)
        #expect(orders.allSatisfy { ($0.total ?? 0) >= 5000 && $0.lineItems != nil })
        #expect(Set(orders.compactMap(\.id)) == Set(all.filter { ($0.total ?? 0) >= 5000 }.compactMap(\.id)))
        let times = orders.compactMap(\.createdTime)
        #expect(times == times.sorted(by: >) && times.count == orders.count)
    }

    @Test("a single record includes what is expanded, and a filter follows a dot into a nested record")
    func expanded() async throws {
        let world = try await World(["--orders", "50", "--no-limits"])
        let listed = try await world.shop.orders.expand(\.lineItems.discounts).limit(5).all()
        #expect(listed.count == 5)
        let first = try #require(listed.first { $0.lineItems?.isEmpty == false })
        let id = try #require(first.id)
        #expect(try await world.shop.order(id).lineItems == nil)
        let order = try await world.shop.order(id, expand: [\.lineItems.discounts])
        #expect(order.lineItems == first.lineItems)
        let employee = try #require(first.employee?.id)
        let own = try await world.shop.orders.filter(\.employee.id == employee).all()
        #expect(!own.isEmpty && own.allSatisfy { $0.employee?.id == employee })
        let skipped = try await world.shop.items.offset(2).limit(3).all()
        #expect(skipped == Array(try await world.shop.items.all().dropFirst(2).prefix(3)))
    }

    @Test("an id that is none is refused before anything is sent", arguments: ["", "a/b", "..", "."])
    func malformedID(_ id: String) async throws {
        var options = Shop.Options()
        options.observer = { Issue.record("sent: \($0)") }
        options.stateDirectory = "/nonexistent"
        let shop = try Shop(token: "T", merchantID: "M", environment: "http://127.0.0.1:1", options: options)
        let error = await #expect(throws: CloverError.self) { _ = try await shop.order(Identifier(id)) }
        #expect(error?.kind == .request)
    }

    @Test("nothing is asked before the first record, and little after the last that is used")
    func lazy() async throws {
        let reports = Mutex<[RequestReport]>([])
        let world = try await World(["--orders", "3000", "--no-limits", "--clamp", "20"]) { report in
            reports.withLock { $0.append(report) }
        }
        let orders = world.shop.orders
        #expect(reports.withLock(\.count) == 0)
        for try await order in orders {
            #expect(order.id != nil)
            break
        }
        let sent = reports.withLock { $0 }
        // 3,000 orders would take 150 pages.
        #expect((1...30).contains(sent.count))
        #expect(sent.allSatisfy { $0.method == "GET" && $0.status == 200 })
    }

    @Test("a cancelled loop throws")
    func cancelled() async throws {
        let world = try await World(["--orders", "300", "--no-limits", "--clamp", "20"])
        let task = Task {
            var count = 0
            for try await _ in world.shop.orders {
                count += 1
                if count == 5 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("an error has status, kind and next step, and no token")
    func refused() async throws {
        let world = try await World(["--orders", "3", "--no-limits"])
        let missing = await #expect(throws: CloverError.self) { _ = try await world.shop.order("NOSUCHORDER00") }
        #expect(missing?.kind == .notFound)
        #expect(missing?.status == 404)
        let unknown = await #expect(throws: CloverError.self) {
            for try await _ in world.shop.orders.expand(\.note) {}
        }
        #expect(unknown?.kind == .request)
        var options = Shop.Options()
        options.stateDirectory = world.directory["state"]
        let shop = try Shop(
            token: "bad-token-2f81", merchantID: world.emulator.merchantID, environment: world.emulator.url,
            options: options)
        let refused = await #expect(throws: CloverError.self) { _ = try await shop.merchant() }
        #expect(refused?.status == 401)
        #expect(refused.map { "\($0)" }?.contains("2f81") == false)
    }

    @Test("a list that cannot be read to its end throws after what came")
    func incomplete() async throws {
        let world = try await World(["--orders", "3", "--no-limits"])
        try await world.emulator.stop()
        let error = await #expect(throws: CloverError.self) {
            for try await _ in world.shop.items {}
        }
        #expect(error?.kind == .unavailable)
        #expect(error?.status == nil)
    }

    @Test("any path can be read, as bytes or as a type of one's own")
    func raw() async throws {
        struct Page: Decodable { var elements: [Order] }
        let world = try await World(["--orders", "30", "--no-limits"])
        let page = try await world.shop.get("/v3/merchants/{mId}/orders?limit=7", as: Page.self)
        #expect(page.elements.count == 7)
        let body = try await world.emulator.fetch("/v3/merchants/\(world.emulator.merchantID)/orders?limit=7")
        #expect(try await world.shop.get("orders?limit=7") == Data(body))
    }
}

/// An emulator, and a shop with its own state directory.
private struct World: Sendable {
    let emulator: EmulatorProcess
    let directory: TemporaryDirectory
    let shop: Shop

    init(_ flags: [String], observer: (@Sendable (RequestReport) -> Void)? = nil) async throws {
        emulator = try await EmulatorProcess(flags)
        directory = try TemporaryDirectory()
        var options = Shop.Options()
        options.stateDirectory = directory["state"]
        options.observer = observer
        shop = try Shop(
            token: emulator.accessToken, merchantID: emulator.merchantID, environment: emulator.url, options: options)
    }

    /// Ids with which a path has something, and what `curl` gets there.
    func place(of read: ReadCase) async throws -> (ids: [String], body: [UInt8]) {
        var places: [(path: String, ids: [String])] = [("", [])]
        for segment in read.path.split(separator: "/").map(String.init) {
            var following: [(path: String, ids: [String])] = []
            for place in places.prefix(150) {
                switch segment {
                case "{mId}": following.append((place.path + "/" + emulator.merchantID, place.ids))
                case "{appId}": following.append((place.path + "/" + emulator.appID, place.ids + [emulator.appID]))
                case "{meteredId}": following.append((place.path + "/METERED00001A", place.ids + ["METERED00001A"]))
                case _ where segment.hasPrefix("{"):
                    let list = try Coding.value(try await emulator.fetch(place.path + "?limit=150"))
                    for id in list.elements.compactMap({ $0["id"]?.text ?? $0["item"]?["id"]?.text }) {
                        following.append((place.path + "/" + id, place.ids + [id]))
                    }
                default: following.append((place.path + "/" + segment, place.ids))
                }
                if following.count >= 150 { break }
            }
            places = following
        }
        for place in places {
            let body = try await emulator.fetch(place.path + (read.isList ? "?limit=100" : ""))
            if try !read.isList || !Coding.value(body).elements.isEmpty { return (place.ids, body) }
        }
        throw CommandError.unreadable("nothing at \(read.path)")
    }
}
