internal import CJQ
import CloverJSON

/// Parses records into libjq values, one after another.
final class RecordParser {
    enum Parsed {
        /// The caller owns the value.
        case value(jv)
        /// libjq's message.
        case failed(String)
    }

    private let quick = QuickParser()

    /// Parses the needed parts of a plainly valid record.
    /// - Parameter line: a record with its newline.
    /// - Returns: nil if the whole record must be parsed. The caller owns the value.
    func parse(_ line: UnsafeRawBufferPointer, for need: RequiredFields) -> jv? {
        quick.parse(line, for: need)
    }

    /// Parses a record. An unpaired surrogate becomes U+FFFD, because libjq would refuse the record.
    ///
    /// - Parameter line: a record with its newline. Must not be empty.
    func parse(_ line: UnsafeRawBufferPointer) -> Parsed {
        if let value = quick.parse(line) { return .value(value) }
        if let repaired = JSONString.replacingLoneSurrogates(in: line) {
            return repaired.withUnsafeBytes { bytes in
                if let value = quick.parse(bytes) { return .value(value) }
                return parseWithLibjq(bytes)
            }
        }
        return parseWithLibjq(line)
    }

    private func parseWithLibjq(_ line: UnsafeRawBufferPointer) -> Parsed {
        guard line.count <= Int(Int32.max) else { return .failed("Record too large") }
        // A new parser for each record, so that an incomplete record cannot affect the next one, and lines and columns
        // in messages refer to the record. `jv_parse_sized` is not used because its messages quote the text up to a NUL
        // that is not there.
        let parser = jv_parser_new(0)
        defer { jv_parser_free(parser) }
        // Binding is safe: the parser only reads characters.
        jv_parser_set_buf(parser, line.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(line.count), 0)
        let value = jv_parser_next(parser)
        guard jv_is_valid(value) != 0 else { return .failed(Self.message(consuming: value)) }
        let rest = jv_parser_next(parser)
        if jv_is_valid(rest) == 0, jv_invalid_has_msg(jv_copy(rest)) == 0 {
            jv_free(rest)
            return .value(value)
        }
        jv_free(value)
        return .failed(Self.message(consuming: rest))
    }

    private static func message(consuming value: jv) -> String {
        guard jv_is_valid(value) == 0 else {
            jv_free(value)
            return "Unexpected extra JSON values"
        }
        guard jv_invalid_has_msg(jv_copy(value)) != 0 else {
            jv_free(value)
            return "Expected JSON value"
        }
        return JQValue.plainText(consuming: jv_invalid_get_msg(value))
    }
}
