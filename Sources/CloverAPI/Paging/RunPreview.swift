/// What a run would ask for, as far as that can be told without asking.
package struct RunPreview: Sendable, Equatable {
    /// The address of the first request for records; not redacted.
    package var url: String
    /// So many requests are sent whatever the answers are.
    package var callsAtLeast = 1
    /// No more than these are sent when every answer is whole and no row moves; nil where the answers decide.
    package var callsAtMost: Int?
    /// For so many records more, one more request; nil for what is not read in pages.
    package var recordsPerCall: Int?
    /// Windows of time into which the list is split; nil when it is not, or when their number has to be asked for.
    package var windows: Int?
    /// The service is asked how far back the list can reach.
    package var asksForBeginning = false
    /// Nested lists that arrive cut are completed with further requests.
    package var mayCompleteLists = false

    init(url: String) {
        self.url = url
    }
}

extension RecordPager {
    /// What `run` would ask for.
    ///
    /// - Parameter plan: as for `run`.
    package func preview(plan: PagePlan?) throws(QueryError) -> RunPreview {
        guard let plan else {
            var preview = RunPreview(url: source.url(of: nil, in: nil, at: 0))
            preview.callsAtMost = query.expand.isEmpty ? 1 : nil
            preview.mayCompleteLists = !query.expand.isEmpty
            return preview
        }
        let windows = try TimeWindows(query, of: path, now: now)
        // As `ListRun` has it: across windows the offset is counted by us.
        let skipsHere = windows.map { $0.count != 1 } ?? false
        let wanted = plan.limit.map { $0 + (skipsHere ? plan.offset : 0) }
        let walk = ListWalk(
            offset: skipsHere ? 0 : plan.offset, wanted: wanted, pageSize: plan.pageSize)
        let isPlaceKnown = windows?.isKnown(0) ?? true
        var preview = RunPreview(url: source.url(of: walk.page, in: isPlaceKnown ? windows : nil, at: 0))
        // Each page begins with the last record of the one before.
        preview.recordsPerCall = max(1, plan.pageSize - 1)
        preview.windows = windows?.count
        preview.mayCompleteLists = !query.expand.isEmpty
        preview.asksForBeginning =
            windows.map { $0.from == nil && (plan.limit == nil || $0.isAscending) && path.segments.count > 2 } ?? false
        preview.callsAtLeast = (plan.limit == nil ? windows?.count ?? 1 : 1) + (preview.asksForBeginning ? 1 : 0)
        if let wanted, query.expand.isEmpty, windows == nil || windows?.count != nil {
            let rest = max(0, wanted - plan.pageSize)
            let pages = 1 + (rest + plan.pageSize - 2) / max(1, plan.pageSize - 1)
            // What is shorter than asked is proved to be the end, window by window.
            let proofs = 2 * (windows?.count ?? 1) - 1
            preview.callsAtMost = pages + proofs
        }
        return preview
    }

    /// What `answer` would ask for.
    package func previewOfAnswer(limit: Int?, offset: Int?) -> RunPreview {
        let source = rawSource(limit: limit, offset: offset)
        var preview = RunPreview(url: source.url(of: nil, in: nil, at: 0))
        preview.callsAtMost = 1
        return preview
    }

    private var source: PageSource {
        PageSource(client: client, path: path, query: query, isChecked: isChecked, isEager: false)
    }
}
