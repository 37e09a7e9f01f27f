/// A JSON value inside a record's bytes, read on demand and never copied. Valid only while the bytes are.
///
/// The record was checked to be JSON when it was cut out of its page; what is malformed nevertheless reads as missing.
package struct JSONView {
    /// The value as it is written.
    package let bytes: UnsafeRawBufferPointer

    /// - Parameter bytes: one value, without anything after it.
    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    package var isObject: Bool { bytes.first == UInt8(ascii: "{") }

    /// Nil for anything but an integer that fits.
    package var integer: Int64? { JSONNumber.integer(bytes) }
    /// A number without its fraction.
    package var truncated: Int64? {
        integer
            ?? Double(String(decoding: bytes, as: UTF8.self)).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
    }

    package var isTrue: Bool { bytes.count == 4 && bytes[0] == UInt8(ascii: "t") }

    package var isFalse: Bool { bytes.count == 5 && bytes[0] == UInt8(ascii: "f") }

    package var isNull: Bool { bytes.count == 4 && bytes[0] == UInt8(ascii: "n") }

    package var string: String? {
        guard bytes.count >= 2, bytes[0] == UInt8(ascii: "\"") else { return nil }
        return JSONString.decoded(UnsafeRawBufferPointer(rebasing: bytes[1..<bytes.count - 1]))
    }

    /// Whether it is the string of these ASCII characters.
    package func equals(_ text: StaticString) -> Bool {
        bytes.count == text.utf8CodeUnitCount + 2 && bytes[0] == UInt8(ascii: "\"")
            && UnsafeRawBufferPointer(rebasing: bytes[1..<bytes.count - 1]).matches(text)
    }

    /// The values of an object's members with these names, in the order of the names, in one pass; nil for those that
    /// are missing or null. Of members with the same name, the first counts.
    package func members(_ names: Names) -> [JSONView?] {
        var found = [JSONView?](repeating: nil, count: names.all.count)
        eachMember { name, value in
            guard name.count < names.byLength.count else { return true }
            for place in names.byLength[name.count] where name.matches(names.all[place]) {
                if found[place] == nil, !value.isNull { found[place] = value }
            }
            return true
        }
        return found
    }

    /// Names of members, prepared for the search.
    package struct Names: Sendable, ExpressibleByArrayLiteral {
        fileprivate let all: [StaticString]
        /// The places of the names with a number of bytes.
        fileprivate let byLength: [[Int]]

        package init(arrayLiteral names: StaticString...) {
            all = names
            var byLength: [[Int]] = []
            for (place, name) in names.enumerated() {
                while byLength.count <= name.utf8CodeUnitCount { byLength.append([]) }
                byLength[name.utf8CodeUnitCount].append(place)
            }
            self.byLength = byLength
        }
    }

    /// The value of an object's member; nil if it is missing or null.
    package subscript(_ name: StaticString) -> JSONView? {
        var found: JSONView?
        eachMember { member, value in
            guard member.matches(name) else { return true }
            if !value.isNull { found = value }
            return false
        }
        return found
    }

    /// The entries of an array, or of the `elements` of an object.
    package var entries: [JSONView] {
        guard bytes.first == UInt8(ascii: "[") else { return isObject ? self["elements"]?.entries ?? [] : [] }
        var result: [JSONView] = []
        guard var cursor = cursor() else { return [] }
        do {
            try cursor.expect(UInt8(ascii: "["))
            cursor.skipSpace()
            if cursor.take(UInt8(ascii: "]")) { return [] }
            repeat {
                cursor.skipSpace()
                result.append(try Self.next(&cursor, in: bytes))
                cursor.skipSpace()
            } while cursor.take(UInt8(ascii: ","))
        } catch {
            return result
        }
        return result
    }

    /// Calls `body` with the name as it is written, without quotes, and the value of each member of an object, in order.
    ///
    /// - Parameter body: returns whether to go on.
    package func eachMember(_ body: (UnsafeRawBufferPointer, JSONView) -> Bool) {
        guard isObject, var cursor = cursor() else { return }
        do {
            try cursor.expect(UInt8(ascii: "{"))
            cursor.skipSpace()
            if cursor.take(UInt8(ascii: "}")) { return }
            repeat {
                cursor.skipSpace()
                let name = try cursor.string().inside
                cursor.skipSpace()
                try cursor.expect(UInt8(ascii: ":"))
                cursor.skipSpace()
                let value = try Self.next(&cursor, in: bytes)
                guard body(UnsafeRawBufferPointer(rebasing: bytes[name]), value) else { return }
                cursor.skipSpace()
            } while cursor.take(UInt8(ascii: ","))
        } catch {
            // Malformed: the members that were read remain.
        }
    }

    /// Whether an object in it has two members of one name with different values, of which each reader takes another one.
    package var isAmbiguous: Bool {
        if bytes.first == UInt8(ascii: "[") { return entries.contains { $0.isAmbiguous } }
        var found: [String: JSONView] = [:]
        var isAmbiguous = false
        eachMember { name, value in
            let earlier = found.updateValue(value, forKey: JSONString.decoded(name))
            isAmbiguous = value.isAmbiguous || earlier.map { !$0.bytes.elementsEqual(value.bytes) } ?? false
            return !isAmbiguous
        }
        return isAmbiguous
    }

    private func cursor() -> JSONCursor? {
        bytes.baseAddress.map { JSONCursor(start: $0, count: bytes.count) }
    }

    @inline(__always)
    private static func next(
        _ cursor: inout JSONCursor, in bytes: UnsafeRawBufferPointer
    ) throws(JSONCursor.Malformed) -> JSONView {
        let start = cursor.offset
        try cursor.skipValue()
        return JSONView(UnsafeRawBufferPointer(rebasing: bytes[start..<cursor.offset]))
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func matches(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for place in 0..<count where self[place] != text.utf8Start[place] { return false }
        return true
    }
}
