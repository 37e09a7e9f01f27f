/// The readable V3 endpoints. Nothing is read before the first look-up.
package enum EndpointCatalogue {
    /// Every endpoint, in the catalogue's order.
    package static let endpoints: [Endpoint] = parse(EndpointTable.lines)

    private static func parse(_ table: StaticString) -> [Endpoint] {
        let text = table.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
        return text.split(separator: "\n").compactMap { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count == 8, let shape = Endpoint.Shape(rawValue: String(columns[1])),
                let maximumPage = Int(columns[4])
            else { return nil }
            func names(_ column: Substring) -> [String] { column.split(separator: ",").map(String.init) }
            return Endpoint(
                path: String(columns[0]), shape: shape, model: columns[2].isEmpty ? nil : String(columns[2]),
                permission: columns[3].isEmpty ? nil : String(columns[3]), maximumPage: maximumPage,
                expandable: names(columns[5]), filterable: names(columns[6]), sortable: names(columns[7]))
        }
    }

    /// The endpoint that an absolute path belongs to; literal segments win over placeholders.
    package static func endpoint(at segments: [String]) -> Endpoint? {
        endpoints
            .filter { matches($0, segments) }
            .max { placeholders(in: $0) > placeholders(in: $1) }
    }

    /// The nearest paths to one that is unknown, relative to the merchant where they are, nearest first.
    package static func suggestions(for segments: [String], count: Int = 3) -> [String] {
        let scored = endpoints.compactMap { endpoint -> (distance: Int, path: String)? in
            let template = endpoint.segments
            guard template.count == segments.count else { return nil }
            var distance = 0
            for (wanted, given) in zip(template, segments) where !isPlaceholder(wanted) {
                let step = editDistance(String(wanted), given)
                guard step <= max(2, wanted.count / 3), step < wanted.count else { return nil }
                distance += step
            }
            return (distance, displayPath(endpoint))
        }
        return scored.sorted { ($0.distance, $0.path) < ($1.distance, $1.path) }.prefix(count).map(\.path)
    }

    /// A path as a user would type it: `orders/{orderId}` rather than `/v3/merchants/{mId}/orders/{orderId}`.
    package static func displayPath(_ endpoint: Endpoint) -> String {
        let prefix = "/v3/merchants/{mId}/"
        if endpoint.path == "/v3/merchants/{mId}" { return "merchant" }
        return endpoint.path.hasPrefix(prefix) ? String(endpoint.path.dropFirst(prefix.count)) : endpoint.path
    }

    /// The first words of the paths below a merchant, sorted.
    package static var families: [String] {
        let words = endpoints.compactMap { displayPath($0).split(separator: "/").first.map(String.init) }
        return Set(words.filter { !$0.hasPrefix("v3") }).sorted()
    }

    private static func matches(_ endpoint: Endpoint, _ segments: [String]) -> Bool {
        let template = endpoint.segments
        return template.count == segments.count
            && zip(template, segments).allSatisfy { isPlaceholder($0) || $0 == $1 }
    }

    private static func placeholders(in endpoint: Endpoint) -> Int {
        endpoint.segments.count(where: isPlaceholder)
    }

    static func isPlaceholder(_ segment: Substring) -> Bool {
        segment.first == "{"
    }
}
