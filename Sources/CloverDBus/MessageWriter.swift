import CSystemd
import Glibc

/// Appends values to a message under construction.
struct MessageWriter {
    let functions: clover_systemd
    /// Owned by the caller.
    let message: OpaquePointer
    let member: String

    func write(_ values: [DBusValue]) throws(DBusError) {
        for value in values { try write(value) }
    }

    private func write(_ value: DBusValue) throws(DBusError) {
        switch value {
        case .byte(let number): try append("y", number)
        // A boolean is a C int, not a byte.
        case .bool(let truth): try append("b", Int32(truth ? 1 : 0))
        case .int16(let number): try append("n", number)
        case .uint16(let number): try append("q", number)
        case .int32(let number): try append("i", number)
        case .uint32(let number): try append("u", number)
        case .int64(let number): try append("x", number)
        case .uint64(let number): try append("t", number)
        case .double(let number): try append("d", number)
        case .string(let text): try append("s", text: text)
        case .objectPath(let text): try append("o", text: text)
        case .signature(let text): try append("g", text: text)
        case .bytes(let bytes):
            try check(
                bytes.withUnsafeBytes {
                    functions.sd_bus_message_append_array(message, type("y"), $0.baseAddress, $0.count)
                })
        case .array(let element, let elements):
            try contain("a", element) { () throws(DBusError) in try write(elements) }
        case .dictionary(let key, let value, let entries):
            try contain("a", "{\(key)\(value)}") { () throws(DBusError) in
                for entry in entries {
                    try contain("e", "\(key)\(value)") { () throws(DBusError) in try write([entry.key, entry.value]) }
                }
            }
        case .structure(let fields):
            // sd-bus would send it, and the bus would then close the connection.
            guard !fields.isEmpty else { throw .notSendable(member: member, errno: EINVAL) }
            try contain("r", fields.map(\.signature).joined()) { () throws(DBusError) in try write(fields) }
        case .variant(let inner):
            try contain("v", inner.signature) { () throws(DBusError) in try write(inner) }
        }
    }

    private func append(_ kind: Unicode.Scalar, _ number: some BitwiseCopyable) throws(DBusError) {
        let result = withUnsafeBytes(of: number) {
            functions.sd_bus_message_append_basic(message, type(kind), $0.baseAddress)
        }
        try check(result)
    }

    private func append(_ kind: Unicode.Scalar, text: String) throws(DBusError) {
        // A C string would end at the zero byte without an error.
        guard !text.utf8.contains(0) else { throw .notSendable(member: member, errno: EINVAL) }
        try check(text.withCString { functions.sd_bus_message_append_basic(message, type(kind), $0) })
    }

    private func contain(
        _ kind: Unicode.Scalar, _ contents: String, _ body: () throws(DBusError) -> Void
    ) throws(DBusError) {
        try check(functions.sd_bus_message_open_container(message, type(kind), contents))
        try body()
        try check(functions.sd_bus_message_close_container(message))
    }

    private func type(_ kind: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: kind.value) }

    private func check(_ result: Int32) throws(DBusError) {
        if result < 0 { throw .notSendable(member: member, errno: -result) }
    }
}
