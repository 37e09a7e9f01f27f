import CloverCore
import CloverHTTP
import CloverOutput
import CloverRateLimit

/// The options of `clover get` as typed; `GetPlan` has every default and conflict resolved.
struct GetRequest: Sendable {
    var path: String
    var identifier: String?
    var filters: [String] = []
    /// Days to read, by the list's time of creation; nil for all.
    var period: String?
    var expand: [String] = []
    var sort: [String] = []
    var parameters: [String] = []
    /// Maximum number of records; nil when not given.
    var limit: Int?
    var isEverything = false
    var offset: Int?
    var isChecked = true
    /// Whether to read windows, further pages and cut lists too. Otherwise one request is sent, and its response is the
    /// only record.
    var isComplete = true
    /// Number of records in each printed page, `{"elements":[...]}`; nil to print single records.
    var envelopeSize: Int?
    /// Path of the receipt; `-` for standard error.
    var receipt: String?
    var program: ProgramChoice?
    var format = FormatChoice()
    /// Whether to print JSON on a terminal, too.
    var isJSON = false
    var slurp = false
    /// Whether to print sensitive fields unmasked.
    var showsSensitive = false
    /// Whether to add the merchant to each record.
    var tagsMerchant = false
    /// Whether to compare records with their model.
    var validates = false
    var connection: ConnectionChoice
    var maximumRetries = RetryPolicy.usualRetries
    var pacing = RateLimitOptions()
    /// Time limit of the whole run, in seconds.
    var maximumTime: Double?

    /// Whether the service is asked to write out fields that have no value (Clover: null fields).
    var returnsNullFields: Bool { parameters.contains { $0.lowercased() == "return_null_fields=true" } }

    /// The time zone of dates and of printed times: that of `--zone`, otherwise the configured one; nil for the merchant's.
    var zone: FormatChoice.Zone? { format.zone ?? format.defaults.zone }

    /// The first given option that applies to records only, not to text; nil when there is none.
    var recordOption: String? {
        let options: [(isGiven: Bool, name: String)] = [
            (isJSON, "--json"), (format.format != nil && format.formatDefaultSource == nil, "--format"),
            (!format.fields.isEmpty, "--fields"), (format.money != nil, "--money"), (format.times != nil, "--times"),
            (format.zone != nil, "--zone"), (!format.hasHeader, "--no-header"),
            (slurp, "--slurp"), (validates, "--validate"), (format.names == .names, "--names"),
            (format.names == .ids, "--ids"),
        ]
        return program?.option ?? options.first { $0.isGiven }?.name ?? format.optionForCSV
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
}
