package import CloverOutput
import CloverRateLimit

/// The options of `clover get` as typed; `GetPlan` has every default and conflict resolved.
package struct GetRequest: Sendable {
    package var path: String
    package var identifier: String?
    package var filters: [String] = []
    package var expand: [String] = []
    package var sort: [String] = []
    package var parameters: [String] = []
    /// Maximum number of records; nil when not given.
    package var limit: Int?
    package var isEverything = false
    package var offset: Int?
    package var isChecked = true
    /// Whether to read windows, further pages and cut lists too. Otherwise one request is sent, and its response is the
    /// only record.
    package var isComplete = true
    /// Path of the receipt; `-` for standard error.
    package var receipt: String?
    package var program: ProgramChoice?
    package var format = FormatChoice()
    /// Whether to print JSON on a terminal, too.
    package var isJSON = false
    package var slurp = false
    /// Whether to print sensitive fields unmasked.
    package var showsSensitive = false
    /// Whether to compare records with their model.
    package var validates = false
    package var connection: ConnectionChoice
    package var maximumRetries: Int = 5
    package var pacing = RateLimitOptions()
    /// Time limit of the whole run, in seconds.
    package var maximumTime: Double?

    package init(path: String, identifier: String?, connection: ConnectionChoice) {
        self.path = path
        self.identifier = identifier
        self.connection = connection
    }

    /// The first given option that applies to records only, not to text; nil when there is none.
    var recordOption: String? {
        let options: [(isGiven: Bool, name: String)] = [
            (isJSON, "--json"), (format.format != nil && format.formatDefaultSource == nil, "--format"),
            (!format.fields.isEmpty, "--fields"), (format.money != nil, "--money"), (format.times != nil, "--times"),
            (format.zone != nil, "--zone"), (!format.hasHeader, "--no-header"),
            (format.isSpreadsheetSafe, "--csv-safe"), (slurp, "--slurp"), (validates, "--validate"),
        ]
        return program?.option ?? options.first { $0.isGiven }?.name
    }

    var printing: RecordPrinting {
        var printing = RecordPrinting(program: program, format: format, isJSON: isJSON || !isComplete, slurp: slurp)
        // A filter that cannot be parsed is reported where it is used.
        printing.readsDates = (try? GetPlan.needsZone(self)) ?? false
        return printing
    }

    /// Priority of the requests: reading everything is bulk work, anything else is interactive.
    var effectivePacing: RateLimitOptions {
        var choice = pacing
        choice.pacingClass = isEverything ? .bulk : .interactive
        // Other processes see the command, and a query may be private.
        choice.command = "get " + path.prefix { $0 != "?" }
        return choice
    }

    /// A jq program and how its results are printed.
    package struct ProgramChoice: Sendable {
        package var source: Source
        /// The option that gave it, for messages.
        package var option: String
        /// `slurp` is the request's.
        package var options = JQOptions()

        package init(source: Source, option: String) {
            self.source = source
            self.option = option
        }

        package enum Source: Sendable {
            case text(String)
            case file(String)
        }
    }
}
