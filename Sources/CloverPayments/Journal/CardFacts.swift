/// What may be known of a card after it was used: never its number.
package struct CardFacts: Codable, Sendable, Equatable {
    /// As the service says it: `VISA`, `MC`.
    package var type: String?
    package var first6: String?
    package var last4: String?
    /// How it was read, as the service says it: `EMV_CONTACTLESS`, `KEYED`.
    package var entry: String?

    package init(type: String? = nil, first6: String? = nil, last4: String? = nil, entry: String? = nil) {
        self.type = type
        self.first6 = Self.digits(first6, 6)
        self.last4 = Self.digits(last4, 4)
        self.entry = entry
    }

    /// Whatever a service sends in these fields, no more than so many digits of a number are kept.
    private static func digits(_ text: String?, _ count: Int) -> String? {
        guard let text, text.count == count, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return text
    }
}
