/// Whether bytes are one JSON value (RFC 8259), and which plain values it holds.
package enum JSONCheck {
    /// Where bytes stop being JSON.
    package struct Fault: Error, Equatable, Sendable {
        /// From 1.
        package let line: Int
        /// Bytes from the beginning of the line, from 1.
        package let column: Int
        /// It may be JSON, but objects and arrays lie in more than `JSONCheck.levels` others.
        package let isTooDeep: Bool
    }

    /// How deep objects and arrays may lie in others.
    package static var levels: Int { JSONScanner.deepest }

    /// What the value is. Its numbers are neither read nor changed.
    package static func kind(of bytes: [UInt8]) throws(Fault) -> RecordValidator.JSONKind {
        try scan(bytes, onPlain: { _, _ in })
    }

    /// Strings and numbers by their place in nested objects: `id`, `item.id`. What is in arrays is left out.
    static func plainValues(of bytes: [UInt8]) throws(Fault) -> (
        kind: RecordValidator.JSONKind, values: [String: String]
    ) {
        var values: [String: String] = [:]
        let kind = try scan(bytes) { values[$0] = $1 }
        return (kind, values)
    }

    private static func scan(
        _ bytes: [UInt8], onPlain: (_ place: String, _ text: String) -> Void
    ) throws(Fault) -> RecordValidator.JSONKind {
        if let position = invalidUTF8(in: bytes) { throw fault(JSONScanner.Fault(position: position), in: bytes) }
        let outcome: Result<RecordValidator.JSONKind, JSONScanner.Fault> = bytes.withUnsafeBytes { raw in
            var scanner = JSONScanner(bytes: raw)
            do throws(JSONScanner.Fault) {
                let kind = try walk(&scanner, raw, place: "", isNamed: true, onPlain)
                try scanner.end()
                return .success(kind)
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let kind): return kind
        case .failure(let failure): throw fault(failure, in: bytes)
        }
    }

    /// - Parameter isNamed: the value is to be had by names alone.
    private static func walk(
        _ scanner: inout JSONScanner, _ bytes: UnsafeRawBufferPointer, place: String, isNamed: Bool,
        _ onPlain: (String, String) -> Void
    ) throws(JSONScanner.Fault) -> RecordValidator.JSONKind {
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

    /// Where the bytes stop being UTF-8, which JSON is (RFC 8259, section 8.1); nil when they never do.
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

    static func fault(_ fault: JSONScanner.Fault, in bytes: [UInt8]) -> Fault {
        let before = bytes.prefix(fault.position)
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return Fault(
            line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: fault.position - start + 1,
            isTooDeep: fault.isTooDeep)
    }
}
