import FoundationEssentials

/// The service's own words in the body of a refusal.
enum ServiceMessage {
    /// The first of `error.message`, `message` with `details`, or the raw text up to 200 bytes; one line without
    /// control characters; nil when the body says nothing.
    static func parse(_ body: [UInt8]) -> String? {
        if let answer = decode(body) {
            if let message = answer.error?.message { return oneLine(message) }
            if let message = answer.message {
                return oneLine([message, answer.details].compactMap(\.self).joined(separator: ": "))
            }
        }
        guard body.first != UInt8(ascii: "<") else { return nil }
        let text = oneLine(String(decoding: body.prefix(200), as: UTF8.self))
        return text.isEmpty ? nil : text
    }

    private struct Answer: Decodable {
        var message: String?
        var details: String?
        var error: Inner?

        struct Inner: Decodable {
            var message: String?
        }
    }

    /// A body that is not JSON, or has other types, is no error here: the raw text is used instead.
    private static func decode(_ body: [UInt8]) -> Answer? {
        do {
            return try JSONDecoder().decode(Answer.self, from: Data(body))
        } catch {
            return nil
        }
    }

    private static func oneLine(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(400) {
            result.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return String(result).split(separator: " ").joined(separator: " ")
    }
}
