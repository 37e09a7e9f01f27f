/// Text for HTML.
package enum HTMLText {
    /// Escapes what has a meaning in text and in quoted attributes (HTML Living Standard, section 13.1.2.3).
    package static func escape(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
