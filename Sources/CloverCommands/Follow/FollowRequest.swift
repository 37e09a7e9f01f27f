import CloverAPI
import CloverCore
import CloverExport
import CloverHTTP
import CloverJSON
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
    var maximumRetries = RetryPolicy.usualRetries
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

    /// Refuses a field that a change does not have, or its record in any of the resources.
    func checkFields(_ plans: [ResourcePlan]) throws {
        for field in format.fields {
            guard let name = field.names.first, Self.members.contains(name) else {
                let near = NearestNames.of(field.text, among: Self.columns + Self.members)
                throw RecordFormatError.unknownField(field.text, records: nil, suggestions: near)
            }
            guard field.names.count > 1 else { continue }
            let path = try FieldPath.parsed(field.names.dropFirst().joined(separator: "."))
            let near: [[String]?] =
                name == "record"
                ? plans.map {
                    FieldValidator($0.path, model: $0.path.endpoint?.model, expand: $0.expand).unknown(path)
                } : [[]]
            guard !near.contains(nil) else { continue }
            let suggestions = near.flatMap { $0 ?? [] }.map { "\(name).\($0)" }
            throw RecordFormatError.unknownField(
                field.text, records: nil, suggestions: name == "record" ? suggestions : [name])
        }
    }

    /// The columns of csv and tsv, and what the values of a change are. A field that is an amount or a time in one of the
    /// resources and something else in another is printed as it was sent.
    func schema(_ plans: [ResourcePlan]) throws -> RecordSchema {
        let known = try plans.map { plan in
            let guide = FieldValidator(plan.path, model: plan.path.endpoint?.model, expand: plan.expand)
            return (schema: try RecordSchema.of(plan.path.endpoint, expand: plan.expand), guide: guide)
        }
        let kind: @Sendable (FieldPath) -> RecordColumn.Kind = { path in
            guard path.names.first == "record",
                let inner = try? FieldPath(parsing: path.names.dropFirst().joined(separator: "."))
            else { return .plain }
            let kinds = known.filter { $0.guide.unknown(inner) == nil }.map { $0.schema.kind(inner) }
            return kinds.allSatisfy { $0 == kinds.first } ? kinds.first ?? .plain : .plain
        }
        let columns = try Self.columns.map { name in
            let path = try FieldPath.parsed(name)
            return RecordColumn(path, kind: kind(path))
        }
        return RecordSchema(columns: columns, kind: kind)
    }

    /// The members of a change.
    private static let members = ["change", "resource", "sequence", "record"]
    /// The columns of csv and tsv.
    private static let columns = ["change", "resource", "sequence", "record.id", "record.modifiedTime"]

    var printing: RecordPrinting { RecordPrinting(program: program, format: format, isJSON: true) }

    /// Whether changes are printed as they are, so that those in a file can be recognized after a kill.
    var isPlain: Bool {
        program == nil && command == nil && format.fields.isEmpty && (format.format ?? .ndjson) == .ndjson
    }
}
