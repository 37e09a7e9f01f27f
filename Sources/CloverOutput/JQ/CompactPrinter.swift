internal import CJQ

/// Prints libjq values like `jq -c`, directly into a byte array; libjq's own printer builds a string and appends to it
/// character by character.
///
/// Numbers that are not plain integers, and values nested near libjq's limit, are left to libjq's printer, so that the
/// text cannot differ.
enum CompactPrinter {
    /// Below this limit libjq prints every integer in full, without an exponent.
    private static let plainLimit = 1e15

    /// Prints a value. Does not consume it.
    static func print(_ value: jv, to bytes: inout [UInt8]) {
        let start = bytes.count
        if print(value, depth: 0, to: &bytes) { return }
        bytes.removeSubrange(start...)
        printByLibrary(value, to: &bytes)
    }

    /// Returns false if the value is nested too deeply; part of it may have been printed.
    private static func print(_ value: jv, depth: Int, to bytes: inout [UInt8]) -> Bool {
        switch jv_get_kind(value) {
        case JV_KIND_NULL: append("null", to: &bytes)
        case JV_KIND_TRUE: append("true", to: &bytes)
        case JV_KIND_FALSE: append("false", to: &bytes)
        case JV_KIND_NUMBER: printNumber(value, to: &bytes)
        case JV_KIND_STRING: printString(value, to: &bytes)
        case JV_KIND_ARRAY: return printArray(value, depth: depth, to: &bytes)
        case JV_KIND_OBJECT: return printObject(value, depth: depth, to: &bytes)
        default: return false
        }
        return true
    }

    private static func printArray(_ array: jv, depth: Int, to bytes: inout [UInt8]) -> Bool {
        if depth >= LibjqFacts.depthLimit { return false }
        bytes.append(UInt8(ascii: "["))
        for index in 0..<jv_array_length(jv_copy(array)) {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            let element = jv_array_get(jv_copy(array), index)
            defer { jv_free(element) }
            guard print(element, depth: depth + 1, to: &bytes) else { return false }
        }
        bytes.append(UInt8(ascii: "]"))
        return true
    }

    private static func printObject(_ object: jv, depth: Int, to bytes: inout [UInt8]) -> Bool {
        if depth >= LibjqFacts.depthLimit { return false }
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        // The iteration functions do not consume the object.
        var place = jv_object_iter(object)
        while jv_object_iter_valid(object, place) != 0 {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            let name = jv_object_iter_key(object, place)
            printString(name, to: &bytes)
            jv_free(name)
            bytes.append(UInt8(ascii: ":"))
            let member = jv_object_iter_value(object, place)
            defer { jv_free(member) }
            guard print(member, depth: depth + 1, to: &bytes) else { return false }
            place = jv_object_iter_next(object, place)
        }
        bytes.append(UInt8(ascii: "}"))
        return true
    }

    private static func printNumber(_ value: jv, to bytes: inout [UInt8]) {
        let number = jv_number_value(value)
        // Zero may be negative.
        guard abs(number) < plainLimit, number != 0, number.rounded(.towardZero) == number else {
            return printByLibrary(value, to: &bytes)
        }
        var rest = UInt64(abs(number))
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { digits in
            var start = 16
            while rest > 0 {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start..<16]))
        }
    }

    private static func printString(_ string: jv, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        JQValue.withBytes(of: string) { text in
            var start = 0
            var place = 0
            while true {
                place = nextEscaped(in: text, from: place)
                if place > start { bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<place])) }
                if place == text.count { break }
                appendEscape(for: text[place], to: &bytes)
                place += 1
                start = place
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// The offset of the next byte that needs an escape, or the end.
    private static func nextEscaped(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var place = start
        let ones: UInt64 = 0x0101_0101_0101_0101
        while text.count - place >= 8 {
            let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let quote = word ^ (ones &* 0x22)
            let slash = word ^ (ones &* 0x5C)
            let delete = word ^ (ones &* 0x7F)
            let hits =
                (((quote &- ones) & ~quote) | ((slash &- ones) & ~slash) | ((delete &- ones) & ~delete)
                    | ((word &- ones &* 0x20) & ~word)) & (ones &* 0x80)
            // The lowest hit is exact: carries only affect the bytes above it.
            if hits != 0 { return place + hits.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < text.count, !needsEscape(text[place]) { place += 1 }
        return place
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func appendEscape(for byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            let hexadecimal: StaticString = "0123456789abcdef"
            append("u00", to: &bytes)
            bytes.append(hexadecimal.utf8Start[Int(byte >> 4)])
            bytes.append(hexadecimal.utf8Start[Int(byte & 15)])
        }
    }

    private static func printByLibrary(_ value: jv, to bytes: inout [UInt8]) {
        let text = jv_dump_string(jv_copy(value), 0)
        JQValue.withBytes(of: text) { bytes.append(contentsOf: $0) }
        jv_free(text)
    }

    private static func append(_ text: StaticString, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}

/// Converts libjq values to output bytes, like `jq -c`.
struct ResultWriter {
    let rawOutput: Bool
    let joinOutput: Bool

    init(options: JQOptions) {
        rawOutput = options.rawOutput || options.joinOutput
        joinOutput = options.joinOutput
    }

    /// Adds one result. Consumes the value.
    func write(consuming value: jv, to part: inout ResultPart) {
        let kind = jv_get_kind(value)
        part.appendResult(isTruthy: kind != JV_KIND_FALSE && kind != JV_KIND_NULL) { bytes in
            if rawOutput, kind == JV_KIND_STRING {
                JQValue.withBytes(of: value) { bytes.append(contentsOf: $0) }
            } else {
                CompactPrinter.print(value, to: &bytes)
            }
            if !joinOutput { bytes.append(UInt8(ascii: "\n")) }
        }
        jv_free(value)
    }
}
