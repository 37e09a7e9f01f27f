/// Puts plain text into a page.
enum HTMLText {
    /// More than any message has, and little enough for a page that is written at once.
    private static let limit = 2000

    /// The text with everything that means something to HTML escaped, so that it can stand in an element and in a quoted
    /// attribute. Control characters other than line breaks are left out, as are those that change the direction
    /// of the text around them; text from the service could contain both.
    static func escape(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(limit) {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n": result += "\n"
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": break
            default:
                if scalar.properties.generalCategory != .control { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }
}
