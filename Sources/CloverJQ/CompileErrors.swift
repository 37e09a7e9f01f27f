internal import CJQ

/// Collects libjq's messages during compilation.
final class CompileErrors {
    private var messages: [String] = []

    /// For `jq_set_error_cb`; the data is an unretained `CompileErrors`.
    static let callback: @convention(c) (UnsafeMutableRawPointer?, jv) -> Void = { data, message in
        let text = jq_format_error(message)
        guard let data, jv_get_kind(text) == JV_KIND_STRING else { return jv_free(text) }
        Unmanaged<CompileErrors>.fromOpaque(data).takeUnretainedValue().messages.append(JQValue.text(consuming: text))
    }

    /// The messages as jq prints them, without the last line break.
    var text: String {
        var text = messages.joined(separator: "\n")
        while text.last == "\n" { text.removeLast() }
        return text
    }
}
