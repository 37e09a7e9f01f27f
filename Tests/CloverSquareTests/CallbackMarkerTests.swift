import CloverSquare
import Foundation
import Testing

@Suite("The callback's mark")
struct CallbackMarkerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var given: String
        /// nil when the key is left out.
        var sent: String?
        var testDescription: String { given }
    }

    static let rows = [
        Row(given: "corner-cafe://", sent: "corner-cafe://square_request"),
        Row(given: "corner-cafe://?a=b", sent: "corner-cafe://square_request?a=b"),
        Row(given: "corner-cafe://pay", sent: "corner-cafe://pay/square_request"),
        Row(given: "corner-cafe://pay/a/b", sent: "corner-cafe://pay/a/b/square_request"),
        Row(given: "corner-cafe://pay?a=b", sent: "corner-cafe://pay/square_request?a=b"),
        Row(given: "corner-cafe://pay/", sent: "corner-cafe://pay/square_request"),
        Row(given: "corner-cafe:///a", sent: "corner-cafe://square_request/a"),
        Row(given: "corner-cafe:pay", sent: nil),
        Row(given: "corner-cafe:", sent: "corner-cafe://square_request"),
        Row(given: "corner-cafe:/a", sent: "corner-cafe://square_request/a"),
        Row(given: "corner-cafe://pay#top", sent: "corner-cafe://pay/square_request#top"),
        Row(given: "corner-cafe://#top", sent: "corner-cafe://square_request#top"),
        Row(given: "corner-cafe://pay/x?a=b/c?d#e?f", sent: "corner-cafe://pay/x/square_request?a=b/c?d#e?f"),
        Row(given: "Corner-Cafe://Pay", sent: "Corner-Cafe://Pay/square_request"),
        Row(given: "http://u:p@cafe.example:81/a", sent: "http://u:p@cafe.example:81/a/square_request"),
        Row(given: "http://[::1]:81", sent: "http://[::1]:81/square_request"),
        Row(given: "a://b/c%2Fd?e=%20", sent: "a://b/c%2Fd/square_request?e=%20"),
        Row(given: "corner-cafe://pay/square_request", sent: "corner-cafe://pay/square_request/square_request"),
        Row(given: "corner-cafe://square_request", sent: "corner-cafe://square_request/square_request"),
    ]

    @Test("where the newest SDK puts it", arguments: rows)
    func newest(row: Row) throws {
        let request = try SquareRequest(plainDraft { $0.callbackURL = SquareText(row.given) }, profile: .pointOfSale354)
        let handOff = try request.handOff()
        #expect(handOff.data["callback_url"] == row.sent.map { .string(SquareText($0)) })
        #expect(request.callbackURL == SquareText(row.given))
        #expect(handOff.notices.contains(.callbackLeftOut) == (row.sent == nil))
        #expect(handOff.notices.contains(.callbackMarkedBefore) == row.given.contains("square_request"))
        if let sent = row.sent { #expect(CallbackMarker.isPresent(in: sent)) }
    }

    /// The SDK's own steps, taken with Foundation's `NSURL`.
    private func markedByFoundation(_ callback: String) throws -> String? {
        let url = try #require(NSURL(string: callback))
        if let host = url.host, !host.isEmpty { return url.appendingPathComponent("square_request")?.absoluteString }
        let components = try #require(NSURLComponents(url: url as URL, resolvingAgainstBaseURL: false))
        components.host = "square_request"
        return components.url?.absoluteString
    }

    @Test("Foundation puts the mark in the same place", arguments: rows)
    func foundation(row: Row) throws {
        #expect(try markedByFoundation(row.given) == row.sent)
    }

    @Test("Foundation puts the mark in the same place in random URLs")
    func foundation() throws {
        var values = RandomValues(seed: 3)
        for _ in 0..<2_000 {
            let callback = values.callback()
            let request = try SquareRequest(plainDraft { $0.callbackURL = callback }, profile: .pointOfSale354)
            let sent = try request.handOff().data["callback_url"]?.text
            let wanted = try markedByFoundation(callback.string)
            try #require(sent == wanted.map { SquareText($0) }, "\(callback)")
        }
    }

    @Test("SDK 2.1 sends the callback as it is", arguments: rows)
    func oldest(row: Row) throws {
        let request = try SquareRequest(plainDraft { $0.callbackURL = SquareText(row.given) }, profile: .register21)
        #expect(try request.handOff().data["callback_url"] == .string(SquareText(row.given)))
        #expect(try request.handOff().notices.isEmpty)
    }

    @Test(
        "URLs with the mark",
        arguments: [
            "corner-cafe://square_request", "corner-cafe://square_request?data=x", "corner-cafe://pay/square_request",
            "a://square_request:80/b", "a://u@square_request", "a://b/square_request/c", "a:/square_request",
            "a://b/square%5Frequest", "http://anyone.example/square_request?nothing", "/square_request",
        ])
    func present(url: String) {
        #expect(CallbackMarker.isPresent(in: url))
    }

    @Test(
        "URLs without it",
        arguments: [
            "corner-cafe://paid?data=x", "a://Square_Request", "a://b/SQUARE_REQUEST", "a://b/square_request2",
            "a://b/xsquare_request", "a://b?square_request", "a://b?x=/square_request", "a://b#/square_request",
            "square_request://b", "a:square_request", "a://square_request@b", "", "square_request",
            "a://b/square_request%00", "a://b/square_request\u{301}", "a://b/square_request%FF",
        ])
    func missing(url: String) {
        #expect(!CallbackMarker.isPresent(in: url))
    }
}
