/// Compares the names of a query with what the catalogue knows of the endpoint, because the service ignores unknown
/// names in silence.
package enum QueryCheck {
    /// Throws the first name that the endpoint does not know. An endpoint whose names are not known is not checked.
    package static func check(_ query: RecordQuery, of path: ResourcePath) throws(QueryError) {
        guard let endpoint = path.endpoint else { return }
        for name in query.expand {
            try check(name, .expand, known: endpoint.expandable, isKnownWhenEmpty: endpoint.model != nil, path)
        }
        let isList = endpoint.shape == .list
        for filter in query.filters where endpoint.isFilterListComplete {
            try check(filter.field, .filter, known: endpoint.filterable, isKnownWhenEmpty: !isList, path)
        }
        for key in query.sort {
            // Lists are sorted by what they are filtered by, too; nothing says so of text.
            let filterable = isList ? endpoint.filterable.filter { !endpoint.sortable.contains($0) } : []
            let known = endpoint.sortable + filterable
            try check(key.field, .sort, known: known, isKnownWhenEmpty: !isList, path)
        }
    }

    private static func check(
        _ name: String, _ role: QueryError.NameRole, known: [String], isKnownWhenEmpty: Bool, _ path: ResourcePath
    ) throws(QueryError) {
        guard !known.isEmpty else {
            if isKnownWhenEmpty { throw .notTaken(role, path: path.display) }
            return
        }
        guard !known.contains(name) else { return }
        let near = NearestNames.of(name, among: known)
        throw .unknownName(name, role: role, path: path.display, suggestions: near.isEmpty ? known.sorted() : near)
    }
}
