import CSystemd
import Glibc

/// Reads the values of a received message.
struct MessageReader {
    let functions: clover_systemd
    /// Owned by the caller.
    let message: OpaquePointer
    let member: String

    /// All values from the current position to the end of the current container.
    func read() throws(DBusError) -> [DBusValue] {
        var values: [DBusValue] = []
        while let value = try next() { values.append(value) }
        return values
    }

    private func next() throws(DBusError) -> DBusValue? {
        var code: CChar = 0
        var rawContents: UnsafePointer<CChar>?
        guard try check(functions.sd_bus_message_peek_type(message, &code, &rawContents)) > 0 else { return nil }
        // The text belongs to the message and is valid only until the next peek.
        let contents = rawContents.map { String(cString: $0) } ?? ""
        switch Unicode.Scalar(UInt8(bitPattern: code)) {
        case "y": return .byte(try number(code))
        case "b": return .bool(try number(code, as: Int32.self) != 0)
        case "n": return .int16(try number(code))
        case "q": return .uint16(try number(code))
        case "i": return .int32(try number(code))
        case "u": return .uint32(try number(code))
        case "x": return .int64(try number(code))
        case "t": return .uint64(try number(code))
        case "d": return .double(Double(bitPattern: try number(code)))
        case "s": return .string(try text(code))
        case "o": return .objectPath(try text(code))
        case "g": return .signature(try text(code))
        case "v":
            guard let inner = try inside(code, contents).first else {
                throw .unreadable(member: member, errno: EBADMSG)
            }
            return .variant(inner)
        case "r": return .structure(try inside(code, contents))
        case "a": return try array(code, contents)
        // Most likely `h`, a file descriptor. Descriptors are not negotiated, so none should arrive.
        default: throw .unreadable(member: member, errno: EOPNOTSUPP)
        }
    }

    private func array(_ code: CChar, _ contents: String) throws(DBusError) -> DBusValue {
        if contents == "y" { return .bytes(try bytes()) }
        guard contents.hasPrefix("{") else { return .array(of: contents, try inside(code, contents)) }
        // A key is a basic type, one letter; the value is the rest.
        let inner = contents.dropFirst().dropLast()
        let (key, value) = (String(inner.prefix(1)), String(inner.dropFirst()))
        try check(functions.sd_bus_message_enter_container(message, code, contents))
        var entries: [DBusValue.Entry] = []
        while try check(functions.sd_bus_message_at_end(message, 0)) == 0 {
            let pair = try inside(CChar(UInt8(ascii: "e")), String(inner))
            guard pair.count == 2 else { throw .unreadable(member: member, errno: EBADMSG) }
            entries.append(DBusValue.Entry(key: pair[0], value: pair[1]))
        }
        try check(functions.sd_bus_message_exit_container(message))
        return .dictionary(key: key, value: value, entries)
    }

    private func inside(_ code: CChar, _ contents: String) throws(DBusError) -> [DBusValue] {
        try check(functions.sd_bus_message_enter_container(message, code, contents))
        let values = try read()
        try check(functions.sd_bus_message_exit_container(message))
        return values
    }

    private func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ code: CChar, as type: Number.Type = Number.self
    ) throws(DBusError) -> Number {
        var number: Number = 0
        try check(functions.sd_bus_message_read_basic(message, code, &number))
        return number
    }

    private func text(_ code: CChar) throws(DBusError) -> String {
        // Points into the message.
        var text: UnsafePointer<CChar>?
        try check(functions.sd_bus_message_read_basic(message, code, &text))
        guard let text else { throw .unreadable(member: member, errno: EBADMSG) }
        return String(cString: text)
    }

    private func bytes() throws(DBusError) -> [UInt8] {
        var start: UnsafeRawPointer?
        var count = 0
        let result = functions.sd_bus_message_read_array(message, CChar(UInt8(ascii: "y")), &start, &count)
        try check(result)
        return [UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    @discardableResult
    private func check(_ result: Int32) throws(DBusError) -> Int32 {
        if result < 0 { throw .unreadable(member: member, errno: -result) }
        return result
    }
}
