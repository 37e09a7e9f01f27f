/// A place in a text.
package struct TextPlace: Sendable, Equatable {
    /// From 1.
    package let line: Int
    /// From 1, in Unicode scalars, of which broken ones count as one for each byte.
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Of the first byte that belongs to no UTF-8; nil in a text that is whole.
    static func ofBrokenUTF8(in bytes: [UInt8]) -> TextPlace? {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var line = 1
        var column = 1
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue("\n"):
                line += 1
                column = 1
            case .scalarValue: column += 1
            case .error: return TextPlace(line: line, column: column)
            case .emptyInput: return nil
            }
        }
    }

    /// Of the first character that YAML does not permit (YAML 1.1 section 4.1.1, as libyaml has it), and that character;
    /// nil without one.
    static func ofForbidden(in text: String) -> (TextPlace, Unicode.Scalar)? {
        var line = 1
        var column = 1
        for scalar in text.unicodeScalars {
            guard isPermitted(scalar) else { return (TextPlace(line: line, column: column), scalar) }
            if scalar == "\n" {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
        return nil
    }

    private static func isPermitted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF:
            true
        default: false
        }
    }
}
