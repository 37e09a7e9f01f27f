/// Compares the names of a query with what the catalogue knows of the endpoint, because the service ignores unknown
/// names in silence.
package enum QueryCheck {
    /// Throws the first name that the endpoint does not know. An endpoint whose names are not known is not checked.
    ///
    /// Times in the wrong order are refused, too: nothing at all would look as if all were well.
    package static func check(_ query: RecordQuery, of path: ResourcePath) throws(QueryError) {
        try checkTimes(query)
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

    /// A time that ends where it begins is empty and may be meant so, as a script's that runs twice in a minute.
    private static func checkTimes(_ query: RecordQuery) throws(QueryError) {
        for field in query.filters.map(\.field) where FilterExpression.isTimeField(field) {
            let bounds = TimeBounds(of: field, in: query.filters)
            guard let from = bounds.from, let to = bounds.to, from > to else { continue }
            throw .timesExchanged(field, from: from, to: to)
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
