import CloverAPI
import CloverExport
import CloverRecords

/// One resource of a run, decided: what is asked of the service, and how the windows lie.
struct ResourcePlan: Sendable {
    let path: ResourcePath
    let tracking: ChangeTracking
    let expand: [String]
    let parts: [ExportPart]
    /// Nil for a run over the records; otherwise only their parts are written, of what changed since then.
    private(set) var partsOnly: PartsOnly?

    /// What is missing of parts that were not exported from the beginning on.
    struct PartsOnly: Sendable, Equatable {
        /// Where they begin; nil for the beginning of all.
        var from: Int64?
        /// The end of the run before, which is where the next one with the records begins.
        var to: Int64
    }

    /// The same without the records, for some of the parts.
    func only(_ names: [String], from: Int64?, to: Int64) -> ResourcePlan {
        ResourcePlan(
            path: path, tracking: tracking, expand: expand, parts: parts.filter { names.contains($0.name) },
            partsOnly: PartsOnly(from: from, to: to))
    }

    private init(
        path: ResourcePath, tracking: ChangeTracking, expand: [String], parts: [ExportPart], partsOnly: PartsOnly
    ) {
        self.path = path
        self.tracking = tracking
        self.expand = expand
        self.parts = parts
        self.partsOnly = partsOnly
    }

    init(_ text: String, _ request: ExportRequest, merchantID: String) throws {
        path = try Self.path(text, merchantID: merchantID)
        if let name = path.placeholders.first { throw QueryError.unfilledName(name, path: path.display) }
        guard path.endpoint?.shape != .csv else { throw ExportError.notRecords(path: path.display) }
        try ServiceExport.check(path.display, request)
        tracking = ChangeTracking(path.endpoint)
        // Others may be those of another resource of the run.
        let (path, tracking) = (path, tracking)
        parts = request.parts.compactMap { ExportPart($0, of: path, expand: request.expand, tracking: tracking) }
        expand = request.expand + parts.compactMap(\.member).filter { !request.expand.contains($0) }
        var query = RecordQuery()
        query.expand = expand
        try QueryCheck.check(query, of: path)
    }

    private static func path(_ text: String, merchantID: String) throws -> ResourcePath {
        do throws(QueryError) {
            return try ResourcePath(parsing: text, identifier: nil, merchantID: merchantID, isChecked: true)
        } catch {
            guard case .unknownPath(let shown, let suggestions, _) = error else { throw error }
            throw ExportError.unknownResource(shown, suggestions: suggestions)
        }
    }

    /// As files and messages name it.
    var name: String { path.display }

    var pages: PagePlan? {
        guard let endpoint = path.endpoint, endpoint.shape == .list else { return nil }
        var plan = PagePlan(offset: 0, limit: nil, pageSize: endpoint.maximumPage)
        plan.isWalkedByTime = true
        return plan
    }

    /// The query of one window, in the order of time wherever the service sorts, so that a record that is changed
    /// meanwhile moves behind the end and nothing else moves.
    func query(_ window: PlannedWindow) throws(QueryError) -> RecordQuery {
        var query = RecordQuery()
        query.expand = expand
        guard let field = window.field, let from = window.from else { return query }
        query.filters = [
            FilterExpression(field: field, condition: ">=\(from)"),
            FilterExpression(field: field, condition: "<\(window.to)"),
        ]
        guard let endpoint = path.endpoint else { return query }
        // A list with a 90-day rule is read in windows of the time of making, whatever else it is filtered by.
        let order = HistoryLimit.rule(of: path, for: query)?.timeField ?? field
        // Records of the same time in the order of their ids, so that the same window is the same file.
        for name in [order, "id"] {
            guard endpoint.sortable.contains(name) || endpoint.filterable.contains(name) else { break }
            query.sort.append(try SortKey(parsing: name))
        }
        return query
    }

    /// How much later than the window's end its records may have been made, where the service is asked for windows of the
    /// time of making too: clocks and roundings differ by less than a day.
    func allowance(_ window: PlannedWindow, _ query: RecordQuery) -> Int64 {
        guard let field = window.field, let other = HistoryLimit.rule(of: path, for: query)?.timeField else { return 0 }
        return field == other ? 0 : 86_400_000
    }

    /// The time by which the whole history is divided into windows; nil for a resource that is taken whole.
    var historyField: String? {
        guard let field = tracking.field else { return nil }
        var query = RecordQuery()
        query.filters = [FilterExpression(field: field, condition: ">=0")]
        // By the time of change each window would be asked for in all windows of the time of making.
        guard let rule = HistoryLimit.rule(of: path, for: query) else { return field }
        return rule.timeField ?? field
    }

    /// The time by which records belong to a day; nil when none says it.
    var dayField: String? {
        guard let endpoint = path.endpoint, endpoint.shape == .list else { return nil }
        if let field = endpoint.timeField, endpoint.filterable.contains(field) { return field }
        return tracking.field
    }
}
