/// Checks that bytes are one JSON value (RFC 8259), and extracts its plain values.
package enum JSONCheck {
    /// The position at which bytes stop being valid JSON.
    package struct Fault: Error, Equatable, Sendable {
        package let line: Int
        /// The byte within the line, from 1.
        package let column: Int
        /// True if objects and arrays are nested deeper than `JSONCheck.levels`; the bytes may still be valid JSON.
        package let isTooDeep: Bool
    }

    package static var levels: Int { JSONScanner.deepest }

    /// The kind of the value. Numbers are not parsed.
    package static func kind(of bytes: [UInt8]) throws(Fault) -> JSONKind {
        try scan(bytes, onPlain: { _, _ in })
    }

    /// Strings and numbers by their path in nested objects, such as `id` or `item.id`. Array contents are skipped.
    package static func plainValues(of bytes: [UInt8]) throws(Fault) -> (
        kind: JSONKind, values: [String: String]
    ) {
        var values: [String: String] = [:]
        let kind = try scan(bytes) { values[$0] = $1 }
        return (kind, values)
    }

    private static func scan(
        _ bytes: [UInt8], onPlain: (_ place: String, _ text: String) -> Void
    ) throws(Fault) -> JSONKind {
        if let position = invalidUTF8(in: bytes) { throw fault(JSONScanner.Fault(position: position), in: bytes) }
        do throws(JSONScanner.Fault) {
            return try bytes.withUnsafeBufferPointer { buffer throws(JSONScanner.Fault) in
                let raw = UnsafeRawBufferPointer(buffer)
                var scanner = JSONScanner(bytes: raw)
                let kind = try walk(&scanner, raw, place: "", isNamed: true, onPlain)
                try scanner.end()
                return kind
            }
        } catch {
            throw fault(error, in: bytes)
        }
    }

    /// - Parameter isNamed: true if member names alone lead to the value.
    private static func walk(
        _ scanner: inout JSONScanner, _ bytes: UnsafeRawBufferPointer, place: String, isNamed: Bool,
        _ onPlain: (String, String) -> Void
    ) throws(JSONScanner.Fault) -> JSONKind {
        let kind = try scanner.kind()
        switch kind {
        case .object:
            try scanner.open(.object)
            while let name = try scanner.nextName() {
                let inner = isNamed ? (place.isEmpty ? "" : place + ".") + scanner.decoded(name) : ""
                _ = try walk(&scanner, bytes, place: inner, isNamed: isNamed, onPlain)
            }
        case .array:
            try scanner.open(.array)
            while try scanner.nextEntry() { _ = try walk(&scanner, bytes, place: "", isNamed: false, onPlain) }
        case .string:
            let text = try scanner.string()
            if isNamed { onPlain(place, scanner.decoded(text)) }
        case .integer, .number:
            let start = scanner.position
            try scanner.skipScalar()
            if isNamed { onPlain(place, String(decoding: bytes[start..<scanner.position], as: UTF8.self)) }
        case .null, .boolean: try scanner.skipScalar()
        }
        return kind
    }

    /// The offset at which the bytes stop being UTF-8, which JSON requires (RFC 8259, section 8.1); nil if they are
    /// valid.
    private static func invalidUTF8(in bytes: [UInt8]) -> Int? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var position = 0
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let scalar): position += scalar.count
            case .error, .emptyInput: return position
            }
        }
    }

    package static func fault(_ fault: JSONScanner.Fault, in bytes: [UInt8]) -> Fault {
        let before = bytes.prefix(fault.position)
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return Fault(
            line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: fault.position - start + 1,
            isTooDeep: fault.isTooDeep)
    }
}
