import CloverKit
import CloverTestSupport
import Foundation
import Testing

import struct ProbeSupport.SeededGenerator

/// Records keep their JSON: what is read typed is what Clover sent, and what is written is what was read.
struct RecordTests {
    private let text = """
        {"id":"O1","total":1999,"createdTime":1700000000000,"taxRemoved":false,"newByClover":{"a":[1,2.5,null]},
         "lineItems":{"elements":[{"id":"L1","price":500},{"id":"L2"}]},"employee":{"id":"E1"}}
        """

    @Test func readsTypedValues() throws {
        let order = try JSONDecoder().decode(Order.self, from: Data(text.utf8))
        #expect(order.id == "O1")
        #expect(order.total == 1999)
        #expect(order.createdTime == Timestamp(milliseconds: 1_700_000_000_000))
        #expect(order.taxRemoved == false)
        #expect(order.lineItems?.map(\.id) == ["L1", "L2"])
        #expect(order.lineItems?.first?.price == Money(minorUnits: 500))
        #expect(order.currency == nil)
    }

    @Test func keepsUnknownMembers() throws {
        let order = try JSONDecoder().decode(Order.self, from: Data(text.utf8))
        let again = try JSONDecoder().decode(Order.self, from: try JSONEncoder().encode(order))
        #expect(again == order)
        #expect(
            again.members["newByClover"] == .object(["a": .array([.integer(1), .number(2.5), .null])]))
    }

    @Test func writesTypedValues() throws {
        var order = Order()
        order.total = 1234
        order.note = "é\"\n"
        order.lineItems = [LineItem(members: ["id": .string("L1")])]
        #expect(order.members["lineItems"] == .object(["elements": .array([.object(["id": .string("L1")])])]))
        let again = try JSONDecoder().decode(Order.self, from: try JSONEncoder().encode(order))
        #expect(again == order)
        order.total = nil
        #expect(order.members["total"] == nil)
    }

    @Test func anotherTypeIsNotMisread() {
        let order = Order(members: ["total": .string("12"), "lineItems": .array([.integer(1)])])
        #expect(order.total == nil)
        #expect(order.lineItems == nil)
        #expect(order.members["total"] == .string("12"))
    }

    @Test func numbersThatAreTooLargeKeepTheirText() async throws {
        let server = try LoopbackServer { _, _ in
            LoopbackResponse(#"{"id":"I","name":"Tea","price":1e400,"newByClover":[-2.5E+999,1.5]}"#)
        }
        let directory = try TemporaryDirectory()
        let shop = try Self.shop(server.url, directory)
        let item = try await shop.item("I")
        #expect(item.name == "Tea" && item.price == nil && item["price", as: Double.self] == nil)
        #expect(item.members["price"] == .largeNumber("1e400"))
        #expect(item.members["newByClover"] == .array([.largeNumber("-2.5E+999"), .number(1.5)]))
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(item) }
        let error = await #expect(throws: CloverError.self) { try await shop.post(item, to: "items/I") }
        #expect(error?.kind == .request, "\(error as Any)")
        #expect(server.requests.map(\.method) == ["GET"])
    }

    @Test func numbersAreTheSameInAReadAndInADecoder() async throws {
        let numbers = [
            "1e5", "100.0", "1E+2", "2.5", "-0.0", "0.30000000000000004", "9007199254740993", "9007199254740993.0",
            "1.2345678901234568e+17", "-9223372036854775808", "12345678901234567890", "1.5e300",
        ]
        let text = #"{"id":"I","newByClover":[\#(numbers.joined(separator: ","))]}"#
        let server = try LoopbackServer { _, _ in LoopbackResponse(text) }
        let directory = try TemporaryDirectory()
        let item = try await Self.shop(server.url, directory).item("I")
        let decoded = try Coding.value(Array(text.utf8))
        #expect(item.json == decoded)
        guard case .array(let values) = item.members["newByClover"] else {
            Issue.record("no list: \(item)")
            return
        }
        #expect(values[0] == .integer(100_000) && values[7] == .integer(9_007_199_254_740_993))
        #expect(values[8] == .integer(123_456_789_012_345_680) && values[9] == .integer(.min))
        // A typed property that is read and set again changes nothing.
        var stock = ItemStock(members: ["quantity": values[8]])
        stock.quantity = stock.quantity
        #expect(stock.members["quantity"] == values[8])
    }

    /// Most records of a list have the same members, which makes reading them cheaper: here few have.
    @Test func recordsOfAnyShapeAreReadAlike() async throws {
        var random = SeededGenerator(seed: 20_261_201)
        let names = ["a", "aa", #"\u0061"#, "name", "é", "", "createdTime", "clientCreatedTime"]
        func object(_ depth: Int) -> (text: String, members: [String: CloverKit.JSONValue]) {
            var members: [String: CloverKit.JSONValue] = [:]
            // Also objects whose names are ids, and one name twice, of which the last counts.
            let ids = Int.random(in: 0..<20, using: &random) == 0
            let written = (0..<Int.random(in: 0..<(ids ? 200 : 7), using: &random)).map { _ in
                let name = ids ? "\(UInt8.random(in: 0...255, using: &random))" : names.randomElement(using: &random)!
                let number = Int64.random(in: -9...9, using: &random)
                var (text, value) = ("\(number)", CloverKit.JSONValue.integer(number))
                if depth < 3, Int.random(in: 0..<4, using: &random) == 0 {
                    let inner = object(depth + 1)
                    (text, value) = (inner.text, .object(inner.members))
                    if Bool.random(using: &random) { (text, value) = ("[\(text),{}]", .array([value, .object([:])])) }
                }
                members[name == #"\u0061"# ? "a" : name] = value
                return "\"\(name)\":\(text)"
            }
            return ("{" + written.joined(separator: ",") + "}", members)
        }
        let records = (0..<900).map { number in
            var (text, members) = object(0)
            members["id"] = .string("R\(number)")
            text = #"{"id":"R\#(number)""# + (text == "{}" ? "" : ",") + text.dropFirst()
            return (text: text, members: members)
        }
        let page = #"{"elements":[\#(records.map(\.text).joined(separator: ","))]}"#
        let server = try LoopbackServer { _, _ in LoopbackResponse(page) }
        let directory = try TemporaryDirectory()
        var read: [Item] = []
        let items = try Self.shop(server.url, directory).items.limit(900)
        for try await item in items { read.append(item) }
        #expect(read.map(\.members) == records.map(\.members))
        var raw: [String] = []
        for try await item in items.bytes { raw.append(String(decoding: item, as: UTF8.self)) }
        #expect(raw == records.map(\.text))
    }

    private static func shop(_ url: String, _ directory: TemporaryDirectory) throws -> Shop {
        var options = Shop.Options()
        options.stateDirectory = directory["state"]
        return try Shop(token: "T", merchantID: "M", environment: url, options: options)
    }

    @Test func amountsArePrintedInTheirCurrency() {
        let amounts: [Money] = [1999, 5, -5, 0]
        #expect(amounts.map { $0.text(in: "USD") } == ["19.99 USD", "0.05 USD", "-0.05 USD", "0.00 USD"])
        #expect(
            Money(minorUnits: 1999).text(in: "jpy") == "1999 JPY" && Money(minorUnits: 5).text(in: "KWD") == "0.005 KWD"
        )
        #expect(Money(minorUnits: .min).text(in: "USD") == "-92233720368547758.08 USD")
        #expect(Money.decimals(of: "usd") == 2 && Money.decimals(of: "JPY") == 0 && Money.decimals(of: "XYZ") == nil)
        #expect("\(Money(minorUnits: 1999))" == "1999")
    }

    @Test func requestsThatMakeNoSenseAreRefused() {
        #expect(throws: CloverError.self) {
            _ = try Shop(token: "T", merchantID: "M", environment: "nowhere")
        }
        #expect(throws: CloverError.self) {
            _ = try Shop(token: "a b\n", merchantID: "M", environment: "http://127.0.0.1:1")
        }
    }
}
