import CloverCore
import CloverExport
import CloverOutput
import CloverRateLimit

/// The options of `clover follow`, with defaults resolved.
struct FollowRequest: Sendable {
    var resources: [String]
    var expand: [String] = []
    /// Start of a new feed, as typed; nil for now.
    var since: String?
    /// The path of `--state`; nil for the state directory.
    var state: String?
    /// Seconds without a change after which the run ends; nil for never.
    var idleTime: Double?
    /// Longest time between two readings of a list, in seconds.
    var interval = 60.0
    /// How far before the last change a reading begins, in seconds.
    var overlap = 300.0
    /// How often each list is read completely, in seconds; nil for never.
    var completeEvery: Double?
    /// Shell command that takes each change; nil for standard output.
    var command: String?
    var program: ProgramChoice?
    var format = FormatChoice()
    var showsSensitive = false
    var connection: ConnectionChoice
    var maximumTime: Double?
    var maximumRetries = 5
    var pacing = RateLimitOptions()

    /// Feeds are bulk work: charges and interactive commands go first.
    var effectivePacing: RateLimitOptions {
        var choice = pacing
        choice.pacingClass = .bulk
        choice.command = (["follow"] + resources).joined(separator: " ")
        return choice
    }

    func plans(of merchantID: String) throws -> [ResourcePlan] {
        try resources.map { try ResourcePlan($0, expand: expand, parts: [], by: .lists, merchantID: merchantID) }
    }

    /// The columns of csv and tsv.
    static let columns = ["change", "resource", "sequence", "record.id", "record.modifiedTime"]

    var printing: RecordPrinting { RecordPrinting(program: program, format: format, isJSON: true) }

    /// Whether changes are printed as they are, so that those in a file can be recognized after a kill.
    var isPlain: Bool {
        program == nil && command == nil && format.fields.isEmpty && (format.format ?? .ndjson) == .ndjson
    }
}
