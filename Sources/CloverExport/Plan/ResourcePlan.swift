package import CloverAPI
package import CloverJSON

/// One resource of a run with defaults resolved: what to request, and which time field divides its windows.
package struct ResourcePlan: Sendable {
    package let path: ResourcePath
    package let tracking: ChangeTracking
    package let expand: [String]
    package private(set) var parts: [ExportPart]
    /// Nil for a run over the records; otherwise only their parts are written, for this range.
    package private(set) var partsOnly: PartsOnly?

    /// The range that is missing of parts that were not exported from the beginning, in milliseconds since 1970.
    package struct PartsOnly: Sendable, Equatable {
        /// Start of the range; nil for the beginning of the history.
        var from: Int64?
        /// End of the last run, where the next run over the records begins.
        var to: Int64
    }

    /// A copy that exports only the named parts, without the records.
    package func only(_ names: [String], from: Int64?, to: Int64) -> ResourcePlan {
        var plan = self
        plan.parts.removeAll { !names.contains($0.name) }
        plan.partsOnly = PartsOnly(from: from, to: to)
        return plan
    }

    /// - Parameters:
    ///   - text: the resource as typed.
    ///   - parts: names of its parts; those of other resources are ignored.
    package init(
        _ text: String, expand: [String], parts names: [String], by way: ExportRange.Way, merchantID: String
    ) throws {
        do throws(QueryError) {
            path = try ResourcePath(parsing: text, identifier: nil, merchantID: merchantID, isChecked: true)
        } catch {
            guard case .unknownPath(let shown, let suggestions, _) = error else { throw error }
            throw ExportError.unknownResource(shown, suggestions: suggestions)
        }
        if let name = path.placeholders.first { throw QueryError.unfilledName(name, path: path.display) }
        guard path.endpoint?.shape != .csv else { throw ExportError.notRecords(path: path.display) }
        guard way == .lists || ExportAPIResource(rawValue: path.display) != nil else {
            throw ExportAPIError.notExported(resource: path.display)
        }
        tracking = ChangeTracking(path.endpoint)
        // A part that this resource does not have may belong to another resource of the run.
        let (path, tracking) = (path, tracking)
        parts = names.compactMap { ExportPart($0, of: path, expand: expand, tracking: tracking) }
        self.expand = expand + parts.compactMap(\.member).filter { !expand.contains($0) }
        var query = RecordQuery()
        query.expand = self.expand
        try QueryValidator.check(query, of: path)
    }

    /// The name in files and messages.
    package var name: String { path.display }

    /// The name of a part in files and messages.
    package func name(of part: ExportPart) -> String { "\(name).\(part.name)" }

    /// The query of one window, sorted by time where the service can sort, so that a record that is changed meanwhile
    /// moves past the end and no other record moves.
    package func query(_ window: PlannedWindow) throws(QueryError) -> RecordQuery {
        var query = RecordQuery()
        query.expand = expand
        guard let field = window.field, let from = window.from else { return query }
        query.filters = [
            FilterExpression(field: field, condition: ">=\(from)"),
            FilterExpression(field: field, condition: "<\(window.to)"),
        ]
        guard let endpoint = path.endpoint else { return query }
        // A list with a 90-day rule is read by creation time, whatever else it is filtered by.
        let order = HistoryLimit.rule(of: path, for: query)?.timeField ?? field
        // Sort records of the same time by id, so that the same window gives the same file.
        for name in [order, "id"] {
            guard endpoint.sortable.contains(name) || endpoint.filterable.contains(name) else { break }
            query.sort.append(try SortKey(parsing: name))
        }
        return query
    }

    /// Milliseconds after the window's end within which its records may have been created, for a window of modification
    /// times that is read by creation time: clocks and rounding differ by less than a day.
    func allowance(_ window: PlannedWindow, _ query: RecordQuery) -> Int64 {
        guard let field = window.field, let other = HistoryLimit.rule(of: path, for: query)?.timeField else { return 0 }
        return field == other ? 0 : 86_400_000
    }

    /// The time field that divides the whole history into windows; nil for a resource exported in full.
    package var historyField: String? {
        guard let field = tracking.field else { return nil }
        var query = RecordQuery()
        query.filters = [FilterExpression(field: field, condition: ">=0")]
        // By modification time, each window would be read in all windows of creation time.
        guard let rule = HistoryLimit.rule(of: path, for: query) else { return field }
        return rule.timeField ?? field
    }

    /// The time field by which records belong to a business day; nil when there is none.
    package var dayField: String? {
        guard let endpoint = path.endpoint, endpoint.shape == .list else { return nil }
        if let field = endpoint.timeField, endpoint.filterable.contains(field) { return field }
        return tracking.field
    }
}

extension ResourcePlan {
    /// Whether changes are read in windows of creation time, from the list's oldest record on.
    package var isReadFromBeginning: Bool { historyField != tracking.field }

    /// Finds the creation time of the list's oldest record.
    package func beginning(_ client: ServiceClient) async throws -> OldestRecord {
        try await ListHistoryProbe(client, path).beginning(by: historyField ?? tracking.field ?? ExportAPIPlan.field)
    }

    /// Reads the records of a window and passes them to `deliver`, page by page.
    ///
    /// - Parameters:
    ///   - start: start of the run, in milliseconds since 1970.
    ///   - beginning: creation time of the list's oldest record; nil for that of the merchant.
    ///   - largestPage: the largest number of records on a page of earlier windows; 0 for none.
    ///   - provesEnd: false to end with a page of few records, see ``PagePlan/provesEnd``.
    ///   - readsAhead: false to send no request in vain, see ``PagePlan/readsAhead``.
    ///   - onPage: receives the window's progress after each page.
    /// - Throws: also `ExportError.notAnObject` and `.wrongTime`, when the service returns other records than requested.
    /// - Returns: a summary, which says what is missing although the window was read to its end.
    package func read(
        _ window: PlannedWindow, from client: ServiceClient, start: Int64, beginning: Int64?,
        largestPage: inout Int, provesEnd: Bool = true, readsAhead: Bool = true,
        onPage: (ListProgress) -> Void = { _ in },
        deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> RecordPager.Summary {
        let query = try query(window)
        let pager = RecordPager(
            client: client, path: path, query: query, isChecked: true, now: window.to + allowance(window, query),
            beginning: beginning)
        var pages: PagePlan?
        var check: WindowValidator?
        if let endpoint = path.endpoint, endpoint.shape == .list {
            var plan = PagePlan(offset: 0, limit: nil, pageSize: endpoint.maximumPage)
            plan.isReadInTimeOrder = true
            plan.largestPage = largestPage
            plan.provesEnd = provesEnd
            plan.readsAhead = readsAhead
            pages = plan
            check = WindowValidator(window: window, resource: name, now: start)
        }
        let summary = try await pager.run(plan: pages, onPage: onPage) { batch in
            try check?.pass(batch)
            return try await deliver(batch)
        }
        largestPage = max(largestPage, summary.largestPage)
        return summary
    }
}

/// Checks that the records of a window are objects and fall into that window. A service that ignores the filter would
/// return the same records for every window.
struct WindowValidator {
    let window: PlannedWindow
    let resource: String
    /// Start of the run, in milliseconds since 1970. Records may have been changed after it, while they were read.
    let now: Int64
    /// Number of records so far.
    var count = 0

    /// Checks a batch.
    ///
    /// - Throws: `.notAnObject`, `.wrongTime`.
    mutating func pass(_ batch: RecordBatch) throws(ExportError) {
        for record in batch.records {
            count += 1
            guard batch.bytes[record.range.lowerBound] == UInt8(ascii: "{") else {
                throw .notAnObject(resource: resource, number: count, window)
            }
            guard let field = window.field, let from = window.from,
                let time = batch.value(of: field, in: record).flatMap({ Int64($0) })
            else { continue }
            let isLate = time >= window.to + TimeWindows.rounding && time < now - TimeWindows.rounding
            guard time >= from - TimeWindows.rounding, !isLate else {
                throw .wrongTime(resource: resource, id: batch.id(of: record), time: time, window)
            }
        }
    }
}
