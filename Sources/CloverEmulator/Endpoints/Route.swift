/// One operation of the V3 API.
package struct Route: Sendable {
    /// How a GET answers.
    package enum Shape: String, Sendable {
        case list, one, csv
        case write = "-"
    }

    package let method: String
    /// Path behind the merchant with `{}` for each parameter, such as `orders/{}/line_items`; empty for the merchant
    /// itself. Paths of other kinds begin with a slash: `/apps/{}/merchants/{}/billing_info`.
    package let key: String
    package let shape: Shape
    /// The documented filters.
    package let filters: [FilterField]
    /// Path segments; nil stands for a parameter.
    let segments: [String?]

    /// Reads a line of `EndpointTable`; nil when it is none.
    init?(line: Substring) {
        let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard columns.count == 4, let shape = Shape(rawValue: String(columns[2])) else { return nil }
        method = String(columns[0])
        self.shape = shape
        filters = columns[3].split(separator: ",").compactMap { Self.filter($0) }
        segments = columns[1].split(separator: "/").map { $0.hasPrefix("{") ? nil : String($0) }
        let key = segments.map { $0 ?? "{}" }.joined(separator: "/")
        if key == "merchants/{}" {
            self.key = ""
        } else if key.hasPrefix("merchants/{}/") {
            self.key = String(key.dropFirst("merchants/{}/".count))
        } else {
            self.key = "/" + key
        }
    }

    private static func filter(_ text: Substring) -> FilterField? {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let name = String(text[..<colon])
        return switch text[text.index(after: colon)...] {
        case "i": FilterField(name, .integer)
        case "b": FilterField(name, .boolean)
        case "n": FilterField(name, .name)
        case "c": FilterField(name, .caseless)
        default: FilterField(name)
        }
    }

    /// The values of the parameters when the path is one of this operation's; nil otherwise.
    func parameters(of path: [String]) -> [String]? {
        guard path.count == segments.count else { return nil }
        var values: [String] = []
        for (segment, text) in zip(segments, path) {
            if let segment {
                if segment != text { return nil }
            } else {
                values.append(text)
            }
        }
        return values
    }
}
