/// Which records of a list to request. No input or output.
package struct PagePlan: Sendable, Equatable {
    /// The zero-based index of the first record.
    package var offset: Int
    package var limit: Int?
    package var pageSize: Int
    /// The expected number of pages if the whole list is wanted. That many are requested at once, up to five: too many
    /// cost requests, too few cost time. 1 if unknown.
    package var expectedPages = 1
    /// The number of pages at the last complete run, for estimating the remaining time; nil if unknown.
    package var formerPages: Int?

    /// True if the whole list is wanted. If it is also sorted by a time and bounded in it, it is read by that time and
    /// not by offset.
    package var isReadInTimeOrder = false
    /// False if a page with few records may be taken for the last one, without the request that proves it. What follows it
    /// after all is then missing, and the summary does not say so. Counts only in time order.
    package var provesEnd = true
    /// False to request no page before it is known to be needed: slower, but no request is in vain.
    package var readsAhead = true
    /// The most records on any page of another range of this list; 0 if unknown.
    package var largestPage = 0

    /// If the service takes at least this long for a page, prefetch as many as possible. From a closer service, pages
    /// arrive as fast as they are read, and more would only wait in memory.
    package var slowResponseThreshold = Duration.milliseconds(50)

    package init(offset: Int, limit: Int?, pageSize: Int) {
        self.offset = offset
        self.limit = limit
        self.pageSize = pageSize
    }
}

/// The requests that a run would send, as far as known without sending any.
package struct RunPreview: Sendable, Equatable {
    /// The URL of the first request for records; not redacted.
    package var url: String
    /// The minimum number of requests, whatever the responses are.
    package var callsAtLeast = 1
    /// The maximum number of requests if every response is complete and no row moves; nil if it depends on the
    /// responses.
    package var callsAtMost: Int?
    /// Each further request returns this many more records; nil if the resource is not paged.
    package var recordsPerCall: Int?
    /// The number of time windows; nil if the list is not split or the number is not known yet.
    package var windows: Int?
    /// True if the service is asked how far back the list goes.
    package var asksForBeginning = false
    /// True if truncated nested lists are completed with further requests.
    package var mayCompleteLists = false
    /// The fields that the tool filters by, because the service does not; in the order of the filters.
    package var localFields: [String] = []
    /// Whether the order of the list may show that no later record matches.
    package var mayEndEarly = false
}

extension RecordPager {
    /// The requests that `run` would send.
    ///
    /// - Parameter plan: as for `run`.
    package func preview(plan: PagePlan?) throws(QueryError) -> RunPreview {
        try client.checkService(of: path)
        guard let plan else {
            var preview = RunPreview(url: source.url(of: nil, in: nil, at: 0))
            preview.callsAtMost = query.expand.isEmpty ? 1 : nil
            preview.mayCompleteLists = !query.expand.isEmpty
            return preview
        }
        if path.isPagedByCursor {
            var preview = RunPreview(url: source.url(limit: CursorPaginator(plan).limit, after: nil))
            // Each page may begin with the last record of the one before.
            preview.recordsPerCall = max(1, plan.pageSize - 1)
            return preview
        }
        let windows = try TimeWindows(query, of: path, now: now)
        // As in `PageFetchLoop`: across windows the offset is counted locally.
        let filtersHere = !query.localFilters.isEmpty
        let skipsHere = filtersHere || (windows.map { $0.count != 1 } ?? false)
        let wanted = plan.limit.map { $0 + (skipsHere ? plan.offset : 0) }
        let walk = OffsetPaginator(
            offset: skipsHere ? 0 : plan.offset, wanted: filtersHere ? nil : wanted, pageSize: plan.pageSize)
        let isPlaceKnown = windows?.isKnown(0) ?? true
        var preview = RunPreview(url: source.url(of: walk.page, in: isPlaceKnown ? windows : nil, at: 0))
        // Each page begins with the last record of the one before.
        preview.recordsPerCall = max(1, plan.pageSize - 1)
        preview.windows = windows?.count
        preview.mayCompleteLists = !query.expand.isEmpty
        preview.asksForBeginning =
            windows.map { $0.from == nil && (plan.limit == nil || $0.isAscending) && path.segments.count > 2 } ?? false
        preview.callsAtLeast = (plan.limit == nil ? windows?.count ?? 1 : 1) + (preview.asksForBeginning ? 1 : 0)
        for filter in query.localFilters where !preview.localFields.contains(filter.field) {
            preview.localFields.append(filter.field)
        }
        preview.mayEndEarly = windows == nil && EarlyEnd(query, of: path) != nil
        if let wanted, !filtersHere, query.expand.isEmpty, windows == nil || windows?.count != nil {
            let rest = max(0, wanted - plan.pageSize)
            let pages = 1 + (rest + plan.pageSize - 2) / max(1, plan.pageSize - 1)
            // In each window, a short page needs a check that the list has ended.
            let proofs = 2 * (windows?.count ?? 1) - 1
            preview.callsAtMost = pages + proofs
        }
        return preview
    }

    /// The requests that `answer` would send.
    package func previewOfAnswer(limit: Int?, offset: Int?) -> RunPreview {
        let source = rawSource(limit: limit, offset: offset)
        var preview = RunPreview(url: source.url(of: nil, in: nil, at: 0))
        preview.callsAtMost = 1
        return preview
    }

    private var source: PageRequester {
        PageRequester(client: client, path: path, query: query, isChecked: isChecked, isEager: false)
    }
}
