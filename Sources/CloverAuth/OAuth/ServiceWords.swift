import CloverHTTP
import CloverRecords
import FoundationEssentials

/// The service's own words in the answer to an OAuth call, made fit to be shown.
///
/// Clover documents no form for errors, so everything that has been seen is taken: `message`, `details`,
/// `error_description`, `error` as text or as an object with `message`, or plain text.
enum ServiceWords {
    /// The most characters shown.
    static let limit = 200
    /// Of a body that is no JSON, or of a very long message, no more bytes are looked at.
    private static let examined = 4096

    /// What the body says; nil when it says nothing, or is a page for a browser.
    ///
    /// - Parameter secrets: what was sent along; it is not shown even when the service repeats it.
    static func parse(_ body: [UInt8], hiding secrets: [Secret]) -> String? {
        if isPage(body) { return nil }
        if let answer = decode(body) { return answer.words.flatMap { clean($0, hiding: secrets) } }
        return clean(String(decoding: body.prefix(examined), as: UTF8.self), hiding: secrets)
    }

    /// Whether a refusal to renew is about the refresh token itself: the code `invalid_grant` (RFC 6749, section 5.2), or words
    /// that call a token invalid, ended or spent. Clover documents neither.
    static func speakOfToken(_ body: [UInt8]) -> Bool {
        let code = decode(body)?.code?.lowercased()
        if code == "invalid_grant" { return true }
        if let code, codesAboutOthers.contains(code) { return false }
        guard let words = parse(body, hiding: [])?.lowercased() else { return false }
        if words.contains("invalid_grant") { return true }
        return ["token", "grant"].contains(where: words.contains) && judgements.contains(where: words.contains)
            && !othersAndTimes.contains(where: words.contains)
    }

    private static let judgements = [
        "invalid", "not valid", "valid any", "no longer", "validate", "expired", "revoked", "spent", "used", "reuse",
        "unknown", "not found", "not exist", "dead", "rejected",
    ]
    /// What is wrong with the app, the request or the service may be mended there.
    private static let othersAndTimes = ["client", "secret", "temporar", "unavailable", "later", "required", "missing"]
    private static let codesAboutOthers = [
        "invalid_client", "unauthorized_client", "invalid_request", "unsupported_grant_type", "invalid_scope",
        "temporarily_unavailable", "server_error",
    ]

    /// Whether the body is HTML or XML: a proxy or a portal speaks, not the service.
    static func isPage(_ body: [UInt8]) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let rest = body.starts(with: mark) ? body.dropFirst(mark.count) : body[...]
        return rest.first { !Character(UnicodeScalar($0)).isWhitespace } == UInt8(ascii: "<")
    }

    /// One line of at most 200 characters without secrets and without characters that steer a terminal.
    static func clean(_ text: String, hiding secrets: [Secret]) -> String? {
        let examined = String(decoding: text.utf8.prefix(examined), as: UTF8.self)
        let masked = TextRedaction.redacted(SecretMask(hiding: secrets).masked(examined))
        var line = String.UnicodeScalarView()
        for scalar in TerminalText.line(masked).unicodeScalars {
            switch scalar.properties.generalCategory {
            // Among the format characters are those that turn the direction of writing around.
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: line.append(" ")
            default: line.append(scalar)
            }
        }
        let words = String(line).split(separator: " ").joined(separator: " ")
        return words.isEmpty ? nil : String(words.prefix(limit))
    }

    private struct Answer: Decodable {
        let words: String?
        /// The code of an error, as in RFC 6749, section 5.2, or beside its message.
        let code: String?

        private enum Key: String, CodingKey {
            case message, details, error
            case errorDescription = "error_description"
        }

        private struct Inner: Decodable {
            let code: String?
            let message: String?

            private enum Key: String, CodingKey {
                case code, message
            }

            init(from decoder: any Decoder) throws {
                let fields = try decoder.container(keyedBy: Key.self)
                func text(_ key: Key) -> String? {
                    do { return try fields.decodeIfPresent(String.self, forKey: key) } catch { return nil }
                }
                code = text(.code)
                message = text(.message)
            }
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            /// A field of another type says nothing; it does not make the others unreadable.
            func text(_ key: Key) -> String? {
                do {
                    return try fields.decodeIfPresent(String.self, forKey: key)
                } catch {
                    return nil
                }
            }
            var inner: Inner?
            do {
                inner = try fields.decodeIfPresent(Inner.self, forKey: .error)
            } catch {
                // `error` is a plain word, as in RFC 6749, or nothing that we know.
                inner = nil
            }
            let first = text(.message) ?? text(.errorDescription) ?? inner?.message ?? text(.error)
            code = inner?.code ?? text(.error)
            let parts = [first, text(.details)].compactMap(\.self).filter { !$0.isEmpty }
            words = parts.isEmpty ? nil : parts.joined(separator: ": ")
        }
    }

    /// Nil when the body is no JSON object.
    private static func decode(_ body: [UInt8]) -> Answer? {
        do {
            return try JSONDecoder().decode(Answer.self, from: Data(body))
        } catch {
            return nil
        }
    }
}
