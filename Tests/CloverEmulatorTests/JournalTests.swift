import CloverEmulator
import Foundation
import NIOCore
import Testing

@Suite("State file")
final class JournalTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("clover-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private var path: String { folder.appendingPathComponent("shop.jsonl").path }

    private func writeSomething(_ shop: TestShop) throws {
        try shop.write("POST", "items", #"{"name":"Zoë’s \"best\"","price":1}"#)
        let order = try shop.write("POST", "orders", #"{"total":5}"#).id
        try shop.write("POST", "orders/\(order)/line_items", #"{"name":"a","price":1}"#)
        let old = try shop.json("orders?limit=9").elements[8].id
        try shop.write("DELETE", "orders/\(old)")
        #expect(shop.call("POST", "items", "{").status == 400)
    }

    private func content(_ shop: TestShop) throws -> [UInt8] {
        try shop.bytes("orders?limit=1000&expand=lineItems") + shop.bytes("items")
    }

    @Test("Keeps writes across a restart and continues from them")
    func restart() throws {
        var before: [UInt8] = []
        do {
            let shop = try TestShop(state: path)
            try writeSomething(shop)
            before = try content(shop)
        }
        do {
            let shop = try TestShop(state: path)
            #expect(try content(shop) == before)
            let id = try shop.write("POST", "items", #"{"name":"b","price":2}"#).id
            #expect(try shop.everything("items").filter { $0.id == id }.count == 1)
        }
        #expect(try TestShop(state: path).json("items?limit=1").elements.first?["name"]?.text == "b")
    }

    @Test("Drops an incomplete last line with its write")
    func tornLine() throws {
        var before: [UInt8] = []
        do {
            let shop = try TestShop(state: path)
            try writeSomething(shop)
            before = try content(shop)
            try shop.write("POST", "items", #"{"name":"torn","price":2}"#)
        }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try bytes.dropLast(5).write(to: URL(fileURLWithPath: path))
        #expect(try content(try TestShop(state: path)) == before)
    }

    @Test("Starts from a file cut at any position")
    func everyCut() throws {
        do { try writeSomething(try TestShop(state: path)) }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let header = try #require(bytes.firstIndex(of: UInt8(ascii: "\n"))) + 1
        for length in stride(from: header, through: bytes.count, by: 37) {
            try bytes.prefix(length).write(to: URL(fileURLWithPath: path))
            let lines = bytes.prefix(length).count { $0 == UInt8(ascii: "\n") } - 1
            let items = try TestShop(state: path).everything("items").count
            #expect(items == (lines >= 1 ? 48 : 47))
        }
    }

    @Test("Refuses files of other shops, other files and files in use")
    func refusals() throws {
        do { _ = try TestShop(state: path) }
        #expect(throws: JournalError.otherShop(path: path, seed: "1", orders: 200)) {
            try TestShop(orders: 201, state: path)
        }
        do {
            let holder = try TestShop(state: path)
            #expect(throws: JournalError.inUse(path: path)) { try TestShop(state: path) }
            withExtendedLifetime(holder) {}
        }
        for text in ["hello", "hello\n", "\n", "{}\n", #"{"state":2,"seed":"1","orders":200,"now":1}"# + "\n"] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            #expect(throws: JournalError.notAJournal(path: path)) { try TestShop(state: path) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(text.utf8))
        }
        #expect(throws: JournalError.cannotOpen(path: "/nowhere/x", errno: ENOENT)) {
            try TestShop(state: "/nowhere/x")
        }
    }

    @Test("Keeps the end of the history of the first start with a live clock")
    func keepsNow() throws {
        let first = ShopSettings(seed: 1, orderCount: 50, now: 1_700_000_000_000)
        do { _ = try Journal(path: path, settings: first, keepsNow: true) }
        var second = first
        second.now += 86_400_000
        #expect(try Journal(path: path, settings: second, keepsNow: true).now == first.now)
        #expect(throws: JournalError.self) { try Journal(path: self.path, settings: second, keepsNow: false) }
    }

    @Test("Refuses a state file of a history with other days")
    func keepsDays() throws {
        let first = ShopSettings(seed: 1, orderCount: 50, days: 400)
        do { _ = try Journal(path: path, settings: first, keepsNow: false) }
        do { _ = try Journal(path: path, settings: first, keepsNow: false) }
        let other = ShopSettings(seed: 1, orderCount: 50)
        #expect(throws: JournalError.self) { try Journal(path: self.path, settings: other, keepsNow: false) }
    }
}
