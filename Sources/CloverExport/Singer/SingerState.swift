import FoundationEssentials

/// The state of a Singer pipeline. The target writes it when the records before it are stored, and the next run starts from
/// it: `{"merchant":"...","environment":"...","bookmarks":{"orders":{"modifiedTime":1763679481204}}}`.
package struct SingerState: Codable, Sendable, Equatable {
    /// Merchant of the bookmarks; nil in a state that another program wrote.
    package private(set) var merchant: String?
    package private(set) var environment: String?
    /// Bookmarks by stream and by bookmark member, in milliseconds since 1970. Those of other streams are kept.
    private var bookmarks: [String: [String: Int64]]

    /// The state before the first run.
    package init(merchant: String, environment: String) {
        self.merchant = merchant
        self.environment = environment
        bookmarks = [:]
    }

    /// Reads a state that an earlier run or a target wrote: a whole file, or the last line of a target's output. An empty
    /// file is a state without bookmarks.
    ///
    /// - Throws: `SingerStateError`.
    package init(
        reading bytes: [UInt8], from path: String, merchant: String, environment: String
    ) throws(SingerStateError) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let last = text.split(whereSeparator: \.isNewline).last(where: { !$0.allSatisfy(\.isWhitespace) }) else {
            self.init(merchant: merchant, environment: environment)
            return
        }
        // A formatted file has many lines and is one value; targets append one value per line.
        guard var state = Self.decoded(text) ?? Self.decoded(String(last)) else { throw .unreadable(path: path) }
        if let other = state.merchant, other != merchant { throw .otherMerchant(path: path, merchant: other) }
        if let other = state.environment, other != environment {
            throw .otherEnvironment(path: path, environment: other)
        }
        state.merchant = merchant
        state.environment = environment
        self = state
    }

    /// Bookmark of a stream; nil when it has none.
    package func bookmark(of stream: SingerStream) -> Int64? {
        stream.bookmark.flatMap { bookmarks[stream.name]?[$0] }
    }

    /// Moves a bookmark forward, never back.
    package mutating func advance(_ stream: SingerStream, to instant: Int64) {
        guard let member = stream.bookmark else { return }
        bookmarks[stream.name, default: [:]][member] = max(bookmark(of: stream) ?? instant, instant)
    }

    /// The STATE message with a newline. Write it after all records that it covers.
    package var message: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return #"{"type":"STATE","value":\#(String(decoding: try encoder.encode(self), as: UTF8.self))}"# + "\n"
        }
    }

    private enum CodingKeys: CodingKey {
        case merchant, environment, bookmarks
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        merchant = try values.decodeIfPresent(String.self, forKey: .merchant)
        environment = try values.decodeIfPresent(String.self, forKey: .environment)
        bookmarks = try values.decodeIfPresent([String: [String: Int64]].self, forKey: .bookmarks) ?? [:]
    }

    /// A state, or a STATE message with one.
    private static func decoded(_ text: String) -> SingerState? {
        guard let message = JSONDecoder.value(Message.self, from: text.utf8) else { return nil }
        if let value = message.value, message.type == "STATE" { return value }
        return JSONDecoder.value(SingerState.self, from: text.utf8)
    }

    private struct Message: Decodable {
        var type: String?
        var value: SingerState?
    }
}

/// Why a file cannot be used as state.
package enum SingerStateError: Error, Sendable, Equatable {
    case unreadable(path: String)
    /// It may never end, or hold nothing the next time.
    case notRegularFile(path: String)
    /// It belongs to another merchant.
    case otherMerchant(path: String, merchant: String)
    case otherEnvironment(path: String, environment: String)
}
