/// Checks byte by byte whether a record is one JSON value (RFC 8259).
///
/// Unpaired surrogate escapes are accepted: the grammar allows them (section 8.2). So is invalid UTF-8 inside strings,
/// which `JSONString` replaces.
struct JSONValueChecker {
    enum Validity: Equatable {
        case valid
        /// JSON, except that strings contain invalid UTF-8.
        case notUTF8
        /// An invalid byte, or a premature end.
        case notJSON(at: Int)
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    private var hasHigh = false
    /// The open brackets: true is an object.
    private var open: [Bool] = []

    static func verdict(on record: UnsafeRawBufferPointer) -> Validity {
        var check = JSONValueChecker(bytes: record)
        guard check.isJSON() else { return .notJSON(at: check.offset) }
        return check.hasHigh && !isUTF8(record) ? .notUTF8 : .valid
    }

    static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.bindMemory(to: UInt8.self).span)
            return true
        } catch {
            return false
        }
    }

    private mutating func isJSON() -> Bool {
        skipSpace()
        while true {
            // A value begins here.
            switch next {
            case UInt8(ascii: "{"):
                offset += 1
                skipSpace()
                if next != UInt8(ascii: "}") {
                    open.append(true)
                    guard skipName() else { return false }
                    continue
                }
                offset += 1
            case UInt8(ascii: "["):
                offset += 1
                skipSpace()
                if next != UInt8(ascii: "]") {
                    open.append(false)
                    continue
                }
                offset += 1
            case UInt8(ascii: "\""):
                guard skipString() else { return false }
            default:
                guard let end = Self.wordEnd(in: bytes, from: offset) else { return false }
                offset = end
            }
            // The value ends here.
            var expectsValue = false
            while !expectsValue {
                skipSpace()
                guard let isObject = open.last else { return offset == bytes.count }
                switch next {
                case UInt8(ascii: ","):
                    offset += 1
                    skipSpace()
                    if isObject, !skipName() { return false }
                    expectsValue = true
                case UInt8(ascii: "}") where isObject, UInt8(ascii: "]") where !isObject:
                    offset += 1
                    open.removeLast()
                default: return false
                }
            }
        }
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    /// A member's name, the colon, and the white space around it.
    private mutating func skipName() -> Bool {
        guard next == UInt8(ascii: "\""), skipString() else { return false }
        skipSpace()
        guard next == UInt8(ascii: ":") else { return false }
        offset += 1
        skipSpace()
        return true
    }

    /// Starts at the opening quote.
    private mutating func skipString() -> Bool {
        offset += 1
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return true
            case UInt8(ascii: "\\"):
                guard skipEscape() else { return false }
            case 0..<0x20: return false
            default:
                if byte >= 0x80 { hasHigh = true }
                offset += 1
            }
        }
        return false
    }

    private mutating func skipEscape() -> Bool {
        guard offset + 1 < bytes.count else { return false }
        switch bytes[offset + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset += 2
            return true
        case UInt8(ascii: "u"):
            guard JSONString.unit(in: bytes, at: offset) != nil else { return false }
            offset += 6
            return true
        default: return false
        }
    }

    /// The end of the number, `true`, `false` or `null` at `start`; nil if there is none, or if it is followed by an
    /// invalid character.
    static func wordEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        let end: Int?
        switch bytes[start] {
        case UInt8(ascii: "t"): end = wordEnd("true", in: bytes, from: start)
        case UInt8(ascii: "f"): end = wordEnd("false", in: bytes, from: start)
        case UInt8(ascii: "n"): end = wordEnd("null", in: bytes, from: start)
        default: end = JSONNumber.end(in: bytes, from: start)
        }
        guard let end else { return nil }
        if end == bytes.count { return end }
        switch bytes[end] {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 0x20, 0x0A, 0x0D, 0x09: return end
        default: return nil
        }
    }

    private static func wordEnd(_ word: StaticString, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let end = start + word.utf8CodeUnitCount
        guard end <= bytes.count else { return nil }
        for index in start..<end where bytes[index] != word.utf8Start[index - start] { return nil }
        return end
    }
}
