import CloverCalendar
import CloverExport
import CloverJSON
package import CloverOutput
package import CloverSystem

/// The options of `clover export` as typed; `ResourcePlan` has every default and conflict resolved.
package struct ExportRequest: Sendable {
    /// Resources of a merchant: `orders`, `payments`.
    package var resources: [String]
    /// Destination; nil for standard output.
    package var directory: String?
    package var range = Range.last
    /// Source of the history.
    package var way = Way.lists
    /// End of the range; nil for the start of the run.
    package var until: String?
    /// Time of day at which a business day begins.
    package var dayStart = "00:00"
    /// Time zone of business days and dates; nil for the merchant's.
    package var timeZone: String?
    /// Seconds before the end of a run that the next run reads again.
    package var overlap = 300.0
    /// Maximum length of a window, in seconds; nil for the longest that the service serves.
    package var windowLength: Double?
    /// Template of file names; nil for the default names.
    package var nameTemplate: String?
    package var format = FormatChoice()
    package var program: GetRequest.ProgramChoice?
    /// Contents of the program's file, which identify the program whatever its path.
    var programText: String?
    package var compression: Compression?
    /// Whether to append to files instead of creating new ones.
    package var appends = false
    package var expand: [String] = []
    /// Nested lists that are exported to files of their own.
    package var parts: [String] = []
    /// Whether to add the merchant to each record.
    package var tagsMerchant = false
    package var ifRunning = IfRunning.fail
    /// How to treat published files that are missing.
    package var missingFiles = MissingFiles.report
    /// Maximum random delay before the start, in seconds.
    package var jitter: Double?
    package var maximumTime: Double?
    package var maximumRetries = 5
    package var pacing = RateLimitOptions()
    package var connection: ConnectionChoice
    /// Profiles to export; empty for the one connection, nil for all profiles.
    package var profiles: [String]? = []
    package var showsSensitive = false
    package var writesSummary = false
    /// Version of `clover`, for the manifest.
    package var version = ""

    package init(resources: [String], connection: ConnectionChoice) {
        self.resources = resources
        self.connection = connection
    }

    package enum Range: Sendable, Equatable {
        /// Changes since the last run; everything when there was none.
        case last
        case full
        /// Changes since a time, as typed.
        case since(String)
        /// Records created on a business day, as typed.
        case day(String)

        var isDay: Bool { if case .day = self { true } else { false } }
    }

    /// How records are requested.
    package enum Way: String, Sendable, CaseIterable {
        /// Page by page from the lists.
        case lists
        /// From Clover's own exports, for the history; changes still come from the lists.
        case exportAPI = "export-api"
    }

    /// What to do about published files that are missing from the destination.
    package enum MissingFiles: Sendable {
        /// Name them and exit with status 79.
        case report
        /// Export their windows again.
        case export
        /// Stop expecting them.
        case accept
    }

    /// What to do when another export to the same destination is running.
    package enum IfRunning: String, Sendable, CaseIterable {
        case skip, wait, fail
    }

    /// Overlap in milliseconds. At least two seconds, because a modification time may be a second earlier than the
    /// creation time (recorded responses of the service).
    var effectiveOverlap: Int64 { max(2000, Int64((overlap * 1000).rounded())) }

    var hasManyMerchants: Bool { profiles != [] }

    /// The time zone of `--time-zone`; nil for the merchant's.
    var namedZone: TimeZoneRules? {
        get throws {
            guard let timeZone, timeZone.lowercased() != "merchant" else { return nil }
            return try TimeZoneRules.named(timeZone)
        }
    }

    /// Hash of the options that decide which files there are and what bytes they have.
    var filesChoice: String {
        let choice = [
            outputChoice, nameTemplate ?? "", "\(appends)", windowLength.map { "\($0)" } ?? "",
        ]
        return StableHash.words(for: choice.joined(separator: "\n"))
    }

    /// The options that decide the bytes of a resource's files.
    var outputChoice: String {
        let values = program?.options.arguments.map { "\($0.name)=\($0.value.text)" } ?? []
        return (fileForm + values + [parts.joined(separator: ",")]).joined(separator: "\n")
    }

    /// Hash of the options that decide what a file looks like.
    var fileChoice: String { StableHash.words(for: fileForm.joined(separator: "\n")) }

    /// The same for the file of a part: fields and a program apply to the records only.
    var partChoice: String {
        var request = self
        request.program = nil
        request.format.fields = []
        return request.fileChoice
    }

    private var fileForm: [String] { recordForm + [compression?.rawValue ?? "", "\(format.hasHeader)"] }

    /// Hash of the options that decide what records look like. Compression and file names are not part of it, because the
    /// files together have every record whatever these are. Nor are the values passed to a jq program, such as the date.
    var form: ExportForm {
        ExportForm(choice: StableHash.words(for: recordForm.joined(separator: "\n")), words: formWords)
    }

    private var recordForm: [String] {
        var parts = [
            (format.format ?? .ndjson).rawValue, "\(tagsMerchant)", "\(showsSensitive)",
            expand.sorted().joined(separator: ","),
            format.fields.map(\.text).joined(separator: ","),
            format.storedCode,
            "\(format.isSpreadsheetSafe)",
        ]
        if let program {
            switch program.source {
            case .text(let text): parts.append(text)
            case .file(let path): parts.append(programText ?? "@" + path)
            }
            parts.append("\(program.options.rawOutput) \(program.options.joinOutput)")
            parts += program.options.arguments.map(\.name)
        }
        return parts
    }

    /// The options that make the form, as typed.
    private var formWords: String {
        var words = ["--format \((format.format ?? .ndjson).rawValue)"]
        if !format.fields.isEmpty { words.append("--fields \(format.fields.map(\.text).joined(separator: ","))") }
        if let program {
            switch program.source {
            case .text(let text): words.append("\(program.option) '\(text)'")
            case .file(let path): words.append("\(program.option) \(path)")
            }
        }
        if !expand.isEmpty { words.append("--expand \(expand.joined(separator: ","))") }
        if tagsMerchant { words.append("--tag-merchant") }
        if showsSensitive { words.append("--show-sensitive") }
        return words.joined(separator: " ")
    }
}
