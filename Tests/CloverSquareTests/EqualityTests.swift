import CloverSquare
import Testing

@Suite("Equality")
struct EqualityTests {
    private static let composed: SquareText = "caf\u{E9}"
    private static let decomposed: SquareText = "cafe\u{301}"

    @Test("text is compared unit by unit")
    func text() {
        #expect(Self.composed.string == Self.decomposed.string)
        #expect(Self.composed != Self.decomposed)
        #expect(SquareText("") != SquareText("\0"))
        #expect(SquareText(units: [0xD800]) != SquareText(units: [0xD801]))
        #expect(SquareText(units: [0xD800]) != SquareText("\u{FFFD}"))
        #expect(SquareText(units: [0xD83D, 0xDE00]) == "😀")
        #expect(Set([Self.composed, Self.decomposed, "caf\u{E9}"]).count == 2)
    }

    @Test("money: amount and currency")
    func money() throws {
        let money = try SquareMoney(amount: 100, currencyCode: "USD", profile: .pointOfSale354)
        #expect(money == (try SquareMoney(amount: 100, currencyCode: "USD", profile: .register21)))
        #expect(money.hashValue == (try SquareMoney(amount: 100, currencyCode: "USD", profile: .register21)).hashValue)
        #expect(money != (try SquareMoney(amount: 200, currencyCode: "USD", profile: .pointOfSale354)))
        #expect(money != (try SquareMoney(amount: 100, currencyCode: "usd", profile: .pointOfSale354)))
    }

    struct Change: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var apply: @Sendable (inout SquareRequestDraft) -> Void
    }

    @Test(
        "requests that differ in one thing are not equal",
        arguments: [
            Change(testDescription: "application id") { $0.clientID = "other" },
            Change(testDescription: "amount") { $0.amount = 1251 },
            Change(testDescription: "currency") { $0.currency = "CAD" },
            Change(testDescription: "callback") { $0.callbackURL = "corner-cafe://paid/" },
            Change(testDescription: "state") { $0.state = "other" },
            Change(testDescription: "no state") { $0.state = nil },
            Change(testDescription: "location") { $0.locationID = "other" },
            Change(testDescription: "no location") { $0.locationID = nil },
            Change(testDescription: "notes") { $0.notes = "other" },
            Change(testDescription: "no notes") { $0.notes = nil },
            Change(testDescription: "customer") { $0.customerID = "other" },
            Change(testDescription: "no customer") { $0.customerID = nil },
            Change(testDescription: "tenders") { $0.tenders = .init([.card]) },
            Change(testDescription: "bits without a tender") { $0.tenders = .init(rawValue: 3 | 1 << 20) },
            Change(testDescription: "fees") { $0.clearDefaultFees = false },
            Change(testDescription: "return") { $0.autoReturn = false },
            Change(testDescription: "keyed-in cards") { $0.disableKeyedIn = false },
            Change(testDescription: "receipt") { $0.skipReceipt = false },
        ], SquareProfile.allCases)
    func requests(change: Change, profile: SquareProfile) throws {
        let request = try SquareRequest(fullDraft(), profile: profile)
        #expect(request == (try SquareRequest(fullDraft(), profile: profile)))
        #expect(request.hashValue == (try SquareRequest(fullDraft(), profile: profile)).hashValue)
        #expect(request != (try SquareRequest(fullDraft(change.apply), profile: profile)))
    }

    struct Place: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var isOptional = true
        var put: @Sendable (SquareText?, inout SquareRequestDraft) -> Void
    }

    @Test(
        "nil is not empty text, and every spelling counts",
        arguments: [
            Place(testDescription: "application id", isOptional: false) { $1.clientID = $0 },
            Place(testDescription: "currency", isOptional: false) { $1.currency = $0 },
            Place(testDescription: "state") { $1.state = $0 }, Place(testDescription: "notes") { $1.notes = $0 },
            Place(testDescription: "location") { $1.locationID = $0 },
            Place(testDescription: "customer") { $1.customerID = $0 },
        ])
    func spellings(place: Place) throws {
        func request(_ text: SquareText?) throws -> SquareRequest {
            try SquareRequest(plainDraft { place.put(text, &$0) }, profile: .pointOfSale354)
        }
        #expect(try request(Self.composed) == request(Self.composed))
        #expect(try request(Self.composed) != request(Self.decomposed))
        if place.isOptional { #expect(try request(nil) != request("")) }
    }

    @Test("all tenders and their sum are two requests with one URL")
    func tenders() throws {
        let all = try SquareRequest(plainDraft(), profile: .pointOfSale354)
        let sum = try SquareRequest(
            plainDraft { $0.tenders = .init(SquareTender.allCases) }, profile: .pointOfSale354)
        #expect(all != sum)
        #expect(try all.handOff().url == sum.handOff().url)
    }

    @Test("the version of the interface does not count")
    func apiVersion() throws {
        let request = try SquareRequest(plainDraft(), profile: .pointOfSale354)
        let other = try #require(request.withAPIVersion("9.9"))
        #expect(request == other)
        #expect(request.hashValue == other.hashValue)
        #expect(try request.handOff().url != other.handOff().url)
    }

    private func response(_ json: String) throws -> SquareResponse {
        try SquareResponse(url: "a://b?data=\(PercentEncoding.encoded(json))", profile: .pointOfSale354)
    }

    @Test("responses: success, state, error and the device's id, not the server's")
    func responses() throws {
        let success = try response(
            #"{"status":"ok","transaction_id":"T","client_transaction_id":"C","state":"s"}"#)
        let otherServer = try response(
            #"{"status":"ok","transaction_id":"U","client_transaction_id":"C","state":"s"}"#)
        #expect(success == otherServer)
        #expect(success.hashValue == otherServer.hashValue)
        #expect(success == (try response(#"{"status":"ok","client_transaction_id":"C","state":"s"}"#)))
        #expect(success != (try response(#"{"status":"ok","client_transaction_id":"D","state":"s"}"#)))
        #expect(success != (try response(#"{"status":"ok","client_transaction_id":"C","state":"t"}"#)))
        #expect(success != (try response(#"{"status":"ok","client_transaction_id":"C"}"#)))
        #expect(
            (try response(#"{"status":"ok","state":"s"}"#))
                != (try response(#"{"status":"error","error_code":"x","state":"s"}"#)))
    }

    @Test("two unknown errors differ by their text")
    func errors() throws {
        let one = try response(#"{"status":"error","error_code":"one"}"#)
        #expect(one == (try response(#"{"status":"error","error_code":"one"}"#)))
        #expect(one != (try response(#"{"status":"error","error_code":"two"}"#)))
        let old = try response(#"{"status":"error","error_code":"user_id_mismatch"}"#)
        let new = try response(#"{"status":"error","error_code":"location_id_mismatch"}"#)
        #expect(old.error?.code == new.error?.code)
        #expect(old != new)
    }
}
