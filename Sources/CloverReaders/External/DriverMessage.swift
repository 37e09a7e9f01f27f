import FoundationEssentials

/// A line from a driver program: the response to a request, or an event. Unknown fields and events are ignored, so that a
/// driver may report more than this version understands.
struct DriverMessage: Decodable, Sendable {
    var id: Int?
    var result: DriverResult?
    var error: DriverRefusal?
    var event: String?
    var reader: DriverReader?
    var state: String?
    var progress: Double?
    var battery: Double?
    var what: String?
    var version: String?
    var say: String?

    /// A driver's error: a code of the protocol or of the driver, and a message for the user.
    struct DriverRefusal: Decodable, Sendable {
        var code: String
        var message: String
        var battery: Int?
        var versions: [Int]?
    }

    /// - Throws: `DriverFailure.notJSON` or `violation`.
    init(parsing line: [UInt8]) throws(DriverFailure) {
        do {
            self = try JSONDecoder().decode(DriverMessage.self, from: Data(line))
        } catch DecodingError.typeMismatch(_, let context) where context.codingPath.isEmpty {
            throw .notJSON(excerpt: Self.excerpt(line))
        } catch DecodingError.typeMismatch(_, let context) {
            throw .violation(rule: "'\(Self.name(context))' has the wrong type")
        } catch DecodingError.keyNotFound(let key, let context) {
            throw .violation(rule: "'\(Self.name(context))' needs '\(key.stringValue)'")
        } catch DecodingError.valueNotFound(_, let context) {
            throw .violation(rule: "'\(Self.name(context))' must not be null")
        } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
            throw .violation(rule: "'\(Self.name(context))' is out of range")
        } catch {
            throw .notJSON(excerpt: Self.excerpt(line))
        }
        try check()
    }

    private static func name(_ context: DecodingError.Context) -> String {
        context.codingPath.map(\.stringValue).joined(separator: ".")
    }

    /// The beginning of a line, for an error message.
    private static func excerpt(_ line: [UInt8]) -> String {
        String(decoding: line.prefix(60), as: UTF8.self)
    }

    /// Whether the number is whole and in the range.
    static func isWhole(_ number: Double, in range: ClosedRange<Double>) -> Bool {
        range.contains(number) && number == number.rounded()
    }

    private func check() throws(DriverFailure) {
        if let id {
            try DriverFailure.require(
                id > 0 && event == nil && (result == nil) != (error == nil),
                "a response has 'id' and either 'result' or 'error'")
            try result?.reader?.check()
            return
        }
        guard let event else { throw .violation(rule: "a message has an 'id' or an 'event'") }
        switch event {
        case "found", "reader":
            guard let reader else { throw .violation(rule: "the event '\(event)' needs 'reader'") }
            try reader.check()
        case "state":
            let states = ReaderState.allCases.map(\.rawValue)
            try DriverFailure.require(
                state.map { states.contains($0) } ?? false,
                "the event 'state' needs a 'state' of \(states.joined(separator: ", "))")
        case "progress":
            try DriverFailure.require(
                progress.map { (0...1).contains($0) } ?? false, "the event 'progress' needs a 'progress' from 0 to 1")
        case "battery":
            try DriverFailure.require(
                battery.map { Self.isWhole($0, in: 0...100) } ?? false,
                "the event 'battery' needs a 'battery' that is a whole number from 0 to 100")
        case "update":
            try DriverFailure.require(
                what == "firmware" || what == "keys", "the event 'update' needs a 'what' of firmware, keys")
        case "say":
            try DriverFailure.require(say?.isEmpty == false, "the event 'say' needs 'say'")
        default: break
        }
    }
}

/// A request to a driver program, clover-reader-driver(5).
struct DriverRequest: Encodable, Sendable {
    let request: String
    var id = 0
    var versions: [Int]?
    var client: String?
    var allDevices: Bool?
    var reader: String?
    var timeout: Double?
    var begin: Bool?
    var charge: CardCharge?
    var externalPaymentId: String?

    static let protocolVersion = 1

    static var hello: DriverRequest { DriverRequest(request: "hello", versions: [protocolVersion], client: "clover") }
    static var ping: DriverRequest { DriverRequest(request: "ping") }
    static var stopScan: DriverRequest { DriverRequest(request: "stopScan") }
    static var disconnect: DriverRequest { DriverRequest(request: "disconnect") }
    static var cancel: DriverRequest { DriverRequest(request: "cancel") }

    static func scan(allDevices: Bool) -> DriverRequest { DriverRequest(request: "scan", allDevices: allDevices) }

    static func connect(_ reader: String, timeout: Double) -> DriverRequest {
        DriverRequest(request: "connect", reader: reader, timeout: timeout)
    }

    static func update(begin: Bool) -> DriverRequest { DriverRequest(request: "update", begin: begin) }

    static func payment(externalID: String) -> DriverRequest {
        DriverRequest(request: "payment", externalPaymentId: externalID)
    }

    static func charge(_ charge: CardCharge) -> DriverRequest {
        DriverRequest(request: "charge", charge: charge)
    }

    /// The line without its line end; fields that are nil are omitted.
    func line() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self))
    }
}

extension CardCharge {
    /// The request as a driver receives it, without its ID.
    package func driverRequest() throws -> String {
        String(decoding: try DriverRequest.charge(self).line(), as: UTF8.self)
    }
}

/// The result of a driver's response; which fields are set depends on the request.
struct DriverResult: Decodable, Sendable {
    // hello
    var version: Int?
    var driver: String?
    var driverVersion: String?
    var capabilities: [String]?
    // connect
    var reader: DriverReader?
    // charge and payment
    var status: String?
    var outcome: String?
    var code: String?
    var message: String?
    var payment: CardPayment?
    var card: CardDetails?
}

extension DriverResult {
    /// The outcome of a charge. `externalID` is the requested one.
    func cardOutcome(externalID: String) throws(DriverFailure) -> CardOutcome {
        switch outcome {
        case "approved":
            guard let payment else { throw .violation(rule: "the outcome 'approved' needs 'payment'") }
            guard payment.externalPaymentID == externalID else {
                throw .unusableApproval(
                    rule: "the 'externalPaymentId' of a payment is that of its charge, unlike that of \(payment.name)",
                    payment: payment.id)
            }
            guard payment.amount > 0, !payment.id.isEmpty else {
                throw .unusableApproval(
                    rule: "an approved payment has an 'id' and an 'amount' above 0, unlike \(payment.name)",
                    payment: payment.id)
            }
            return .approved(payment)
        case "declined", "cancelled", "unknown":
            // Money may have moved, whatever the word says.
            guard let payment else { break }
            throw .unusableApproval(
                rule: "only the outcome 'approved' has a 'payment', unlike \(payment.name)", payment: payment.id)
        default: break
        }
        switch outcome {
        case "declined":
            return .declined(code: code ?? "declined", message: message ?? "", card: card)
        case "cancelled":
            return .cancelled(code: code ?? "cancelled", message: message ?? "")
        case "unknown":
            return .unknown(message: message ?? "")
        default:
            throw .violation(rule: "an 'outcome' is one of approved, declined, cancelled, unknown")
        }
    }

    /// The result of looking up a payment.
    /// - Parameter isRecordLasting: whether the driver reports that its record of charges outlives the process.
    func cardLookup(externalID: String, isRecordLasting: Bool) throws(DriverFailure) -> CardLookup {
        switch status {
        case "none": return isRecordLasting ? .notFound : .notRemembered
        case "underWay": return .underWay
        case "ended": return .ended(try cardOutcome(externalID: externalID))
        default: throw .violation(rule: "a 'status' is one of none, underWay, ended")
        }
    }
}

extension CardPayment {
    /// The payment in a message, so that it can be looked for.
    fileprivate var name: String { "'\(id.prefix(64))' with the amount \(amount)" }
}

/// A reader as a driver program reports it.
struct DriverReader: Decodable, Sendable {
    var id: String
    var name: String?
    // Must be whole numbers. This is checked later, because a decoder that rejects others does not name the field.
    var rssi: Double?
    var battery: Double?
    var firmware: String?
    var serial: String?
    var model: String?
    var paired: Bool?
    var connected: Bool?

    /// Maximum length of an ID in bytes.
    private static let longestID = 128

    func check() throws(DriverFailure) {
        try DriverFailure.require(
            (1...Self.longestID).contains(id.utf8.count), "a reader's 'id' has 1 to \(Self.longestID) bytes")
        try DriverFailure.require(
            battery.map { DriverMessage.isWhole($0, in: 0...100) } ?? true,
            "a reader's 'battery' is a whole number from 0 to 100, or left out")
        try DriverFailure.require(
            rssi.map { DriverMessage.isWhole($0, in: -127...(-1)) } ?? true,
            "a reader's 'rssi' is a whole number from -127 to -1, or left out")
        for (name, text) in [("name", name), ("firmware", firmware), ("serial", serial), ("model", model)] {
            try DriverFailure.require(text?.isEmpty != true, "a reader's '\(name)' is not empty, or left out")
        }
    }

    var value: Reader {
        Reader(
            id: id, transport: .driver, name: name, rssi: rssi.map { Int($0) }, battery: battery.map { Int($0) },
            firmware: firmware, serial: serial,
            model: model, paired: paired, connected: connected ?? false)
    }
}
