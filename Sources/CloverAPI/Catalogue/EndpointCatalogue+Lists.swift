extension EndpointCatalogue {
    /// The lists and single objects of a merchant by their one word, sorted: what can be exported.
    package static var exportable: [String] {
        endpoints.filter { $0.method == .get && [.list, .object].contains($0.shape) }
            .map(displayPath).filter { !$0.contains("/") && !$0.contains("{") }.sorted()
    }

    /// The last words of the paths of lists that each record of a list has: `shifts` for `employees`, because there is
    /// `employees/{empId}/shifts`. Sorted.
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
