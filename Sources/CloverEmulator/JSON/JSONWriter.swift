/// A value that a `JSONWriter` writes.
package protocol JSONWritable {
    func write(to writer: inout JSONWriter)
}

/// Writes JSON text without white space, byte by byte and without intermediate values.
///
/// Members and objects get the comma that they need in front; it follows from the last byte. Text is escaped as RFC 8259
/// section 7 requires, except for `raw`.
package struct JSONWriter: Sendable {
    private var content: [UInt8] = []

    package init(capacity: Int = 4096) {
        content.reserveCapacity(capacity)
    }

    package func bytes() -> [UInt8] { content }

    /// Discards the content and keeps the memory.
    mutating func removeAll() {
        content.removeAll(keepingCapacity: true)
    }

    mutating func byte(_ value: UInt8) {
        content.append(value)
    }

    /// Text or JSON that is copied as it is.
    mutating func raw(_ text: String) {
        content.append(contentsOf: text.utf8)
    }

    mutating func raw(_ bytes: [UInt8]) {
        content.append(contentsOf: bytes)
    }

    package mutating func integer(_ value: Int) {
        raw(String(value))
    }

    /// A quoted, escaped string.
    package mutating func string(_ text: String) {
        byte(UInt8(ascii: "\""))
        for character in text.utf8 {
            switch character {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                byte(UInt8(ascii: "\\"))
                byte(character)
            case UInt8(ascii: "\n"): raw("\\n")
            case UInt8(ascii: "\r"): raw("\\r")
            case UInt8(ascii: "\t"): raw("\\t")
            case 0..<0x20: raw("\\u" + character.digits(4, radix: 16))
            default: byte(character)
            }
        }
        byte(UInt8(ascii: "\""))
    }

    // MARK: Objects

    /// Writes a comma unless a value can begin here.
    mutating func separate() {
        switch content.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "\n"): break
        default: byte(UInt8(ascii: ","))
        }
    }

    mutating func key(_ name: String) {
        separate()
        string(name)
        byte(UInt8(ascii: ":"))
    }

    mutating func object(_ members: (inout JSONWriter) -> Void) {
        separate()
        byte(UInt8(ascii: "{"))
        members(&self)
        byte(UInt8(ascii: "}"))
    }

    /// Adds a member to the object that is being written; nothing for nil.
    mutating func put(_ name: String, _ value: (some JSONWritable)?) {
        guard let value else { return }
        key(name)
        value.write(to: &self)
    }

    /// Adds a reference, `{"id":"..."}`.
    mutating func put(_ name: String, reference id: some JSONWritable) {
        key(name)
        object { $0.put("id", id) }
    }

    /// Adds a nested collection, `{"elements":[...]}`, with an object for each entry; nothing without entries.
    mutating func put<Entries: Collection>(
        _ name: String, elements entries: Entries, _ members: (Entries.Element, inout JSONWriter) -> Void
    ) {
        guard !entries.isEmpty else { return }
        key(name)
        raw("{\"elements\":[")
        for entry in entries { object { members(entry, &$0) } }
        raw("]}")
    }
}

extension Int: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension String: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Bool: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.raw(self ? "true" : "false") }
}

extension Identifier: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        // Never escaped.
        writer.byte(UInt8(ascii: "\""))
        writer.raw(description)
        writer.byte(UInt8(ascii: "\""))
    }
}
