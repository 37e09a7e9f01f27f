import CloverAPI
import CloverExport
import CloverHTTP
import CloverRecords

extension ResourcePlan {
    /// Gives the records of a window to `deliver`, page by page.
    ///
    /// - Returns: what is missing although the window was read to its end; nil for nothing.
    func read(
        _ window: PlannedWindow, from client: ServiceClient, deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> CoreError? {
        let query = try query(window)
        let pager = RecordPager(
            client: client, path: path, query: query, isChecked: true, now: window.to + allowance(window, query))
        let summary = try await pager.run(plan: pages, deliver: deliver)
        return problem(summary, query, now: window.to)
    }

    private func problem(_ summary: RecordPager.Summary, _ query: RecordQuery, now: Int64) -> CoreError? {
        if !summary.isWhole {
            let field = HistoryLimit.rule(of: path, for: query)?.timeField
            return .incomplete(Shortfall(path: name, timeField: field, summary: summary))
        }
        if pages != nil, summary.windowCount == nil, HistoryLimit.mayCut(query, of: path, now: now) {
            return .historyLimited(path: name, days: HistoryLimit.days, records: summary.records)
        }
        return nil
    }
}
