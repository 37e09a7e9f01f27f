import CloverAPI
import CloverAuth
import CloverExport
import CloverRecords

/// A window whose records come from the service's own exports (`--via export-api`).
///
/// Those are of what was made in a time, and not of what changed in it. So they are used for the history: the first run,
/// `--full`, `--since` and `--day`. What has changed since the last run comes by the lists.
struct ServiceExport {
    /// What the plan's words for its range begin with.
    static let mark = "export-api;"
    /// The time by which windows are divided.
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

    /// Whether the plan leaves out what was made before its beginning and changed since.
    static func isPart(_ plan: ExportPlan) -> Bool { plan.request.hasPrefix(mark + "since=") }

    /// - Throws: `ExportAPIError.notExported`.
    static func check(_ resource: String, _ request: ExportRequest) throws(ExportAPIError) {
        guard request.way == .exportAPI, ExportAPIResource(rawValue: resource) == nil else { return }
        throw .notExported(resource: resource)
    }

    /// Gives the records of a window to `deliver`.
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
        ) { [pause = merchant.pause] in Self.tell($0, pause, in: environment) }
        let summary = try await run.read(
            from: from, to: window.to, resuming: try await store.serviceExports(place, of: plan.place),
            keep: { try await store.keep($0, place, of: plan.place) }, deliver: deliver)
        environment.diagnostics.detail(
            "\(summary.records) records in \(summary.files) files, \(summary.bytes) bytes")
    }

    private static func tell(_ event: ExportAPIEvent, _ pause: ServicePause, in environment: CommandEnvironment) {
        switch event {
        case .waitingForHours(let opening, let seconds):
            let words = "the service takes exports from \(InstantText.utc(milliseconds: opening)) on"
            pause.waits(seconds, words, at: environment.clock.boot())
            environment.diagnostics.notice("\(words); asking again in \(Int(seconds.rounded())) s")
        case .waitingForService(let seconds):
            pause.waits(seconds, "the service makes no more exports at present", at: environment.clock.boot())
            environment.diagnostics.notice(
                "the service makes no more exports at present; asking again in \(Int(seconds.rounded())) s")
        case .again(let from, let to, let reason):
            let why =
                switch reason {
                case .unknownToService: "the service does not know it any more"
                case .ended(let status): "the service says \(status)"
                case .filesGone: "its files cannot be read"
                case .fewer(let records): "the list shows more than its \(records) records"
                }
            environment.diagnostics.notice("asking again for the export of \(span(from, to)): \(why)")
        case .submitted(let from, let to): environment.diagnostics.detail("asked for an export of \(span(from, to))")
        case .resumed(let from, let to):
            environment.diagnostics.detail("the export of \(span(from, to)) was asked for before")
        case .progress(let from, let to, let percent):
            environment.diagnostics.detail(
                "the export of \(span(from, to)): \(percent.map { "\($0) %" } ?? "under way")")
        case .downloaded(let file, let count, let records, let bytes):
            environment.diagnostics.detail("file \(file) of \(count): \(records) records, \(bytes) bytes")
        }
    }

    private static func span(_ from: Int64, _ to: Int64) -> String {
        Shortfall.text(TimeWindow(from: from, to: to))
    }
}
