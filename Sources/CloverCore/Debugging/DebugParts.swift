/// What of a run is shown on standard error to find out what goes wrong, as Clover's SDKs do with their debug options.
package struct DebugParts: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Method and address of each request.
    package static let request = DebugParts(rawValue: 1 << 0)
    /// Header fields, sent and received.
    package static let headers = DebugParts(rawValue: 1 << 1)
    /// Bodies, sent and received, up to a size.
    package static let body = DebugParts(rawValue: 1 << 2)
    /// Status, size, protocol.
    package static let response = DebugParts(rawValue: 1 << 3)
    /// Where the time of each request went.
    package static let timing = DebugParts(rawValue: 1 << 4)
    /// What each request waited for before it left.
    package static let pacing = DebugParts(rawValue: 1 << 5)
    /// Which credential is used, and whether it is renewed; whether connections are used again.
    package static let cache = DebugParts(rawValue: 1 << 6)

    /// What a transfer shows.
    static let transfer: DebugParts = [.request, .headers, .body, .response, .timing, .cache]

    private static let all: [(name: String, part: DebugParts)] = [
        ("request", .request), ("headers", .headers), ("body", .body), ("response", .response), ("timing", .timing),
        ("pacing", .pacing), ("cache", .cache),
    ]

    /// The names of all parts, and the word for all of them.
    package static let names = all.map(\.name) + ["all"]

    /// A name that is none of the parts'.
    package struct UnknownName: Error, Sendable, Equatable {
        package let name: String
    }

    /// Reads names separated by commas.
    package init(parsing text: String) throws(UnknownName) {
        var parts: DebugParts = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = String(word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            if name == "all" {
                for entry in Self.all { parts.insert(entry.part) }
            } else if let entry = Self.all.first(where: { $0.name == name }) {
                parts.insert(entry.part)
            } else {
                throw UnknownName(name: name)
            }
        }
        self = parts
    }

    /// The name of a single part.
    var name: String { Self.all.first { $0.part == self }?.name ?? "" }
}
