package import CloverCalendar
import CloverHTTP

/// An error in what the user requested, found before anything is sent.
package enum QueryError: Error, Equatable, Sendable {
    case unknownEnvironment(String)
    case malformedAddress(String)
    /// Plain HTTP to another computer.
    case insecureAddress(String)
    /// No such path in the catalogue; `suggestions` are the nearest paths that take the method.
    case unknownPath(String, suggestions: [String], method: Endpoint.Method)
    case malformedPath(String, reason: PathFault)
    /// The path exists, but takes only other methods.
    case methodNotTaken(Endpoint.Method, path: String, takes: [Endpoint.Method])
    /// The catalogue has the path, but not with this method; only the catalogue was queried.
    case noSuchOperation(Endpoint.Method, path: String, takes: [Endpoint.Method])
    /// The path belongs to another Clover service, with its own host.
    case otherService(Endpoint.API, path: String)
    /// A path of the ecommerce API, in a region that has none.
    case noEcommerce(environment: String, path: String)
    /// The operation requires a header field that was not given; `meaning` says what it holds.
    case headerMissing(String, meaning: String, path: String)
    /// A path with a name in braces, and no value for it.
    case unfilledName(String, path: String)
    /// An alias of the iOS SDK (`merchant-order-line-items`) with the wrong number of ids for its path.
    case aliasIdentifiers(String, path: String, given: Int)
    /// No such family, path or alias; only the catalogue was queried.
    case unknownEndpoint(String, suggestions: [String])
    /// No such model, enum or path; `suggestions` are the nearest models.
    case unknownModel(String, suggestions: [String])
    /// A model that operations name, but whose fields are not documented. `path` is readable and returns it; nil if
    /// only the model was named.
    case fieldsUnknown(String, path: String?)
    /// A path whose response is not documented, or is not a record.
    case responseUndocumented(path: String)
    /// A name that the endpoint does not have, and that the service would silently ignore. `suggestions` are the
    /// nearest names, or every known name if none is near; empty where the names are not documented.
    case unknownName(String, role: NameRole, path: String, suggestions: [String])
    /// The endpoint takes no names of this kind.
    case notTaken(NameRole, path: String)
    case malformedFilter(String, reason: FilterFault)
    /// A list of the ecommerce API does not compare the field in this way; `isTime` is true for a time, which has an order.
    case conditionNotTaken(FilterExpression, path: String, isTime: Bool)
    case malformedTime(String, filter: String)
    /// A filter excludes days, or names days between which there are others: no range of time has exactly these.
    case daysNotOneRange(String)
    /// A filter whose value cannot be one of its field.
    case wrongValue(String, filter: FilterExpression, FilterValue.Kind)
    case malformedSort(String)
    /// The text of `--period` is no period.
    case period(PeriodError)
    /// The records of a path have no time of creation by which days could be selected.
    case noPeriods(path: String)
    case malformedParameter(String)
    /// A parameter that has a separate option.
    case reservedParameter(String, option: String)
    /// The endpoint returns text, and the option applies only to records.
    case notRecords(path: String, option: String)
    /// A list with a 90-day rule is read window by window, so that it can only be sorted by time.
    case sortAcrossWindows(String, path: String, timeField: String)
    /// Filters that no time can match, such as a reversed range: `from` is later than `to`, both in milliseconds since
    /// 1970.
    case reversedTimeRange(String, from: Int64, to: Int64)
    /// A paging option on an endpoint that returns one object.
    case notAList(path: String, option: String)

    package enum NameRole: String, Sendable {
        case expand, filter, sort
    }

    package enum PathFault: Sendable {
        case empty, wholeURL, query, dotSegment, emptySegment, controlCharacter, identifierTwice
    }

    package enum FilterFault: Sendable {
        case noOperator, noField, noValue, emptyList, listSyntax, quoteInList
    }
}

/// Checks the names in a query against the catalogue, because the service silently ignores unknown names.
package enum QueryValidator {
    /// Throws for the first name that the endpoint does not have. An endpoint whose names are not known is not checked.
    ///
    /// A reversed time range is refused as well, because its empty result would look like success.
    package static func check(_ query: RecordQuery, of path: ResourcePath) throws(QueryError) {
        if let first = try unlistedFilters(in: query, of: path).first { throw first.refusal }
    }

    /// A filter that the catalogue does not have for a list. Clover may have it nevertheless, and says so with each page.
    package struct UnlistedFilter: Sendable, Equatable {
        package let name: String
        /// The error if Clover does not have it either.
        package let refusal: QueryError
    }

    /// The same check, which returns the filters that the catalogue lacks where Clover can be asked about them.
    package static func unlistedFilters(
        in query: RecordQuery, of path: ResourcePath
    ) throws(QueryError) -> [UnlistedFilter] {
        var unlisted: [UnlistedFilter] = []
        try checkTimes(query)
        guard let endpoint = path.endpoint else { return [] }
        // The models are read only where there is something to check.
        let model = query.filters.isEmpty ? nil : endpoint.model.flatMap { ModelCatalogue.model(named: $0) }
        for name in query.expand {
            try check(name, .expand, known: endpoint.expandable, isKnownWhenEmpty: endpoint.model != nil, path)
        }
        if endpoint.isPagedByCursor { try checkConditions(query.filters, path) }
        let isList = endpoint.shape == .list
        for filter in query.filters {
            if endpoint.isFilterListComplete, !endpoint.filterable.isEmpty || !isList {
                do throws(QueryError) {
                    try check(filter.field, .filter, known: endpoint.filterable, isKnownWhenEmpty: true, path)
                } catch {
                    guard isList, [.v3, .ecommerce].contains(endpoint.api) else { throw error }
                    unlisted.append(UnlistedFilter(name: filter.field, refusal: error))
                }
            } else if let model, !endpoint.filterable.contains(filter.field) {
                // What the list filters by is not fully documented.
                let refusal = QueryError.unknownName(
                    filter.field, role: .filter, path: path.display,
                    suggestions: NearestNames.of(filter.field, among: endpoint.filterable))
                guard isList, [.v3, .ecommerce].contains(endpoint.api) else {
                    guard model.field(named: filter.field.prefix { $0 != "." }) != nil else { throw refusal }
                    continue
                }
                unlisted.append(UnlistedFilter(name: filter.field, refusal: refusal))
            }
        }
        if let model {
            // A value of a name that may be refused is checked by `unlistedValues`, after the name.
            for filter in query.filters where !unlisted.contains(where: { $0.name == filter.field }) {
                _ = try FilterValue.check(filter, of: model)
            }
        }
        for key in query.sort {
            // Lists can also be sorted by the fields that they filter by; this is not documented for other shapes, nor for the
            // lists of the other APIs, which take no order.
            let isOrdered = isList && endpoint.api == .v3
            let filterable = isOrdered ? endpoint.filterable.filter { !endpoint.sortable.contains($0) } : []
            let known = endpoint.sortable + filterable
            try check(key.field, .sort, known: known, isKnownWhenEmpty: !isOrdered, path)
        }
        return unlisted
    }

    /// The values of filters that are among no known cases of their fields, of names that Clover is known to have.
    package static func unlistedValues(
        in query: RecordQuery, of path: ResourcePath
    ) throws(QueryError) -> [FilterValue.Unlisted] {
        guard let model = path.endpoint?.model.flatMap({ ModelCatalogue.model(named: $0) }) else { return [] }
        var unlisted: [FilterValue.Unlisted] = []
        for filter in query.filters { unlisted += try FilterValue.check(filter, of: model) }
        return unlisted
    }

    /// A list of the ecommerce API takes each filter as a parameter, whose name says how a time is compared (Clover: get
    /// charges).
    private static func checkConditions(
        _ filters: [FilterExpression], _ path: ResourcePath
    ) throws(QueryError) {
        for filter in filters where filter.parameter == nil {
            throw .conditionNotTaken(filter, path: path.display, isTime: FilterExpression.isTimeField(filter.field))
        }
    }

    /// Refuses reversed time ranges. An empty range may be intended, for example by a script that runs twice in a
    /// minute.
    private static func checkTimes(_ query: RecordQuery) throws(QueryError) {
        let filters = query.filters + query.localFilters
        for field in filters.map(\.field) where FilterExpression.isTimeField(field) {
            let bounds = TimeBounds(of: field, in: filters)
            guard let from = bounds.from, let to = bounds.to, from > to else { continue }
            throw .reversedTimeRange(field, from: from, to: to)
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
