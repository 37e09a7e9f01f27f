import CloverAPI
import CloverExport
import CloverHTTP
import CloverRecords

extension ResourcePlan {
    /// Whether what changed is asked for in windows of the time of making, from the list's beginning on.
    var isReadFromBeginning: Bool { historyField != tracking.field }

    /// Where the list begins. It is told how far back that was looked for, where it had to be.
    func beginning(of merchant: ExportMerchant, _ diagnostics: Diagnostics) async throws -> Int64 {
        let field = historyField ?? tracking.field ?? ServiceExport.field
        let beginning = try await ListAge(merchant.client, path).beginning(by: field)
        if let end = beginning.lookedBackTo {
            diagnostics.detail(
                "\(name): the history begins at \(InstantText.utc(milliseconds: beginning.instant)); nothing was looked for "
                    + "before \(InstantText.utc(milliseconds: end))")
        }
        return beginning.instant
    }

    /// Gives the records of a window to `deliver`, page by page.
    ///
    /// - Parameters:
    ///   - start: of the run, in milliseconds since 1970.
    ///   - beginning: of the list; nil for that of the merchant.
    ///   - memory: of the windows before.
    ///   - onPage: gets how far the window is, after each page.
    /// - Throws: `ExportError.notAnObject` and `.otherTime` too, of a service that gives something else than was asked for.
    /// - Returns: what is missing although the window was read to its end; nil for nothing.
    func read(
        _ window: PlannedWindow, from client: ServiceClient, start: Int64, beginning: Int64?,
        memory: PageMemory = PageMemory(),
        onPage: (ListProgress) -> Void = { _ in },
        deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> CoreError? {
        let query = try query(window)
        let pager = RecordPager(
            client: client, path: path, query: query, isChecked: true, now: window.to + allowance(window, query),
            beginning: beginning)
        var plan = pages
        plan?.largestPage = memory.largestPage
        var check = path.endpoint?.shape == .list ? WindowCheck(window, of: name, now: start) : nil
        let summary = try await pager.run(plan: plan, onPage: onPage) { batch in
            try check?.pass(batch)
            return try await deliver(batch)
        }
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
