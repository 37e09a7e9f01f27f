extension EndpointCatalogue {
    /// The readable paths nearest to an unknown one, nearest first; relative to the merchant where possible.
    package static func suggestions(for segments: [String], count: Int = 3) -> [String] {
        nearest(to: segments, among: endpoints, count: count)
    }

    /// The nearest paths that take this method.
    package static func suggestions(
        for segments: [String], method: Endpoint.Method, count: Int = 3
    ) -> [String] {
        nearest(to: segments, among: operations.filter { $0.method == method && $0.api == .v3 }, count: count)
    }

    /// The aliases nearest to a hyphenated word.
    package static func aliasSuggestions(for word: String, count: Int = 3) -> [String] {
        guard word.contains("-") else { return [] }
        let scored = aliases.map { (distance: editDistance(word, $0), alias: $0) }
        return scored.filter { $0.distance <= max(2, word.count / 5) }
            .sorted { ($0.distance, $0.alias) < ($1.distance, $1.alias) }.prefix(count).map(\.alias)
    }

    /// The paths one segment below the longest known prefix of an unknown path, such as `orders/{orderId}/line_items`
    /// for `orders/X/lines`. Empty if only the merchant is known, because everything is below it.
    ///
    /// - Parameter method: includes only paths that take this method; nil for any.
    package static func continuations(of segments: [String], method: Endpoint.Method? = nil) -> [String] {
        let candidates = operations.filter { $0.api == .v3 && (method == nil || $0.method == method) }
        for length in (4..<max(5, segments.count)).reversed() {
            let beginning = segments.prefix(length)
            let below = candidates.filter { candidate in
                let template = candidate.segments
                return beginning.count == length && template.count == length + 1
                    && zip(template, beginning).allSatisfy { $0.first == "{" || $0 == $1 }
            }
            if !below.isEmpty { return Set(below.map(displayPath)).sorted() }
        }
        return []
    }

    private static func nearest(to segments: [String], among candidates: [Endpoint], count: Int) -> [String] {
        let scored = candidates.compactMap { endpoint -> (distance: Int, path: String)? in
            let template = endpoint.segments
            guard template.count == segments.count else { return nil }
            var distance = 0
            for (wanted, given) in zip(template, segments) where wanted.first != "{" {
                let step = editDistance(String(wanted), given)
                guard step <= max(2, wanted.count / 3), step < wanted.count else { return nil }
                distance += step
            }
            return (distance, displayPath(endpoint))
        }
        return scored.sorted { ($0.distance, $0.path) < ($1.distance, $1.path) }.prefix(count).map(\.path)
    }
}
