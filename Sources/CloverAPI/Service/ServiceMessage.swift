import FoundationEssentials

/// The service's own words in the body of a refusal.
enum ServiceMessage {
    /// The first of `error.message` and `message`, with `details`, or the raw text up to 200 bytes; of an HTML page its
    /// title. One line without control characters; nil when the body says nothing.
    static func parse(_ body: [UInt8]) -> String? {
        if let answer = decode(body), let message = answer.error?.message ?? answer.message {
            let details = answer.error?.details ?? answer.details
            return oneLine([message, details].compactMap(\.self).joined(separator: ": "))
        }
        if body.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") { return title(body) }
        let text = oneLine(String(decoding: body.prefix(200), as: UTF8.self))
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

    /// What a page of a proxy or of the service's front calls itself.
    private static func title(_ body: [UInt8]) -> String? {
        let text = String(decoding: body.prefix(4096), as: UTF8.self)
        let lowered = text.lowercased()
        guard let start = lowered.firstRange(of: "<title>"), let end = lowered.firstRange(of: "</title>"),
            start.upperBound < end.lowerBound, text.utf8.count == lowered.utf8.count
        else { return nil }
        let title = oneLine(String(decoding: text.utf8[start.upperBound..<end.lowerBound], as: UTF8.self))
        return title.isEmpty ? nil : "an HTML page, '\(title)'"
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
