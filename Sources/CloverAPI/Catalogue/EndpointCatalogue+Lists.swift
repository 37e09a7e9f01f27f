extension EndpointCatalogue {
    /// The merchant's lists and single objects whose path is one word, sorted: what can be exported.
    package static var exportable: [String] {
        endpoints.filter { $0.method == .get && [.list, .object].contains($0.shape) }
            .map(displayPath).filter { !$0.contains("/") && !$0.contains("{") }.sorted()
    }

    /// The names of the lists below each record of a list, sorted: `shifts` for `employees`, because of
    /// `employees/{empId}/shifts`.
    package static func lists(ofEach path: ResourcePath) -> [String] {
        guard let parent = path.endpoint, parent.shape == .list else { return [] }
        return endpoints.compactMap { endpoint in
            let segments = endpoint.segments
            guard endpoint.shape == .list, segments.count == parent.segments.count + 2,
                segments.starts(with: parent.segments), segments[segments.count - 2].first == "{",
                let name = segments.last, name.first != "{"
            else { return nil }
            return String(name)
        }.sorted()
    }
}
