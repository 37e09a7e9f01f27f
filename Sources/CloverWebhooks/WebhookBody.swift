import CloverJSON

/// A notice that an object changed, or that a Hosted Checkout ended.
package struct WebhookEvent: Sendable, Equatable {
    /// The kind of the events of Hosted Checkout.
    package static let checkout = "checkout"
    /// The type of an event that has none, and of one of Hosted Checkout that does not say how the checkout ended.
    static let unknown = "UNKNOWN"

    /// The merchant's ID.
    package var merchant: String
    /// The name of a ``WebhookKind``, `checkout`, or else the key as Clover sent it, such as `ZZ`; nil without a key.
    package var kind: String?
    /// Whether ``kind`` is one that this program knows; for `checkout`, whether ``type`` is.
    package var isKnown: Bool
    /// The object's ID; for `checkout`, the payment's, if there is one.
    package var id: String?
    /// As sent: `CREATE`, `UPDATE` or `DELETE`, or ``unknown``; for `checkout`, `APPROVED` or `DECLINED`, another status as sent, or
    /// ``unknown``.
    package var type: String
    /// Time of the change, in milliseconds since 1970; nil if Clover sent none.
    package var time: Int64?
    /// The path to read the object from, as `clover get` takes it; nil if it is unknown.
    package var path: String?
    /// The ID of the session of a Hosted Checkout; nil for other kinds.
    package var session: String?

    package init(
        merchant: String, kind: String?, isKnown: Bool, id: String?, type: String, time: Int64?, path: String? = nil,
        session: String? = nil
    ) {
        self.merchant = merchant
        self.kind = kind
        self.isKnown = isKnown
        self.id = id
        self.type = type
        self.time = time
        self.path = path
        self.session = session
    }

    /// The path of the list that the object is in, such as `orders`; nil if there is none.
    var list: String? {
        isKnown ? WebhookKind.allCases.first { $0.name == kind }?.list : nil
    }

    /// An event of an app's webhook.
    ///
    /// - Parameter object: `objectId`, a key and an ID, separated by the first colon; nil if it is missing.
    init(merchant: String, object: String?, type: String, time: Int64?) {
        let parts = object?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init) ?? []
        let key = parts.count == 2 ? parts[0] : nil
        let id = parts.last
        let kind = key.flatMap { WebhookKind(rawValue: $0) }
        self.init(
            merchant: merchant, kind: kind?.name ?? key, isKnown: kind != nil, id: id, type: type, time: time,
            path: id.flatMap { kind?.path(id: $0, merchant: merchant) })
    }
}

/// The body of one webhook request.
package enum WebhookBody: Sendable, Equatable {
    /// The code that Clover's dashboard asks for when a webhook is set up.
    case verification(code: String)
    /// What changed, in the order in which it was sent.
    case events([WebhookEvent])

    /// Maximum size of a body in bytes. Real ones have a few hundred.
    package static let limit = 1 << 20

    /// Reads a body of either kind: of an app's webhook, `{"appId":...,"merchants":{...}}` or
    /// `{"verificationCode":...}` (Clover: Webhooks), or of Hosted Checkout (Clover: Hosted Checkout webhook).
    ///
    /// Unknown members are ignored, and unknown kinds and types are passed on: what Clover adds later still arrives.
    ///
    package init(_ bytes: [UInt8]) throws(WebhookBodyError) {
        guard bytes.count <= Self.limit else { throw .tooLarge }
        do {
            // The whole body is checked first, so that the reader meets valid JSON only.
            guard try JSONCheck.kind(of: bytes) == .object else { throw WebhookBodyError.notWebhook("not an object") }
            self = try bytes.withUnsafeBytes { raw in
                var reader = WebhookBodyReader(raw)
                return try reader.body()
            }
        } catch let error as WebhookBodyError {
            throw error
        } catch let fault as JSONCheck.Fault {
            throw .notJSON(line: fault.line, column: fault.column, isTooDeep: fault.isTooDeep)
        } catch {
            throw .notWebhook("\(error)")
        }
    }
}

/// Why bytes are not the body of a webhook.
package enum WebhookBodyError: Error, Equatable, Sendable {
    /// More than ``WebhookBody/limit`` bytes.
    case tooLarge
    /// Not JSON from this position on, which counts from 1; or nested too deeply.
    case notJSON(line: Int, column: Int, isTooDeep: Bool)
    /// JSON, but neither of the documented bodies; the reason.
    case notWebhook(String)
}

extension WebhookBodyError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLarge: "it is larger than 1 MiB"
        case .notJSON(let line, let column, false): "line \(line) is not valid JSON at byte \(column)"
        case .notJSON(_, _, true): "it is nested more than \(JSONCheck.levels) levels deep"
        case .notWebhook(let reason): "it is not the body of a webhook: \(reason)"
        }
    }
}

/// Reads the members of a body that is valid JSON.
private struct WebhookBodyReader {
    /// Longest ID, key or type in bytes. Clover's IDs have 13, those of payments by Hosted Checkout 36.
    private static let longestWord = 256

    private let bytes: UnsafeRawBufferPointer
    private var scanner: JSONScanner

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        scanner = JSONScanner(bytes: bytes)
    }

    /// - Throws: `WebhookBodyError`, or the scanner's fault.
    mutating func body() throws -> WebhookBody {
        var code: String?
        var events: [WebhookEvent]?
        var checkout: [String: String] = [:]
        try scanner.open(.object)
        while let name = try scanner.nextName() {
            let word = scanner.decoded(name)
            if word == "merchants", try scanner.kind() == .object {
                events = (events ?? []) + (try merchants())
            } else if word == "verificationCode", try scanner.kind() == .string {
                code = try shortString("verificationCode")
            } else if let text = try plainValue() {
                // Clover's page prints the names of Hosted Checkout capitalised, programs read them in camel case.
                checkout[word.lowercased()] = text
            }
        }
        if let events { return .events(events) }
        if let code { return .verification(code: code) }
        if let event = try Self.checkout(checkout) { return .events([event]) }
        throw WebhookBodyError.notWebhook("it has no 'merchants' and no 'verificationCode'")
    }

    /// A damaged event beside good ones is passed on as an unknown one, so that it costs none of them.
    ///
    /// - Throws: `WebhookBodyError` if all events are damaged.
    private mutating func merchants() throws -> [WebhookEvent] {
        var events: [WebhookEvent] = []
        var fault: String?
        var hasGood = false
        try scanner.open(.object)
        while let name = try scanner.nextName() {
            let merchant = scanner.decoded(name)
            guard try scanner.kind() == .array, merchant.utf8.count <= Self.longestWord else {
                throw WebhookBodyError.notWebhook("'merchants' has no list of events by merchant")
            }
            try scanner.open(.array)
            var number = 0
            while try scanner.nextEntry() {
                number += 1
                let (event, problem) = try event(of: merchant)
                events.append(event)
                if let problem {
                    fault = fault ?? "event \(number) of merchant \(merchant) \(problem)"
                } else {
                    hasGood = true
                }
            }
        }
        if let fault, !hasGood { throw WebhookBodyError.notWebhook(fault) }
        return events
    }

    /// - Returns: what is known of the event, and what is wrong with it; nil if nothing is.
    private mutating func event(of merchant: String) throws -> (WebhookEvent, problem: String?) {
        var object: String?
        var type: String?
        var time: Int64?
        guard try scanner.kind() == .object else {
            try skip()
            return (
                WebhookEvent(merchant: merchant, object: nil, type: WebhookEvent.unknown, time: nil), "is no object"
            )
        }
        try scanner.open(.object)
        while let name = try scanner.nextName() {
            switch (scanner.decoded(name), try scanner.kind()) {
            case ("objectId", .string): object = shortText(try scanner.string())
            case ("type", .string): type = shortText(try scanner.string())
            case ("ts", .integer): time = try plainValue().flatMap { Int64($0) }
            default: try skip()
            }
        }
        let event = WebhookEvent(merchant: merchant, object: object, type: type ?? WebhookEvent.unknown, time: time)
        return (event, object == nil ? "has no 'objectId'" : type == nil ? "has no 'type'" : nil)
    }

    /// The event of a Hosted Checkout; nil if these are not its members.
    ///
    /// - Parameter members: by name in lower case.
    private static func checkout(_ members: [String: String]) throws -> WebhookEvent? {
        let known = ["APPROVED", "DECLINED"]
        // A refund is no end of a checkout, whatever its status.
        let other = members["type"].flatMap { $0.uppercased() == "PAYMENT" ? nil : $0 }
        guard let merchant = members["merchantid"],
            let type = other.map({ _ in WebhookEvent.unknown })
                ?? members["status"].map({ known.contains($0.uppercased()) ? $0.uppercased() : $0 })
                ?? outcome(members["message"])
                // The type is PAYMENT, however the checkout ended.
                ?? (members["message"] ?? members["type"]).map({ _ in WebhookEvent.unknown })
        else { return nil }
        for word in [merchant, type, members["id"] ?? "", members["data"] ?? ""] where word.utf8.count > longestWord {
            throw WebhookBodyError.notWebhook("a member is longer than \(longestWord) bytes")
        }
        // The unit of createdTime is not documented: seconds have ten digits, milliseconds thirteen.
        let time = members["createdtime"].flatMap { Int64($0) }.map { $0.magnitude < 100_000_000_000 ? $0 * 1000 : $0 }
        return WebhookEvent(
            merchant: merchant, kind: WebhookEvent.checkout, isKnown: known.contains(type),
            id: members["id"], type: type, time: time, session: members["data"])
    }

    /// What a body without a status says, which Clover added later: `Approved for 100`, `Decline for 100`.
    private static func outcome(_ message: String?) -> String? {
        switch message?.prefix(while: \.isLetter).lowercased() {
        case "approved": "APPROVED"
        case "decline", "declined": "DECLINED"
        default: nil
        }
    }

    private mutating func shortString(_ name: String) throws -> String {
        guard let text = shortText(try scanner.string()) else {
            throw WebhookBodyError.notWebhook("'\(name)' is longer than \(Self.longestWord) bytes")
        }
        return text
    }

    /// Nil if it is too long.
    private func shortText(_ text: JSONScanner.Text) -> String? {
        text.range.count <= Self.longestWord ? scanner.decoded(text) : nil
    }

    /// The text of a string or number; nil for other values, which are skipped.
    private mutating func plainValue() throws -> String? {
        switch try scanner.kind() {
        case .string: return scanner.decoded(try scanner.string())
        case .integer, .number:
            let start = scanner.position
            try scanner.skipScalar()
            return String(decoding: bytes[start..<scanner.position], as: UTF8.self)
        default:
            try skip()
            return nil
        }
    }

    private mutating func skip() throws {
        switch try scanner.kind() {
        case .object:
            try scanner.open(.object)
            while try scanner.nextName() != nil { try skip() }
        case .array:
            try scanner.open(.array)
            while try scanner.nextEntry() { try skip() }
        case .string: _ = try scanner.string()
        default: try scanner.skipScalar()
        }
    }
}
