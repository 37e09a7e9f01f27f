/// Text as the SDK's own strings hold it: UTF-16 units, compared unit by unit.
///
/// Swift's `String` takes two spellings of one letter (composed and decomposed) for equal, the SDK does not, and sends
/// neither of them changed. And a text that arrives with half of a surrogate pair has no UTF-8: it is kept, so that the
/// request that holds it fails where the SDK's fails, when its JSON is written.
package struct SquareText: Sendable, Hashable {
    /// The characters, with U+FFFD for each half of a surrogate pair.
    package let string: String
    /// All units of a text that has no UTF-8; nil for every other text.
    private let brokenUnits: [UInt16]?

    package init(_ string: String) {
        self.string = string
        brokenUnits = nil
    }

    /// Text from its UTF-16 units, which need not pair up.
    package init(units: [UInt16]) {
        string = String(decoding: units, as: UTF16.self)
        // Only a half of a pair is changed by decoding.
        brokenUnits = string.utf16.elementsEqual(units) ? nil : units
    }

    /// Whether the text has a UTF-8 form, so that it can go into a URL.
    package var isWritable: Bool { brokenUnits == nil }

    package var isEmpty: Bool { string.isEmpty }

    /// The length as the SDKs count it.
    package var unitCount: Int { brokenUnits?.count ?? string.utf16.count }

    /// The UTF-16 units as they came.
    package var units: [UInt16] { brokenUnits ?? Array(string.utf16) }

    package static func == (left: SquareText, right: SquareText) -> Bool {
        left.brokenUnits == right.brokenUnits && left.string.utf8.elementsEqual(right.string.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in string.utf8 { hasher.combine(byte) }
        // No byte of UTF-8 is 0xFF: the end of one text is never the beginning of the next.
        hasher.combine(UInt8(0xFF))
    }
}

extension SquareText: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) {
        self.init(value)
    }
}

extension SquareText: CustomStringConvertible {
    package var description: String { string }
}
