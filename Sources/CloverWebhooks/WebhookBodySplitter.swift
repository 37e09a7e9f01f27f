/// Cuts saved bodies out of a text, one JSON value after the other, on one line or many. The values are not checked.
package struct WebhookBodySplitter {
    /// The bytes of the value that is not complete yet.
    private var value: [UInt8] = []
    /// Open objects and arrays.
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    package init() {}

    /// Adds the next bytes of the text.
    ///
    /// - Returns: the values that are complete now, each up to a byte more than ``WebhookBody/limit``.
    /// - Throws: `WebhookBodyError.tooLarge` for a value that is larger; its end is not looked for.
    package mutating func add(_ bytes: [UInt8]) throws(WebhookBodyError) -> [[UInt8]] {
        var complete: [[UInt8]] = []
        for byte in bytes where take(byte) {
            complete.append(value)
            value = []
        }
        if value.count > WebhookBody.limit { throw .tooLarge }
        return complete
    }

    /// The rest at the end of the text: a value that is not complete; nil if there is none.
    package func rest() -> [UInt8]? { value.isEmpty ? nil : value }

    /// Adds a byte; returns whether it completes the value.
    private mutating func take(_ byte: UInt8) -> Bool {
        let isSpace = byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
        if value.isEmpty, isSpace { return false }
        // What is no object or array ends with its line, so that the message about it shows nothing else.
        if depth == 0, !isInString, byte == 0x0A { return true }
        value.append(byte)
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return false
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth = max(0, depth - 1)
            return depth == 0
        default: break
        }
        return false
    }
}
