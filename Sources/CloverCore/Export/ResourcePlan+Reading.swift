import CloverAPI
import CloverExport
import CloverHTTP
import CloverRecords

extension ResourcePlan {
    /// Gives the records of a window to `deliver`, page by page.
    ///
    /// - Parameters:
    ///   - memory: of the windows before.
    ///   - onPage: gets how far the window is, after each page.
    /// - Returns: what is missing although the window was read to its end; nil for nothing.
    func read(
        _ window: PlannedWindow, from client: ServiceClient, memory: PageMemory = PageMemory(),
        onPage: (ListProgress) -> Void = { _ in },
        deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> CoreError? {
        let query = try query(window)
        let pager = RecordPager(
            client: client, path: path, query: query, isChecked: true, now: window.to + allowance(window, query))
        var plan = pages
        plan?.largestPage = memory.largestPage
        let summary = try await pager.run(plan: plan, onPage: onPage, deliver: deliver)
        memory.note(summary.largestPage)
        return Self.problem(summary, of: path, query, now: window.to)
    }

    /// What is missing in what was read of a path to its end; nil for nothing.
    static func problem(
        _ summary: RecordPager.Summary, of path: ResourcePath, _ query: RecordQuery, now: Int64
    ) -> CoreError? {
        if !summary.isWhole {
            let field = HistoryLimit.rule(of: path, for: query)?.timeField
            return .incomplete(Shortfall(path: path.display, timeField: field, summary: summary))
        }
        if path.endpoint?.shape == .list, summary.windowCount == nil, HistoryLimit.mayCut(query, of: path, now: now) {
            return .historyLimited(path: path.display, days: HistoryLimit.days, records: summary.records)
        }
        return nil
    }
}
