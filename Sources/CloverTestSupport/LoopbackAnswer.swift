/// What a ``LoopbackServer`` sends back, byte for byte, and what it does with the connection afterwards.
package struct LoopbackAnswer: Sendable {
    package enum Ending: Sendable {
        /// Waits for the next request on the same connection.
        case keepOpen
        /// Ends the connection in order.
        case close
        /// Ends it with a reset.
        case reset
        /// Says nothing more until the client goes away.
        case hold
    }

    package var bytes: [UInt8]
    package var ending: Ending

    package init(bytes: [UInt8], ending: Ending) {
        self.bytes = bytes
        self.ending = ending
    }

    /// A complete answer. `declaredLength` replaces the true length in `Content-Length`.
    package init(
        status: String = "200 OK", headers: [String] = ["Content-Type: application/json"], body: some Sequence<UInt8>,
        declaredLength: Int? = nil, ending: Ending = .keepOpen
    ) {
        let body = Array(body)
        var head = ["HTTP/1.1 \(status)"] + headers
        head.append("Content-Length: \(declaredLength ?? body.count)")
        bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
        self.ending = ending
    }

    package init(status: String = "200 OK", _ body: String, ending: Ending = .keepOpen) {
        self.init(status: status, body: body.utf8, ending: ending)
    }

    /// A page of the service's lists.
    package static func page(_ records: [String]) -> LoopbackAnswer {
        LoopbackAnswer(body: envelope(records))
    }

    /// The body of such a page.
    package static func envelope(_ records: [String]) -> [UInt8] {
        Array(#"{"elements":[\#(records.joined(separator: ","))],"href":"http://api.clover.com/v3"}"#.utf8)
    }

    package static func redirect(to location: String, status: String = "302 Found") -> LoopbackAnswer {
        LoopbackAnswer(status: status, headers: ["Location: \(location)"], body: [])
    }

    /// The connection ends before a byte of an answer.
    package static let reset = LoopbackAnswer(bytes: [], ending: .reset)
}
