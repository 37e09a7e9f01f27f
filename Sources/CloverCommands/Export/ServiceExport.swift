import CloverAPI
import CloverAuth
import CloverCore
import CloverExport
import CloverJSON
import CloverOutput

/// Reads a window's records from Clover's own exports (`--via export-api`).
enum ServiceExport {
    /// Reads the records of a window and passes them to `deliver`.
    static func read(
        _ export: WindowExport, from store: ExportStore, _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws {
        let (merchant, plan, window) = (export.merchant, export.plan, export.window)
        guard let kind = ExportAPIResource(rawValue: export.resource.name), let from = window.from else {
            throw ExportAPIError.notExported(resource: export.resource.name)
        }
        let place = plan.windows.firstIndex { $0 == window } ?? 0
        let environment = export.environment
        let run = ExportAPIRun(
            client: merchant.client, merchantID: merchant.merchantID, resource: kind,
            now: { environment.clock.wall() }, sleep: environment.sleep
        ) { [pause = merchant.pause] in report($0, pause, in: environment) }
        let summary = try await run.read(
            from: from, to: window.to, resuming: try await store.serviceExports(place, of: plan.place),
            keep: { try await store.keep($0, place, of: plan.place) }, deliver: deliver)
        environment.diagnostics.detail(
            "\(summary.records) records in \(summary.files) files, \(summary.bytes) bytes")
    }

    private static func report(_ event: ExportAPIEvent, _ pause: RateLimitPause, in environment: CommandEnvironment) {
        func waits(_ seconds: Double, _ reason: String) {
            pause.waits(seconds, reason, at: environment.clock.boot())
            environment.diagnostics.notice("\(reason); trying again in \(Int(seconds.rounded())) s")
        }
        switch event {
        case .waitingForHours(let opening, let seconds):
            waits(seconds, "Clover accepts export requests from \(InstantText.utc(milliseconds: opening))")
        case .waitingForService(let seconds): waits(seconds, "Clover is busy or cannot be reached")
        case .webPage(let isFile):
            environment.diagnostics.notice(
                "a web page came in place of \(isFile ? "a file of an export" : "the list"); trying again")
        case .again(let from, let to, let reason):
            let why =
                switch reason {
                case .unknownToService: "Clover no longer knows it"
                case .ended(let status): "Clover reports \(status)"
                case .filesGone: "its files cannot be read"
                case .fewer(let records): "the list has more than its \(records) records"
                }
            environment.diagnostics.notice("requesting the export of \(span(from, to)) again: \(why)")
        case .submitted(let from, let to): environment.diagnostics.detail("requested an export of \(span(from, to))")
        case .resumed(let from, let to):
            environment.diagnostics.detail("resuming the export of \(span(from, to)), requested earlier")
        case .progress(let from, let to, let percent):
            environment.diagnostics.detail(
                "the export of \(span(from, to)): \(percent.map { "\($0) %" } ?? "in progress")")
        case .downloaded(let file, let count, let records, let bytes):
            environment.diagnostics.detail("file \(file) of \(count): \(records) records, \(bytes) bytes")
        }
    }

    private static func span(_ from: Int64, _ to: Int64) -> String {
        Shortfall.text(TimeWindow(from: from, to: to))
    }
}
