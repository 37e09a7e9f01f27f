import CloverAPI
import CloverAuth
import CloverExport
import CloverJSON
import CloverOutput

/// Reads a window's records from Clover's own exports (`--via export-api`).
///
/// These select records by creation time, not by modification time. So they serve the history: the first run, `--full`,
/// `--since` and `--day`. Changes since the last run are read from the lists.
struct ServiceExport {
    /// Prefix of the plan's key.
    static let mark = "export-api;"
    /// Time field that divides the windows.
    static let field = "createdTime"

    private let resource: ResourcePlan
    private let merchant: ExportMerchant
    private let store: ExportStore
    private let environment: CommandEnvironment

    init(
        _ resource: ResourcePlan, _ merchant: ExportMerchant, _ store: ExportStore, in environment: CommandEnvironment
    ) {
        self.resource = resource
        self.merchant = merchant
        self.store = store
        self.environment = environment
    }

    static func isMeant(_ request: ExportRequest, _ stream: ExportStream) -> Bool {
        request.way == .exportAPI && (request.range != .last || stream.bookmark == nil)
    }

    static func isMeant(_ plan: ExportPlan) -> Bool { plan.request.hasPrefix(mark) }

    /// Whether the plan omits records that were created before its range and changed within it.
    static func isPart(_ plan: ExportPlan) -> Bool { plan.request.hasPrefix(mark + "since=") }

    /// - Throws: `ExportAPIError.notExported`.
    static func check(_ resource: String, _ request: ExportRequest) throws(ExportAPIError) {
        guard request.way == .exportAPI, ExportAPIResource(rawValue: resource) == nil else { return }
        throw .notExported(resource: resource)
    }

    /// Reads the records of a window and passes them to `deliver`.
    func read(
        _ window: PlannedWindow, of plan: ExportPlan, _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws {
        guard let kind = ExportAPIResource(rawValue: resource.name), let from = window.from else {
            throw ExportAPIError.notExported(resource: resource.name)
        }
        let place = plan.windows.firstIndex { $0.window == window } ?? 0
        let environment = environment
        let run = ExportAPIRun(
            client: merchant.client, merchantID: merchant.merchantID, resource: kind,
            now: { environment.clock.wall() }, sleep: environment.sleep
        ) { [pause = merchant.pause] in Self.report($0, pause, in: environment) }
        let summary = try await run.read(
            from: from, to: window.to, resuming: try await store.serviceExports(place, of: plan.place),
            keep: { try await store.keep($0, place, of: plan.place) }, deliver: deliver)
        environment.diagnostics.detail(
            "\(summary.records) records in \(summary.files) files, \(summary.bytes) bytes")
    }

    private static func report(_ event: ExportAPIEvent, _ pause: RateLimitPause, in environment: CommandEnvironment) {
        switch event {
        case .waitingForHours(let opening, let seconds):
            let reason = "Clover accepts export requests from \(InstantText.utc(milliseconds: opening))"
            pause.waits(seconds, reason, at: environment.clock.boot())
            environment.diagnostics.notice("\(reason); trying again in \(Int(seconds.rounded())) s")
        case .waitingForService(let seconds):
            let reason = "Clover accepts no more export requests at present"
            pause.waits(seconds, reason, at: environment.clock.boot())
            environment.diagnostics.notice("\(reason); trying again in \(Int(seconds.rounded())) s")
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
