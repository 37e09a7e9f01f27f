/// Text like the SDK's strings: UTF-16 units, compared unit by unit.
///
/// Swift's `String` treats composed and decomposed forms of a letter as equal; the SDK does not, and sends each unchanged.
/// A text with an unpaired surrogate has no UTF-8 form. It is kept, so that its request fails where the SDK's does: when
/// the JSON is written.
package struct SquareText: Sendable, Hashable {
    /// The characters, with U+FFFD for each unpaired surrogate.
    package let string: String
    /// All units of a text without a UTF-8 form; nil for all other texts.
    private let brokenUnits: [UInt16]?

    package init(_ string: String) {
        self.string = string
        brokenUnits = nil
    }

    /// Makes a text from UTF-16 units, which may include unpaired surrogates.
    package init(units: [UInt16]) {
        string = String(decoding: units, as: UTF16.self)
        // Decoding changes only unpaired surrogates.
        brokenUnits = string.utf16.elementsEqual(units) ? nil : units
    }

    /// Whether the text has a UTF-8 form, which a URL needs.
    package var isWritable: Bool { brokenUnits == nil }

    package var isEmpty: Bool { string.isEmpty }

    /// The length in UTF-16 units, as counted by the SDKs.
    package var unitCount: Int { brokenUnits?.count ?? string.utf16.count }

    /// The UTF-16 units.
    package var units: [UInt16] { brokenUnits ?? Array(string.utf16) }

    package static func == (left: SquareText, right: SquareText) -> Bool {
        left.brokenUnits == right.brokenUnits && left.string.utf8.elementsEqual(right.string.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in string.utf8 { hasher.combine(byte) }
        // 0xFF never occurs in UTF-8, so it separates consecutive texts.
        hasher.combine(UInt8(0xFF))
    }
}

extension SquareText: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) {
        self.init(value)
    }
}

extension String {
    /// The text with its first letter in upper case.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension SquareText: CustomStringConvertible {
    package var description: String { string }
}
