package import CloverCompression
import CloverExport
package import CloverRecords

/// What `clover export` was asked for, as typed; `ResourcePlan` has every default and conflict resolved.
package struct ExportRequest: Sendable {
    /// Lists, or objects, of a merchant: `orders`, `payments`.
    package var resources: [String]
    /// The destination; nil is standard output.
    package var directory: String?
    package var range = Range.last
    /// Where the history comes from.
    package var way = Way.lists
    /// Where the range ends; nil is the start of the run.
    package var until: String?
    /// The time of day at which a business day begins.
    package var dayStart = "00:00"
    /// The zone of business days and dates; nil is the merchant's.
    package var timeZone: String?
    /// Seconds before its end from which the next run asks again.
    package var overlap = 300.0
    /// Seconds of the longest window; nil for as long as the service answers for.
    package var windowLength: Double?
    /// How files are named; nil for the usual names.
    package var nameTemplate: String?
    package var format = FormatChoice()
    package var program: GetRequest.ProgramChoice?
    /// What is in the program's file: that decides, and not where it is.
    var programText: String?
    package var compression: Compression?
    /// Files are added to and not replaced.
    package var appends = false
    package var expand: [String] = []
    /// Nested lists that become files of their own.
    package var parts: [String] = []
    /// Each record says whose it is.
    package var tagsMerchant = false
    package var ifRunning = IfRunning.fail
    /// What becomes of published files that are missing.
    package var missingFiles = MissingFiles.report
    /// Seconds of which a random part is waited first.
    package var jitter: Double?
    package var maximumTime: Double?
    package var maximumRetries = 5
    package var pacing = PacingChoice()
    package var connection: ConnectionChoice
    /// Sign-ins by name; empty for the one connection, nil for all that have a name.
    package var profiles: [String]? = []
    package var showsSensitive = false
    package var writesSummary = false
    /// Of the program, for the manifest.
    package var version = ""

    package init(resources: [String], connection: ConnectionChoice) {
        self.resources = resources
        self.connection = connection
    }

    package enum Range: Sendable, Equatable {
        /// What changed since the last run; everything when there was none.
        case last
        case full
        /// What changed since a time, as typed.
        case since(String)
        /// What was made on a business day, as typed.
        case day(String)

        var isDay: Bool { if case .day = self { true } else { false } }
    }

    /// How records are asked for.
    package enum Way: String, Sendable, CaseIterable {
        /// Page by page, as anything else.
        case lists
        /// From the service's own exports, where the history is meant and not what changed in it.
        case exportAPI = "export-api"
    }

    /// What to do about published files that are missing from the destination.
    package enum MissingFiles: Sendable {
        /// Name them, and end with 79.
        case report
        /// Export their windows anew.
        case export
        /// Forget them.
        case accept
    }

    /// What to do when another export runs to the same destination.
    package enum IfRunning: String, Sendable, CaseIterable {
        case skip, wait, fail
    }

    /// Milliseconds. Never less than two seconds: a time of change may be a second earlier than the time of making
    /// (recorded answers of the service).
    var effectiveOverlap: Int64 { max(2000, Int64((overlap * 1000).rounded())) }

    var hasManyMerchants: Bool { profiles != [] }

    /// The zone that was asked for; nil for the merchant's.
    var namedZone: TimeZoneRules? {
        get throws {
            guard let timeZone, timeZone.lowercased() != "merchant" else { return nil }
            return try TimeZoneRules(named: timeZone)
        }
    }

    /// In words that stay the same as long as what decides which files there are, and their bytes, does.
    var filesChoice: String {
        let choice = [
            outputChoice, nameTemplate ?? "", "\(appends)", windowLength.map { "\($0)" } ?? "",
        ]
        return StableHash.words(for: choice.joined(separator: "\n"))
    }

    /// What decides the bytes of a resource's files besides the records.
    var outputChoice: String {
        let values = program?.arguments.map { "\($0.name)=\($0.value)" } ?? []
        return (fileForm + values + [parts.joined(separator: ",")]).joined(separator: "\n")
    }

    /// What a file looks like.
    var fileChoice: String { StableHash.words(for: fileForm.joined(separator: "\n")) }

    /// What the file of a part looks like. Fields and a program are for the records themselves.
    var partChoice: String {
        var request = self
        request.program = nil
        request.format.fields = []
        return request.fileChoice
    }

    private var fileForm: [String] { recordForm + [compression?.rawValue ?? "", "\(format.hasHeader)"] }

    /// What the records look like. How they are packed and what the files are called has no part in it: all of them
    /// together have every record all the same. Neither have the values that a jq program is given, such as the date.
    var form: ExportForm {
        ExportForm(choice: StableHash.words(for: recordForm.joined(separator: "\n")), words: formWords)
    }

    private var recordForm: [String] {
        var parts = [
            (format.format ?? .ndjson).rawValue, "\(tagsMerchant)", "\(showsSensitive)",
            expand.sorted().joined(separator: ","),
            format.fields.map(\.text).joined(separator: ","),
            "\(String(describing: format.money)) \(String(describing: format.times)) \(String(describing: format.zone))",
            "\(format.isSpreadsheetSafe)",
        ]
        if let program {
            switch program.source {
            case .text(let text): parts.append(text)
            case .file(let path): parts.append(programText ?? "@" + path)
            }
            parts.append("\(program.rawOutput) \(program.joinOutput)")
            parts += program.arguments.map(\.name)
        }
        return parts
    }

    /// The options that make the form.
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
