import CloverPacing
package import CloverRecords

/// What `clover get` was asked for, as typed; `GetPlan` has every default and conflict resolved.
package struct GetRequest: Sendable {
    package var path: String
    package var identifier: String?
    package var filters: [String] = []
    package var expand: [String] = []
    package var sort: [String] = []
    package var parameters: [String] = []
    /// Records in all; nil when the user left it open.
    package var limit: Int?
    package var isEverything = false
    package var offset: Int?
    package var isChecked = true
    /// Nothing is left out: windows, further pages and cut lists are read too. Otherwise one request is sent, and its
    /// answer is the one record.
    package var isComplete = true
    /// Where the receipt goes: a file, or `-` for standard error.
    package var receipt: String?
    package var program: ProgramChoice?
    package var format = FormatChoice()
    /// JSON was asked for, also on a terminal.
    package var isJSON = false
    package var slurp = false
    /// Sensitive fields are printed as they come.
    package var showsSensitive = false
    /// Records are compared with their model.
    package var validates = false
    package var connection: ConnectionChoice
    package var maximumRetries: Int = 5
    package var pacing = PacingChoice()
    /// Seconds for the whole run.
    package var maximumTime: Double?

    package init(path: String, identifier: String?, connection: ConnectionChoice) {
        self.path = path
        self.identifier = identifier
        self.connection = connection
    }

    /// The first of the options that are for records, and cannot apply to text; nil when there is none.
    var recordOption: String? {
        let options: [(isGiven: Bool, name: String)] = [
            (isJSON, "--json"), (format.format != nil && format.formatHabit == nil, "--format"),
            (!format.fields.isEmpty, "--fields"), (format.money != nil, "--money"), (format.times != nil, "--times"),
            (format.zone != nil, "--zone"), (!format.hasHeader, "--no-header"),
            (format.isSpreadsheetSafe, "--csv-safe"), (slurp, "--slurp"), (validates, "--validate"),
        ]
        return program?.option ?? options.first { $0.isGiven }?.name
    }

    var printing: RecordPrinting {
        RecordPrinting(program: program, format: format, isJSON: isJSON || !isComplete, slurp: slurp)
    }

    /// How its requests are taken from the budget: reading everything is long work, the rest is waited for.
    var effectivePacing: PacingChoice {
        var choice = pacing
        choice.pacingClass = isEverything ? .bulk : .interactive
        // A query may hold what is nobody else's business.
        choice.command = "get " + path.prefix { $0 != "?" }
        return choice
    }

    /// A jq program and how its results are printed.
    package struct ProgramChoice: Sendable {
        package var source: Source
        /// The option that asked for it, for messages.
        package var option: String
        package var rawOutput = false
        package var joinOutput = false
        package var arguments: [Argument] = []

        package init(source: Source, option: String) {
            self.source = source
            self.option = option
        }

        package enum Source: Sendable {
            case text(String)
            case file(String)
        }

        package struct Argument: Sendable {
            package var name: String
            package var value: String
            /// The value is JSON rather than a string.
            package var isJSON: Bool

            package init(name: String, value: String, isJSON: Bool) {
                self.name = name
                self.value = value
                self.isJSON = isJSON
            }
        }
    }
}
