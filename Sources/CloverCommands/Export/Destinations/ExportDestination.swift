import CloverAPI
import CloverCore
import CloverExport
import CloverOutput
import CloverSystem
import CloverTables

/// Where a run writes: locked during the run, with what the state knows of it.
///
/// A kind of destination is a folder beside this file and a line in `ExportDestinations.kinds`. One that keeps no files
/// has only to be opened: everything else has a default.
protocol ExportDestination: Sendable {
    /// Whether this text after `--to` means this kind; nil without `--to`.
    static func isMeant(by address: String?) -> Bool

    /// Refuses options that do not apply to it, before anything is opened.
    static func check(_ command: Export.Run) throws

    /// Whether it keeps the files of finished windows, so that the names of files have to differ.
    static var keepsFiles: Bool { get }

    /// Whether it keeps the records of finished windows, so that the next run resumes after them.
    static var keepsRecords: Bool { get }

    /// Takes its locks and cleans up after runs that were killed.
    ///
    /// - Returns: nil when another export there is running and this one is to be skipped.
    static func open(_ run: ExportOpening) async throws -> Self?

    var store: ExportStore { get }
    /// Its id in the state.
    var identifier: String { get }
    /// Its name in messages.
    var name: String { get }

    /// Checks that a window's records may be written, and creates their file; nil where there are no files.
    ///
    /// - Parameters:
    ///   - resource: the resource, or `RESOURCE.PART`.
    ///   - request: the options for this file.
    ///   - number: distinguishes it from the window's other files.
    func stage(
        _ resource: String, _ request: ExportRequest, _ number: Int, in window: WindowExport
    ) async throws -> StagedFile?

    /// Keeps the records of a window on which the jq program fails; nil where they end the run.
    func failedRecords(_ resource: String, _ request: ExportRequest, in window: WindowExport) -> FailedRecords?

    /// Refuses a finished output before anything of its window is published.
    func checkRepetition(of output: ExportOutput, in window: WindowExport) async throws

    /// Publishes them, before the file of the others.
    ///
    /// - Returns: nil when there are none, or when the same file is there already.
    func publish(
        _ failed: FailedRecords, of staged: StagedFile, in window: WindowExport
    ) async throws -> PublishedFile?

    /// Publishes a finished output.
    ///
    /// - Parameter statistics: requests of the window, for the manifest.
    /// - Returns: nil where there are no files, and when the same bytes are there already.
    func publish(
        _ output: ExportOutput, _ report: FilterReport, in window: WindowExport,
        _ statistics: ServiceClient.Statistics
    ) async throws -> PublishedFile?

    /// What takes the records of a window in place of a file or standard output; nil where they are printed.
    ///
    /// - Parameters:
    ///   - resource: the resource, or `RESOURCE.PART`.
    ///   - model: model of the records; nil if unknown.
    func writer(_ resource: String, model: String?, in window: WindowExport) async throws -> (any WindowWriter)?

    /// Makes everything that the writers of a window took permanent, at once. Called before the state has the window.
    ///
    /// - Parameter number: number of the window in its plan.
    /// - Returns: what identifies the destination's contents from then on; nil where nothing does.
    func commit(_ number: Int, _ window: WindowExport) async throws -> Int64?

    /// Takes the changes of a list that is exported in full, for the log beside its current file; nil where there is none.
    ///
    /// - Parameter number: distinguishes it from the window's other files.
    func changeLog(
        of output: ExportOutput, _ request: ExportRequest, _ number: Int, in window: WindowExport
    ) async throws -> ChangeLog?

    /// Appends the changes to the log, before the current file is published.
    ///
    /// - Returns: nil when there are none.
    func publish(_ log: ChangeLog, in window: WindowExport) async throws -> PublishedFile?

    /// Brings the current file of a resource up to date with its change files.
    func updateCurrent(_ export: ResourceExport) async throws

    /// Marks the records that the service no longer has, after all windows of a full export and before the state has its plan
    /// as finished.
    func markDeleted(_ plan: ExportPlan, _ export: ResourceExport) async throws

    /// Called when the state has a plan of the stream as finished.
    ///
    /// - Parameter coverage: what its records are complete for; nil if the plan proves nothing.
    func completed(_ stream: ExportStream, isFull: Bool, coverage: TableCoverage?) async throws

    /// The part of a plan that an earlier run left to be done; nil when the run has to make a new plan.
    func resumed(_ plan: ExportPlan, of stream: ExportStream) async throws -> ExportPlan?

    /// The streams' published files that are missing or have another size, by stream row.
    func lostFiles(of streams: [ExportStream]) async throws -> [Int64: [ExportDirectory.LostFile]]

    /// The number of rows that others deleted, by table.
    ///
    /// - Parameter resources: the only resources to look at; nil for all.
    func lostRows(of resources: [String]?) async throws -> [String: Int64]

    /// Stops expecting the rows that others deleted (`--accept-missing`).
    ///
    /// - Returns: the number of these rows, by table.
    func acceptLostRows(of resources: [String]) async throws -> [String: Int64]

    /// Keeps a file that others have changed under another name.
    ///
    /// - Returns: that name.
    func setAside(_ file: ExportDirectory.LostFile) async throws -> String

    /// Removes files of interrupted runs whose records are now in other files.
    func removeSuperseded() async throws

    /// Brings the manifest up to date.
    func listFiles() async throws
}

enum ExportDestinations {
    static let kinds: [any ExportDestination.Type] = [
        StandardOutputDestination.self,
        DatabaseDestination.self,
        DirectoryDestination.self,
    ]

    static func kind(of address: String?) -> any ExportDestination.Type {
        kinds.first { $0.isMeant(by: address) } ?? DirectoryDestination.self
    }

    /// A random id.
    static func newIdentifier() -> String {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined(separator: "-")
    }
}

extension ExportDestination {
    static var keepsRecords: Bool { keepsFiles }

    static func check(_ command: Export.Run) throws {}

    var keepsFiles: Bool { Self.keepsFiles }
    var keepsRecords: Bool { Self.keepsRecords }

    func writer(_ resource: String, model: String?, in window: WindowExport) async throws -> (any WindowWriter)? {
        nil
    }

    func commit(_ number: Int, _ window: WindowExport) async throws -> Int64? { nil }

    func changeLog(
        of output: ExportOutput, _ request: ExportRequest, _ number: Int, in window: WindowExport
    ) async throws -> ChangeLog? { nil }

    func publish(_ log: ChangeLog, in window: WindowExport) async throws -> PublishedFile? { nil }

    func updateCurrent(_ export: ResourceExport) async throws {}

    func markDeleted(_ plan: ExportPlan, _ export: ResourceExport) async throws {}

    func completed(_ stream: ExportStream, isFull: Bool, coverage: TableCoverage?) async throws {}

    func stage(
        _ resource: String, _ request: ExportRequest, _ number: Int, in window: WindowExport
    ) async throws -> StagedFile? { nil }

    func failedRecords(_ resource: String, _ request: ExportRequest, in window: WindowExport) -> FailedRecords? { nil }

    func checkRepetition(of output: ExportOutput, in window: WindowExport) async throws {}

    func publish(
        _ failed: FailedRecords, of staged: StagedFile, in window: WindowExport
    ) async throws -> PublishedFile? { nil }

    func publish(
        _ output: ExportOutput, _ report: FilterReport, in window: WindowExport,
        _ statistics: ServiceClient.Statistics
    ) async throws -> PublishedFile? { nil }

    /// Output that a failed run wrote to a pipe may be lost, so start over.
    func resumed(_ plan: ExportPlan, of stream: ExportStream) async throws -> ExportPlan? {
        if plan.isOfExportAPI { return try await store.restart(plan) }
        try await store.drop(plan)
        return nil
    }

    func lostFiles(of streams: [ExportStream]) async throws -> [Int64: [ExportDirectory.LostFile]] { [:] }

    func lostRows(of resources: [String]?) async throws -> [String: Int64] { [:] }

    func acceptLostRows(of resources: [String]) async throws -> [String: Int64] { [:] }

    func setAside(_ file: ExportDirectory.LostFile) async throws -> String { file.path }

    func removeSuperseded() async throws {}

    func listFiles() async throws {}
}

/// Takes the records of a window until `ExportDestination.commit` makes them permanent.
protocol WindowWriter: RecordFilter {
    /// Adds records, by their ids, of which the output has all entries, in a window that does not write the records.
    func addParents(_ ids: [String]) async throws

    /// Forgets the records.
    func discard() async throws
}

/// A window's file that is not published yet.
struct StagedFile: Sendable {
    let file: ExportFile
    /// What the state will have of it, still without the facts of its contents.
    let record: PublishedFile
    /// Whether it follows records that have the header.
    let omitsHeader: Bool
}

/// A run that is about to open its destination.
struct ExportOpening: Sendable {
    let request: ExportRequest
    let merchants: [ExportMerchant]
    let resources: [ResourcePlan]
    let names: NameTemplate
    let results: ExportResults
    let environment: CommandEnvironment
    /// When `--max-time` ends the run, in seconds of the clock since the machine started; nil without it.
    let end: Double?

    /// Opens the destination; nil when another export there is running and this one is to be skipped.
    func open() async throws -> (any ExportDestination)? {
        defer { results.waits(for: nil) }
        return try await request.destination.open(self)
    }

    /// Takes a lock, and does what `--if-running` says while another run has it.
    ///
    /// - Parameter place: name of what is locked, for messages.
    /// - Returns: nil when this run is to be skipped.
    func lock(
        _ place: String, _ tryLock: @escaping @Sendable () throws -> ExportLock?
    ) async throws -> ExportLock? {
        var hasNotified = false
        while true {
            if let lock = try await DedicatedThread.run({ try tryLock() }) { return lock }
            switch request.ifRunning {
            case .fail: throw ExportError.busy(path: place)
            case .skip:
                environment.diagnostics.detail("another export to \(place) is running; skipping this one")
                return nil
            case .wait:
                if !hasNotified { environment.diagnostics.detail("waiting for another export to \(place)") }
                hasNotified = true
                results.waits(for: "another export to \(place) is running")
                try await environment.sleep(0.2)
            }
        }
    }
}
