import CloverKit
import CloverTestSupport
import Foundation
import Testing

@Suite("writes of CloverKit")
struct WriteTests {
    @Test("a record is created, changed and deleted")
    func records() async throws {
        let emulator = try await EmulatorProcess(["--orders", "3", "--no-limits"])
        let directory = try TemporaryDirectory()
        let shop = try Self.shop(emulator.url, emulator.merchantID, emulator.accessToken, directory)
        var item = Item()
        item.name = "Tea"
        item.price = 350
        let created = try #require(try await shop.post(item, to: "items"))
        let id = try #require(created.id)
        #expect(created.name == "Tea" && created.price == 350)
        var change = Item()
        change.price = 400
        #expect(try await shop.post(change, to: "items/\(id)")?.price == 400)
        #expect(try await shop.item(id).name == "Tea")
        try await shop.delete("items/\(id)")
        let error = await #expect(throws: CloverError.self) { _ = try await shop.item(id) }
        #expect(error?.kind == .notFound)
    }

    @Test("a write whose response is lost is sent once, and its outcome is unknown")
    func lost() async throws {
        let server = try LoopbackServer { _, _ in .reset }
        let directory = try TemporaryDirectory()
        let shop = try Self.shop(server.url, "M", "T", directory)
        let error = await #expect(throws: CloverError.self) {
            try await shop.post(Item(members: ["name": .string("Tea")]), to: "items")
        }
        #expect(error?.kind == .outcomeUnknown)
        #expect(server.requests.map(\.method) == ["POST"])
        #expect(server.requests.first?.bodyText == #"{"name":"Tea"}"#)
    }

    @Test("a write that was carried out, but whose response is cut off, is not taken for one that was not")
    func cut() async throws {
        let server = try LoopbackServer { _, _ in
            LoopbackResponse(body: Array(#"{"id":"I""#.utf8), declaredLength: 400, ending: .close)
        }
        let directory = try TemporaryDirectory()
        let shop = try Self.shop(server.url, "M", "T", directory)
        let error = await #expect(throws: CloverError.self) {
            try await shop.post(Item(members: ["name": .string("Tea")]), to: "items")
        }
        #expect(error?.kind == .responseLost)
        #expect(server.requests.count == 1)
    }

    @Test("a record with members and words of a newer Clover is read, changed and sent back")
    func newer() async throws {
        let server = try LoopbackServer { request, _ in
            LoopbackResponse(
                request.method == "POST"
                    ? request.bodyText
                    : #"{"id":"I","name":"Tea","newMember":{"a":[1]},"priceType":"BY_MOON","tags":{"elements":[{"id":"T","hue":2}]}}"#
            )
        }
        let directory = try TemporaryDirectory()
        let shop = try Self.shop(server.url, "M", "T", directory)
        var item = try await shop.item("I")
        item.name = "Green tea"
        item["unknownMember"] = "new"
        let sent = try await shop.post(item, to: "items/I")
        #expect(sent == item && sent?.members["newMember"] == .object(["a": .array([.integer(1)])]))
        #expect(sent?["unknownMember", as: String.self] == "new" && sent?.members["priceType"] == .string("BY_MOON"))
        let error = await #expect(throws: CloverError.self) {
            try await shop.post(Item(members: ["price": .string("3.50")]), to: "items/I")
        }
        #expect(error?.kind == .request)
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let send: @Sendable (Shop) async throws -> Void
    }

    @Test(
        "what makes no sense is refused before anything is sent",
        arguments: [
            Refused(testDescription: "an unknown field") {
                try await $0.post(.object(["prize": .integer(1)]), to: "items")
            },
            Refused(testDescription: "a text for an amount") {
                try await $0.post(Item(members: ["price": .string("3.50")]), to: "items")
            },
            Refused(testDescription: "an unknown path") { try await $0.post(Item(), to: "itemz") },
            Refused(testDescription: "a name in braces") { try await $0.delete("items/{itemId}") },
            Refused(testDescription: "a whole list") { try await $0.delete("items") },
            Refused(testDescription: "a charge") {
                try await $0.post(.object(["amount": .integer(1)]), to: "/v1/charges")
            },
        ])
    func refused(_ test: Refused) async throws {
        let server = try LoopbackServer { _, _ in LoopbackResponse("{}") }
        let directory = try TemporaryDirectory()
        let shop = try Self.shop(server.url, "M", "T", directory)
        let error = await #expect(throws: CloverError.self) { try await test.send(shop) }
        #expect(error?.kind == .request, "\(String(describing: error))")
        #expect(server.requests.isEmpty)
    }

    private static func shop(
        _ url: String, _ merchant: String, _ token: String, _ directory: TemporaryDirectory
    ) throws -> Shop {
        var options = Shop.Options()
        options.stateDirectory = directory["state"]
        return try Shop(token: token, merchantID: merchant, environment: url, options: options)
    }
}
