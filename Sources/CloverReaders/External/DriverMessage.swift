internal import FoundationEssentials

/// A line from a driver program: the answer to a request, or an event. Fields and events that are not known are passed
/// over, so that a driver may say more than this version understands.
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

    /// An error of a driver's: a word of the protocol or of its own, and text for a person.
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

    /// The beginning of a line, for a message.
    private static func excerpt(_ line: [UInt8]) -> String {
        String(decoding: line.prefix(60), as: UTF8.self)
    }

    /// Whether it is a whole number of the range.
    static func isWhole(_ number: Double, in range: ClosedRange<Double>) -> Bool {
        range.contains(number) && number == number.rounded()
    }

    private func check() throws(DriverFailure) {
        if let id {
            guard id > 0, event == nil, (result == nil) != (error == nil) else {
                throw .violation(rule: "an answer has 'id' and either 'result' or 'error'")
            }
            try result?.reader?.check()
            return
        }
        guard let event else { throw .violation(rule: "a message has an 'id' or an 'event'") }
        switch event {
        case "found", "reader":
            guard let reader else { throw .violation(rule: "the event '\(event)' needs 'reader'") }
            try reader.check()
        case "state":
            guard let state, ReaderState(rawValue: state) != nil else {
                throw .violation(
                    rule: "the event 'state' needs a 'state' of "
                        + ReaderState.allCases.map(\.rawValue).joined(separator: ", "))
            }
        case "progress":
            guard let progress, (0...1).contains(progress) else {
                throw .violation(rule: "the event 'progress' needs a 'progress' from 0 to 1")
            }
        case "battery":
            guard let battery, Self.isWhole(battery, in: 0...100) else {
                throw .violation(rule: "the event 'battery' needs a 'battery' that is a whole number from 0 to 100")
            }
        case "update":
            guard what == "firmware" || what == "keys" else {
                throw .violation(rule: "the event 'update' needs a 'what' of firmware, keys")
            }
        case "say":
            guard say?.isEmpty == false else { throw .violation(rule: "the event 'say' needs 'say'") }
        default: break
        }
    }
}
