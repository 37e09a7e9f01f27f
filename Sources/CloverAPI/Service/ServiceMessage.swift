import CloverHTTP
import CloverRecords
import FoundationEssentials

/// Extracts the service's own message from the body of a refusal.
enum ServiceMessage {
    /// The first of `error.message` and `message`, with `details`; or up to 200 characters of the raw text; or the
    /// title of an HTML page. One line without control characters; nil if the body has no text.
    ///
    /// - Parameter values: values that were sent and are hidden even if the service repeats them.
    static func parse(_ body: [UInt8], hiding values: SensitiveValues) -> String? {
        /// Hides secrets before truncating, because part of a secret would not be found.
        func shown(_ text: String, limit: Int) -> String {
            String(oneLine(values.hidden(in: TextRedaction.redacted(TerminalText.line(text)))).prefix(limit))
        }
        if let answer = decode(body), let message = answer.error?.message ?? answer.message {
            let details = answer.error?.details ?? answer.details
            return shown([message, details].compactMap(\.self).joined(separator: ": "), limit: 400)
        }
        if body.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
            return title(body).map { "an HTML page, '\(shown($0, limit: 400))'" }
        }
        let text = shown(BodyRedaction(codesAreSecret: false).text(of: body), limit: 200)
        return text.isEmpty ? nil : text
    }

    private struct Answer: Decodable {
        var message: String?
        var details: String?
        var error: Inner?

        struct Inner: Decodable {
            var message: String?
            var details: String?
        }
    }

    /// The title of an HTML page, from a proxy or from the service's front end.
    private static func title(_ body: [UInt8]) -> String? {
        let text = String(decoding: body.prefix(4096), as: UTF8.self)
        let lowered = text.lowercased()
        guard let start = lowered.firstRange(of: "<title>"), let end = lowered.firstRange(of: "</title>"),
            start.upperBound < end.lowerBound, text.utf8.count == lowered.utf8.count
        else { return nil }
        let title = String(decoding: text.utf8[start.upperBound..<end.lowerBound], as: UTF8.self)
        return oneLine(title).isEmpty ? nil : title
    }

    /// Nil if the body is not JSON or has other types; the raw text is used instead.
    private static func decode(_ body: [UInt8]) -> Answer? {
        do {
            return try JSONDecoder().decode(Answer.self, from: Data(body))
        } catch {
            return nil
        }
    }

    private static func oneLine(_ text: String) -> String {
        TerminalText.line(text).split(separator: " ").joined(separator: " ")
    }
}
