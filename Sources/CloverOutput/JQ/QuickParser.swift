internal import CJQ
import CloverJSON

/// Builds libjq values for ordinary JSON faster than libjq's own parser, which processes single bytes and creates a new
/// string for each member name.
///
/// It accepts only what is plainly valid and returns false for anything else: surrogates, words such as `nan`, nesting
/// near libjq's limit, every error. libjq then parses the record and decides. Accepted values are the same as libjq's,
/// because they are built by libjq's own functions in the same order.
final class QuickParser {
    let names = NameCache()
    private var scratch: [UInt8] = []
    var bytes: UnsafePointer<UInt8>
    var end: UnsafePointer<UInt8>

    init() {
        let nothing = StaticString("").utf8Start
        bytes = nothing
        end = nothing
    }

    /// - Parameters:
    ///   - line: a record, optionally followed by white space.
    ///   - need: the parts to build; all of the record is validated.
    /// - Returns: nil if libjq must parse the record. The caller owns the value.
    func parse(_ line: UnsafeRawBufferPointer, for need: RequiredFields = .whole) -> jv? {
        guard let start = line.baseAddress else { return nil }
        bytes = start.assumingMemoryBound(to: UInt8.self)
        end = bytes + line.count
        var result = jv_null()
        skipSpace()
        guard value(into: &result, for: need, depth: 0) else { return nil }
        skipSpace()
        if bytes == end { return result }
        jv_free(result)
        return nil
    }

    /// If it returns false, `result` is unchanged and nothing is owned.
    func value(into result: inout jv, depth: Int) -> Bool {
        guard bytes < end, depth < LibjqFacts.depthLimit else { return false }
        switch bytes.pointee {
        case UInt8(ascii: "\""):
            return string(into: &result)
        case UInt8(ascii: "{"):
            return object(into: &result, depth: depth)
        case UInt8(ascii: "["):
            return array(into: &result, depth: depth)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return number(into: &result)
        case UInt8(ascii: "t"):
            guard word("true") else { return false }
            result = jv_true()
        case UInt8(ascii: "f"):
            guard word("false") else { return false }
            result = jv_false()
        case UInt8(ascii: "n"):
            guard word("null") else { return false }
            result = jv_null()
        default:
            return false
        }
        return true
    }

    private func object(into result: inout jv, depth: Int) -> Bool {
        bytes += 1
        var object = jv_object()
        skipSpace()
        if take(UInt8(ascii: "}")) {
            result = object
            return true
        }
        while true {
            var name = jv_null()
            guard bytes < end, bytes.pointee == UInt8(ascii: "\""), memberName(into: &name) else { break }
            skipSpace()
            var member = jv_null()
            guard take(UInt8(ascii: ":")), skipSpace(), value(into: &member, depth: depth + 1) else {
                jv_free(name)
                break
            }
            object = jv_object_set(object, name, member)
            skipSpace()
            if take(UInt8(ascii: ",")) {
                skipSpace()
            } else if take(UInt8(ascii: "}")) {
                result = object
                return true
            } else {
                break
            }
        }
        jv_free(object)
        return false
    }

    private func array(into result: inout jv, depth: Int) -> Bool {
        bytes += 1
        var array = jv_array()
        skipSpace()
        if take(UInt8(ascii: "]")) {
            result = array
            return true
        }
        while true {
            var element = jv_null()
            guard value(into: &element, depth: depth + 1) else { break }
            array = jv_array_append(array, element)
            skipSpace()
            if take(UInt8(ascii: ",")) {
                skipSpace()
            } else if take(UInt8(ascii: "]")) {
                result = array
                return true
            } else {
                break
            }
        }
        jv_free(array)
        return false
    }

    // MARK: Strings

    /// Starts at the opening quote.
    private func string(into result: inout jv) -> Bool {
        let start = bytes + 1
        guard let stop = plainEnd(from: start) else { return false }
        if stop.pointee == UInt8(ascii: "\"") {
            bytes = stop + 1
            result = Self.text(UnsafeBufferPointer(start: start, count: stop - start))
            return true
        }
        guard unescape(from: start) else { return false }
        result = scratch.withUnsafeBufferPointer { Self.text($0) }
        return true
    }

    func memberName(into result: inout jv) -> Bool {
        let start = bytes + 1
        guard let stop = plainEnd(from: start) else { return false }
        guard stop.pointee == UInt8(ascii: "\"") else { return string(into: &result) }
        bytes = stop + 1
        result = names.name(UnsafeBufferPointer(start: start, count: stop - start))
        return true
    }

    private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> jv {
        // An empty buffer may have no address, but libjq requires one.
        guard let start = bytes.baseAddress else { return jv_string_empty(0) }
        return UnsafeRawPointer(start).withMemoryRebound(to: CChar.self, capacity: bytes.count) {
            jv_string_sized($0, Int32(bytes.count))
        }
    }

    /// The first quote or backslash; nil if there is none.
    @inline(__always)
    func plainEnd(from start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        var here = start
        // Eight bytes at once; a byte that is 0 after the exclusive or is one of the two.
        while end - here >= 8 {
            let word = UInt64(littleEndian: UnsafeRawPointer(here).loadUnaligned(as: UInt64.self))
            let quote = word ^ 0x2222_2222_2222_2222
            let slash = word ^ 0x5C5C_5C5C_5C5C_5C5C
            let hits =
                (((quote &- 0x0101_0101_0101_0101) & ~quote) | ((slash &- 0x0101_0101_0101_0101) & ~slash))
                & 0x8080_8080_8080_8080
            // The lowest hit is exact: carries only affect the bytes above it.
            if hits != 0 { return here + hits.trailingZeroBitCount / 8 }
            here += 8
        }
        while here < end {
            if here.pointee == UInt8(ascii: "\"") || here.pointee == UInt8(ascii: "\\") { return here }
            here += 1
        }
        return nil
    }

    /// Decodes the string into `scratch`; false for surrogates and invalid escapes.
    private func unescape(from start: UnsafePointer<UInt8>) -> Bool {
        scratch.removeAll(keepingCapacity: true)
        var here = start
        while here < end {
            let byte = here.pointee
            if byte == UInt8(ascii: "\"") {
                bytes = here + 1
                return true
            }
            if byte != UInt8(ascii: "\\") {
                scratch.append(byte)
                here += 1
                continue
            }
            guard end - here >= 2 else { return false }
            let letter = here[1]
            here += 2
            switch letter {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(letter)
            case UInt8(ascii: "b"): scratch.append(0x08)
            case UInt8(ascii: "f"): scratch.append(0x0C)
            case UInt8(ascii: "n"): scratch.append(0x0A)
            case UInt8(ascii: "r"): scratch.append(0x0D)
            case UInt8(ascii: "t"): scratch.append(0x09)
            case UInt8(ascii: "u"):
                guard end - here >= 4, let scalar = Self.scalar(here - 2) else { return false }
                scratch.append(contentsOf: String(scalar).utf8)
                here += 4
            default: return false
            }
        }
        return false
    }

    /// The character of the six bytes of an escape; nil for a surrogate as well.
    static func scalar(_ escape: UnsafePointer<UInt8>) -> Unicode.Scalar? {
        JSONString.unit(in: UnsafeRawBufferPointer(start: escape, count: 6), at: 0).flatMap { Unicode.Scalar($0) }
    }

    // MARK: Numbers and words

    func number(into result: inout jv) -> Bool {
        let start = bytes
        let isNegative = start.pointee == UInt8(ascii: "-")
        var here = isNegative ? start + 1 : start
        let digits = here
        var whole: Int64 = 0
        while here < end, here.pointee &- 0x30 < 10, here - digits < 16 {
            whole = whole &* 10 &+ Int64(here.pointee &- 0x30)
            here += 1
        }
        // Every integer of up to 15 digits is exact as a double.
        if here > digits, here - digits <= 15, here < end, Self.endsNumber(here.pointee) {
            bytes = here
            result = jv_number(isNegative ? -Double(whole) : Double(whole))
            return true
        }
        while here < end, !Self.endsNumber(here.pointee) { here += 1 }
        guard here < end, here - start < 64 else { return false }
        // libjq's own conversion, so that rounding cannot differ.
        let parsed = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { copy in
            copy.initialize(repeating: 0)
            for index in 0..<(here - start) { copy[index] = CChar(bitPattern: start[index]) }
            return jv_parse(copy.baseAddress)
        }
        guard jv_get_kind(parsed) == JV_KIND_NUMBER else {
            jv_free(parsed)
            return false
        }
        bytes = here
        result = parsed
        return true
    }

    static func endsNumber(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || isSpace(byte)
    }

    func word(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        // If another letter follows, the caller notices that no comma or bracket comes next.
        guard end - bytes >= count else { return false }
        for index in 0..<count where bytes[index] != word.utf8Start[index] { return false }
        bytes += count
        return true
    }

    // MARK: Punctuation

    @discardableResult
    @inline(__always)
    func skipSpace() -> Bool {
        while bytes < end, Self.isSpace(bytes.pointee) { bytes += 1 }
        return true
    }

    @inline(__always)
    func take(_ byte: UInt8) -> Bool {
        guard bytes < end, bytes.pointee == byte else { return false }
        bytes += 1
        return true
    }

    @inline(__always)
    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
