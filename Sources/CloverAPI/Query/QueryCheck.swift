/// Checks the names in a query against the catalogue, because the service silently ignores unknown names.
package enum QueryCheck {
    /// Throws for the first name that the endpoint does not have. An endpoint whose names are not known is not checked.
    ///
    /// A reversed time range is refused as well, because its empty result would look like success.
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
            // Lists can also be sorted by the fields that they filter by; this is not documented for other shapes.
            let filterable = isList ? endpoint.filterable.filter { !endpoint.sortable.contains($0) } : []
            let known = endpoint.sortable + filterable
            try check(key.field, .sort, known: known, isKnownWhenEmpty: !isList, path)
        }
    }

    /// Refuses reversed time ranges. An empty range may be intended, for example by a script that runs twice in a
    /// minute.
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
