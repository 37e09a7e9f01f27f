internal import CJQ

/// Converts libjq values to output bytes, like `jq -c`.
struct ResultWriter {
    let rawOutput: Bool
    let joinOutput: Bool

    init(options: JQOptions) {
        rawOutput = options.rawOutput || options.joinOutput
        joinOutput = options.joinOutput
    }

    /// Adds one result. Consumes the value.
    func write(consuming value: jv, to part: inout ResultPart) {
        let kind = jv_get_kind(value)
        part.appendResult(isTruthy: kind != JV_KIND_FALSE && kind != JV_KIND_NULL) { bytes in
            if rawOutput, kind == JV_KIND_STRING {
                JQValue.withBytes(of: value) { bytes.append(contentsOf: $0) }
            } else {
                CompactPrinter.print(value, to: &bytes)
            }
            if !joinOutput { bytes.append(UInt8(ascii: "\n")) }
        }
        jv_free(value)
    }
}
