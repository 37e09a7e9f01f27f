import CloverKit
import Foundation
import Testing

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
