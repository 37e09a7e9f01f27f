internal import CJQ
internal import Glibc

/// The parts of a value that an extraction reads. The rest of a record is validated but not built.
enum RequiredFields: Sendable, Equatable {
    case whole
    /// The number of entries of an array or object; other values are needed whole.
    case count
    /// These members of an object, with unique names; other values are needed whole.
    case members([Member])

    struct Member: Sendable, Equatable {
        /// ASCII only.
        var name: [UInt8]
        var need: RequiredFields
    }

    /// The parts that these steps read of their input.
    init(of steps: some Collection<Extraction.Step>) {
        switch steps.first {
        case nil: self = .whole
        case .length: self = .count
        case .field(let name):
            self = .members([Member(name: Array(name.utf8), need: RequiredFields(of: steps.dropFirst()))])
        case .object(let members):
            self = members.dropFirst().reduce(RequiredFields(of: members[0].steps)) {
                $0.joined(with: RequiredFields(of: $1.steps))
            }
        }
    }

    /// The union of both.
    private func joined(with other: RequiredFields) -> RequiredFields {
        if self == other { return self }
        guard case .members(var members) = self, case .members(let others) = other else { return .whole }
        for member in others {
            if let index = members.firstIndex(where: { $0.name == member.name }) {
                members[index].need = members[index].need.joined(with: member.need)
            } else {
                members.append(member)
            }
        }
        return .members(members)
    }
}

/// Building parts of a value: what is left out is validated as strictly as what is built.
extension QuickParser {
    /// Like `value(into:depth:)`, without the parts that are not needed.
    func value(into result: inout jv, for need: RequiredFields, depth: Int) -> Bool {
        guard bytes < end, depth < LibjqFacts.depthLimit else { return false }
        switch (need, bytes.pointee) {
        case (.members(let members), UInt8(ascii: "{")): return object(into: &result, members, depth: depth)
        case (.count, UInt8(ascii: "{")): return countedObject(into: &result, depth: depth)
        case (.count, UInt8(ascii: "[")): return countedArray(into: &result, depth: depth)
        default: return value(into: &result, depth: depth)
        }
    }

    private func object(into result: inout jv, _ members: [RequiredFields.Member], depth: Int) -> Bool {
        var object = jv_object()
        let isWhole = entries(closing: UInt8(ascii: "}")) {
            let start = bytes + 1
            // A name with escapes may be one of the needed ones: then the whole record is built.
            guard let stop = plainEnd(from: start), bytes.pointee == UInt8(ascii: "\""),
                stop.pointee == UInt8(ascii: "\"")
            else { return false }
            guard let member = Self.member(members, UnsafeBufferPointer(start: start, count: stop - start)) else {
                bytes = stop + 1
                return skipColon() && skipValue(depth: depth + 1)
            }
            var name = jv_null()
            guard memberName(into: &name) else { return false }
            var value = jv_null()
            guard skipColon(), self.value(into: &value, for: member.need, depth: depth + 1) else {
                jv_free(name)
                return false
            }
            object = jv_object_set(object, name, value)
            return true
        }
        return finish(object, isWhole, into: &result)
    }

    private static func member(
        _ members: [RequiredFields.Member], _ name: UnsafeBufferPointer<UInt8>
    ) -> RequiredFields.Member? {
        for member in members where member.name.count == name.count {
            if let start = name.baseAddress, memcmp(member.name, start, name.count) == 0 { return member }
        }
        return nil
    }

    /// The object with null for each member.
    private func countedObject(into result: inout jv, depth: Int) -> Bool {
        var object = jv_object()
        let isWhole = entries(closing: UInt8(ascii: "}")) {
            var name = jv_null()
            guard bytes.pointee == UInt8(ascii: "\""), memberName(into: &name) else { return false }
            guard skipColon(), skipValue(depth: depth + 1) else {
                jv_free(name)
                return false
            }
            object = jv_object_set(object, name, jv_null())
            return true
        }
        return finish(object, isWhole, into: &result)
    }

    /// The array with null for each element.
    private func countedArray(into result: inout jv, depth: Int) -> Bool {
        var array = jv_array()
        let isWhole = entries(closing: UInt8(ascii: "]")) {
            guard skipValue(depth: depth + 1) else { return false }
            array = jv_array_append(array, jv_null())
            return true
        }
        return finish(array, isWhole, into: &result)
    }

    private func finish(_ value: jv, _ isWhole: Bool, into result: inout jv) -> Bool {
        if isWhole { result = value } else { jv_free(value) }
        return isWhole
    }

    // MARK: Leaving out

    /// Skips a JSON value; false where `value(into:depth:)` returns false.
    private func skipValue(depth: Int) -> Bool {
        guard bytes < end, depth < LibjqFacts.depthLimit else { return false }
        switch bytes.pointee {
        case UInt8(ascii: "\""): return skipString()
        case UInt8(ascii: "{"):
            return entries(closing: UInt8(ascii: "}")) {
                bytes.pointee == UInt8(ascii: "\"") && skipString() && skipColon() && skipValue(depth: depth + 1)
            }
        case UInt8(ascii: "["):
            return entries(closing: UInt8(ascii: "]")) { skipValue(depth: depth + 1) }
        case UInt8(ascii: "t"): return word("true")
        case UInt8(ascii: "f"): return word("false")
        case UInt8(ascii: "n"): return word("null")
        default:
            var number = jv_null()
            guard bytes.pointee == UInt8(ascii: "-") || bytes.pointee &- 0x30 < 10 else { return false }
            // A number does not need to be freed.
            return self.number(into: &number)
        }
    }

    /// Starts at the opening quote.
    private func skipString() -> Bool {
        var here = bytes + 1
        while let stop = plainEnd(from: here) {
            if stop.pointee == UInt8(ascii: "\"") {
                bytes = stop + 1
                return true
            }
            guard let next = Self.escapeEnd(stop, end) else { return false }
            here = next
        }
        return false
    }

    /// The end of the escape at this position; nil for surrogates and invalid escapes.
    private static func escapeEnd(
        _ here: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        guard end - here >= 2 else { return nil }
        switch here[1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return here + 2
        case UInt8(ascii: "u"):
            return end - here >= 6 && scalar(here) != nil ? here + 6 : nil
        default: return nil
        }
    }

    // MARK: Punctuation

    private func skipColon() -> Bool {
        skipSpace()
        guard take(UInt8(ascii: ":")) else { return false }
        return skipSpace()
    }

    /// Starts at the opening bracket, and calls `entry` at the first byte of each entry.
    @inline(__always)
    private func entries(closing bracket: UInt8, _ entry: () -> Bool) -> Bool {
        bytes += 1
        skipSpace()
        if take(bracket) { return true }
        while bytes < end, entry() {
            skipSpace()
            if take(UInt8(ascii: ",")) {
                skipSpace()
            } else {
                return take(bracket)
            }
        }
        return false
    }
}
