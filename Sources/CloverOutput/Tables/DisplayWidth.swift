internal import Glibc

/// The width of text in terminal columns.
///
/// A user-perceived character counts once: an emoji of several code points is two columns wide, as drawn by terminals
/// that support grapheme clusters; any other cluster is as wide as its code points together. Characters of ambiguous
/// width (UAX 11) are one column wide. Independent of the locale, unlike wcwidth(3).
package enum DisplayWidth {
    /// The width of a text without control characters.
    package static func of(_ text: String) -> Int {
        var text = text
        let simple = text.withUTF8 { bytes in bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F } ? bytes.count : nil }
        return simple ?? text.reduce(0) { $0 + of($1) }
    }

    /// The width of a user-perceived character.
    package static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.count == 1 { return of(first) }
        return isEmoji(scalars, first) ? 2 : scalars.reduce(0) { $0 + of($1) }
    }

    /// The longest prefix that leaves room for an ellipsis, without splitting a character.
    package static func cut(_ text: String, to width: Int) -> String {
        var result = ""
        var used = 0
        for character in text {
            let next = DisplayWidth.of(character)
            if used + next > width - 1 { break }
            result.append(character)
            used += next
        }
        return width > 0 ? result + "…" : ""
    }

    static func of(_ scalar: Unicode.Scalar) -> Int {
        let code = scalar.value
        if code < 0x300 { return code >= 0x80 && contains(WidthTable.none, code) ? 0 : 1 }
        if contains(WidthTable.none, code) { return 0 }
        return contains(WidthTable.two, code) ? 2 : 1
    }

    /// Whether it is a flag, a keycap, or an emoji followed by a selector, a skin tone or joined emoji.
    private static func isEmoji(_ scalars: Character.UnicodeScalarView, _ first: Unicode.Scalar) -> Bool {
        let regional: ClosedRange<UInt32> = 0x1F1E6...0x1F1FF
        if regional.contains(first.value) { return scalars.allSatisfy { regional.contains($0.value) } }
        guard first.properties.isEmoji else { return false }
        return scalars.dropFirst().contains { scalar in
            scalar.value == 0xFE0F || scalar.value == 0x200D || scalar.properties.isEmojiModifier
        }
    }

    private static func contains(_ ranges: [UInt32], _ code: UInt32) -> Bool {
        var low = 0
        var high = ranges.count / 2
        while low < high {
            let middle = (low + high) / 2
            if ranges[2 * middle + 1] < code { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count / 2 && ranges[2 * low] <= code
    }
}

package struct TerminalExtent: Sendable, Equatable {
    package let columns: Int
    /// Nil if the terminal does not report it.
    package let rows: Int?

    package init(columns: Int, rows: Int?) {
        self.columns = columns
        self.rows = rows
    }

    /// The terminal behind the descriptor (TIOCGWINSZ, ioctl_tty(2)); nil if it is not a terminal or has no size.
    package init?(of descriptor: Int32) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        self.init(columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : nil)
    }
}
