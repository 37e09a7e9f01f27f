import CloverHTTP

/// Redacts secrets in a request or response body before it is shown; works on truncated bodies too.
package struct BodyRedaction: Sendable {
    private let codesAreSecret: Bool
    private let values: SensitiveValues

    /// - Parameters:
    ///   - codesAreSecret: also redacts `code` and `authorization_code`, which can be exchanged for tokens.
    ///   - values: redacted wherever they occur, because a response may repeat what was sent.
    package init(codesAreSecret: Bool, hiding values: SensitiveValues = SensitiveValues()) {
        self.codesAreSecret = codesAreSecret
        self.values = values
    }

    /// The body on one line. In JSON, redacts the values of secret names at any depth, including in JSON inside a
    /// string; in other text, redacts what follows such a name.
    package func text(of body: [UInt8]) -> String {
        let start = body.firstIndex { $0 > 0x20 }
        let isJSON = start.map { body[$0] == UInt8(ascii: "{") || body[$0] == UInt8(ascii: "[") } ?? false
        let shown = isJSON ? redacted(body) : body
        let line = String(decoding: shown, as: UTF8.self).split(whereSeparator: \.isNewline).joined(separator: " ")
        let text = TextRedaction.redacted(Self.withoutFilters(line)) { [codesAreSecret] in
            codesAreSecret && Self.isCode($0)
        }
        return values.hidden(in: text)
    }

    /// A list repeats the request's filters in `href`, and one may filter by an employee's PIN.
    private static func withoutFilters(_ text: String) -> String {
        let mark = "filter=pin"
        guard text.contains(mark) else { return text }
        let parts = text.split(separator: mark, omittingEmptySubsequences: false)
        let rest = parts.dropFirst().map { "filter=(redacted)" + $0.drop { $0 != "&" && $0 != "\"" } }
        return String(parts[0]) + rest.joined()
    }

    private func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
        // Names with escapes are redacted without decoding; no legitimate name has one.
        if name.contains(UInt8(ascii: "\\")) { return true }
        let text = String(decoding: name, as: UTF8.self)
        return SensitiveNames.all.verdict(of: text) != .harmless || codesAreSecret && Self.isCode(text)
    }

    /// Names of the sign-in code (Clover: OAuth flow, legacy token migration). A payment's `authorizationCode` is not
    /// secret.
    private static func isCode(_ name: String) -> Bool {
        ["code", "authorizationcode"].contains(SensitiveName.folded(name))
    }

    private func redacted(_ body: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(body.count)
        var copied = 0
        var index = 0
        while index < body.count {
            guard body[index] == UInt8(ascii: "\"") else {
                index += 1
                continue
            }
            let end = Self.endOfString(body, from: index)
            let name = body[min(index + 1, end)..<max(index + 1, end - 1)]
            index = end
            var value = Self.afterSpace(body, from: end)
            guard value < body.count, body[value] == UInt8(ascii: ":"), isSecret(name) else { continue }
            value = Self.afterSpace(body, from: value + 1)
            result += body[copied..<value]
            if value < body.count { result += Array("\"(redacted)\"".utf8) }
            index = Self.endOfValue(body, from: value)
            copied = index
        }
        return result + body[copied...]
    }

    /// The index after the closing quote, or the end of the body.
    private static func endOfString(_ body: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < body.count, body[index] != UInt8(ascii: "\"") {
            index += body[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, body.count)
    }

    private static func afterSpace(_ body: [UInt8], from start: Int) -> Int {
        var index = start
        while index < body.count, [0x20, 0x09, 0x0A, 0x0D].contains(body[index]) { index += 1 }
        return index
    }

    /// The index after the whole value, including its brackets.
    private static func endOfValue(_ body: [UInt8], from start: Int) -> Int {
        var index = start
        var depth = 0
        while index < body.count {
            switch body[index] {
            case UInt8(ascii: "\""):
                index = endOfString(body, from: index)
                if depth == 0 { return index }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return index }
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: ","):
                if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return index
    }
}
