import CloverAPI
import CloverAuth
import CloverHTTP
package import CloverRecords

/// What `clover get` would ask for. No request for records is sent; the merchant's time zone is asked for where a date
/// needs it.
package struct GetPreview: Sendable {
    private let request: GetRequest
    private let environment: CommandEnvironment

    package init(_ request: GetRequest, in environment: CommandEnvironment) {
        self.request = request
        self.environment = environment
    }

    /// The first request for records as a command.
    package func firstRequest() async throws -> CurlCommand {
        let (connection, plan, preview) = try await look()
        return try CurlCommand(
            ServiceRequest(.get, preview.url), to: plan.path.endpoint, showsSensitive: request.showsSensitive,
            certificateFile: connection.certificateFile, notes: Self.notes(preview), environment.diagnostics)
    }

    /// Prints the first request for records, as requests of writes are shown: JSON, and text on a terminal.
    package func show() async throws -> FilterReport {
        let (_, plan, preview) = try await look()
        // The format is that of records, and there are none.
        let printing = RecordPrinting(
            program: request.program, isJSON: request.isJSON, slurp: request.slurp, compilesFirst: true)
        let mask = RequestMask(
            plan.path.endpoint, showsSensitive: request.showsSensitive, environment.diagnostics)
        let output = try await PreviewOutput(printing, mask, in: environment)
        try await output.show(RequestPreview(request: ServiceRequest(.get, preview.url), line: nil))
        for note in Self.notes(preview) { environment.diagnostics.notice(note) }
        return try await output.finish()
    }

    private static func notes(_ preview: RunPreview) -> [String] {
        preview.callsAtMost == 1
            ? [] : ["this is the first request for records only; a whole run may send more (see --explain)"]
    }

    /// How many calls it takes, and how long at the present budget.
    package func explanation() async throws -> Explanation {
        var (connection, plan, preview) = try await look()
        let format = try GetRecords.format(request, plan, in: environment)
        let writesFacts = request.isComplete && (format.map { $0.needsTimeZone || $0.needsCurrency } ?? false)
        let hasAskedForZone = try GetPlan.asksForZone(request)
        let asksForFacts = writesFacts || hasAskedForZone
        if asksForFacts {
            preview.callsAtLeast += 1
            preview.callsAtMost? += 1
        }
        return Explanation(
            path: plan.path.display, preview: preview, asksForFacts: asksForFacts, hasAskedForZone: hasAskedForZone,
            isEverything: plan.pages.map { $0.limit == nil } ?? false,
            budget: try await connection.budget(request.effectivePacing, in: environment))
    }

    private func look() async throws -> (Connection, GetPlan, RunPreview) {
        let connection = try await GetPlan.connection(request, in: environment)
        let now = environment.clock.wall()
        let client = try connection.makeClient(retries: 0, in: environment)
        let plan = try await GetPlan.located(request, connection, client, now: now).plan
        let pager = RecordPager(
            client: client, path: plan.path, query: plan.query,
            isChecked: request.isChecked, now: now)
        guard request.isComplete else {
            return (connection, plan, pager.previewOfAnswer(limit: request.limit, offset: request.offset))
        }
        return (connection, plan, try pager.preview(plan: plan.pages))
    }
}
