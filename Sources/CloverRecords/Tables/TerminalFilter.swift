/// Removes terminal control characters and bidirectional marks from a stream of bytes. Everything else passes
/// unchanged, including line breaks and tabs.
package struct TerminalFilter: Sendable {
    package enum Form: Sendable, Equatable {
        /// Control characters are written as escapes, so that the JSON keeps its meaning.
        case json
        /// Control characters become `?`; characters that hide or reorder text are removed.
        case text
    }

    private let form: Form
    /// An incomplete character, or a carriage return, that the next bytes may complete.
    private var rest: [UInt8] = []

    package init(_ form: Form) {
        self.form = form
    }

    /// The bytes to write now.
    package mutating func pass(_ bytes: [UInt8]) -> [UInt8] {
        if rest.isEmpty, bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A || $0 == 0x09 }) { return bytes }
        var all = rest + bytes
        let kept = Self.unfinished(all)
        rest = Array(all.suffix(kept))
        all.removeLast(kept)
        var result = String.UnicodeScalarView()
        let scalars = String(decoding: all, as: UTF8.self).unicodeScalars
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            index = scalars.index(after: index)
            switch scalar {
            case "\n", "\t": result.append(scalar)
            // As in the line ends of csv.
            case "\r" where index < scalars.endIndex && scalars[index] == "\n": result.append(scalar)
            case _ where TerminalText.steers(scalar): append(scalar, to: &result)
            default: result.append(scalar)
            }
        }
        return Array(String(result).utf8)
    }

    private func append(_ scalar: Unicode.Scalar, to result: inout String.UnicodeScalarView) {
        switch form {
        // Between values it can only be a carriage return, which is meaningless.
        case .json where scalar == "\r": break
        case .json:
            for unit in String(Character(scalar)).utf16 {
                let digits = String(unit, radix: 16)
                result.append(contentsOf: "\\u".unicodeScalars)
                result.append(contentsOf: String(repeating: "0", count: 4 - digits.count).unicodeScalars)
                result.append(contentsOf: digits.unicodeScalars)
            }
        case .text: if scalar.properties.generalCategory == .control { result.append("?") }
        }
    }

    /// The number of bytes at the end that belong to an incomplete sequence.
    private static func unfinished(_ bytes: [UInt8]) -> Int {
        if bytes.last == 0x0D { return 1 }
        for (distance, byte) in bytes.suffix(3).reversed().enumerated() where byte >= 0xC0 {
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
            return distance + 1 < length ? distance + 1 : 0
        }
        return 0
    }
}
