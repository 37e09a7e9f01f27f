internal import CJQ

/// Converts between Swift strings and libjq values.
///
/// libjq's convention: a function consumes its arguments unless it is `jv_copy` or documented otherwise, and the caller
/// owns the result.
enum JQValue {
    /// A string value, owned by the caller.
    static func string(_ text: String) -> jv {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { jv_string_sized($0.baseAddress ?? emptyText, Int32($0.count)) }
        }
    }

    /// Parses one JSON value, owned by the caller; nil if the text is anything else.
    static func parse(_ text: String) -> jv? {
        let value = jv_parse(text)
        if jv_is_valid(value) != 0 { return value }
        jv_free(value)
        return nil
    }

    /// The text of a string value, which is consumed.
    static func text(consuming value: jv) -> String {
        defer { jv_free(value) }
        return withBytes(of: value) { String(decoding: $0, as: UTF8.self) }
    }

    /// The text of a string, or another value as JSON. Consumes the value.
    static func plainText(consuming value: jv) -> String {
        jv_get_kind(value) == JV_KIND_STRING ? text(consuming: value) : text(consuming: jv_dump_string(value, 0))
    }

    /// The bytes of a string value, which is not consumed. They are valid UTF-8 and may contain NUL.
    static func withBytes<Result>(of string: jv, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let count = Int(jv_string_length_bytes(jv_copy(string)))
        return body(UnsafeRawBufferPointer(start: jv_string_value(string), count: count))
    }

    private static var emptyText: UnsafePointer<CChar> {
        // A static string's bytes live as long as the process.
        UnsafeRawPointer(StaticString("").utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
