import ArgumentParser
import CloverConfiguration
import CloverCore
import CloverJSON
import CloverOutput

/// Output format of records.
struct FormatOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Output format (CLOVER_FORMAT; default: ndjson, or a table on a terminal); for reports also xlsx.",
            valueName: "format"))
    var format: RecordFormat?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Print only these fields, in this order: id,employee.id,lineItems.elements.length.", valueName: "paths"),
        completion: .asked)
    var fields: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Amounts in the chosen fields: unchanged (minor), or with the currency's decimals (major).",
            valueName: "units"))
    var money: FormatChoice.Money?

    @Option(
        name: .long,
        help: ArgumentHelp("Times in the chosen fields: as sent, or in ISO 8601.", valueName: "style"))
    var times: FormatChoice.Times?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Time zone: merchant (default of tables), UTC (default of other formats), or a name such as Europe/Berlin.",
            valueName: "zone"))
    var zone: String?

    @Flag(name: .customLong("no-header"), help: "Omit the line with the column names.")
    var hasNoHeader = false

    @Flag(
        name: .customLong("csv-safe"),
        help: "Put an apostrophe before text that a spreadsheet would run as a formula.")
    var isSpreadsheetSafe = false

    @Flag(
        name: .customLong("csv-bom"),
        help: "Begin CSV with a byte order mark, by which Excel recognizes UTF-8.")
    var hasByteOrderMark = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write amounts in CSV with decimals, after a point or a comma.", valueName: "mark"))
    var decimal: FormatChoice.DecimalMark?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Separate the values of CSV by this character, such as ';', or by 'tab' (default: ',').",
            valueName: "character"))
    var separator: String?

    func validate() throws {
        do throws(FieldPathError) {
            _ = try FieldLists(parsing: fields)
        } catch {
            throw ValidationError("\(error)")
        }
        if let separator, CSVStyle.separator(parsing: separator) == nil {
            throw ValidationError(
                "--separator takes one character, such as ';' or '|', or the word tab, not '\(separator)'")
        }
    }

    /// The options combined with the configured defaults.
    /// - Parameter isFormDecided: whether another option (a jq program, --json, --slurp) determines the output, in
    ///   which case a configured format is ignored.
    /// - Throws: `ValidationError` where fields of single resources are given.
    func choice(_ settings: ConfigurationLayers, isFormDecided: Bool) throws -> FormatChoice {
        let lists = try FieldLists(parsing: fields)
        if let name = lists.named.keys.min() {
            throw ValidationError(
                "--fields \(name)=... chooses fields of one resource of an export; here, leave \(name)= out")
        }
        return try choice(settings, lists.common, isFormDecided: isFormDecided)
    }

    /// The same, with these fields.
    func choice(
        _ settings: ConfigurationLayers, _ fields: [FieldPath], isFormDecided: Bool
    ) throws -> FormatChoice {
        var choice = FormatChoice()
        choice.format = format
        if format == nil, !isFormDecided, let value = try settings.value(of: .format) {
            choice.format = try RecordFormat(parsing: value.text)
            choice.formatDefaultSource = value.setting(.format)
        }
        choice.defaults = try FormatChoice.FormatDefaults(settings)
        choice.fields = fields
        choice.money = money
        choice.times = times
        choice.zone = zone.map { FormatChoice.Zone(parsing: $0) }
        choice.hasHeader = !hasNoHeader
        choice.isSpreadsheetSafe = isSpreadsheetSafe
        choice.hasByteOrderMark = hasByteOrderMark
        choice.decimalMark = decimal
        choice.separator = separator.flatMap { CSVStyle.separator(parsing: $0) }
        return choice
    }
}

/// The fields of `--fields`: for all records, or `RESOURCE=PATHS` for those of one resource. If the option is repeated, its
/// lists are joined.
struct FieldLists: Sendable, Equatable {
    private(set) var common: [FieldPath] = []
    /// By resource, as typed.
    private(set) var named: [String: [FieldPath]] = [:]

    init(parsing texts: [String]) throws(FieldPathError) {
        var lists: [String: [String]] = [:]
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            lists[parts.count > 1 ? parts[0] : "", default: []].append(parts[parts.count - 1])
        }
        for (name, texts) in lists {
            let paths = try FieldPath.list(parsing: texts.joined(separator: ","))
            if name.isEmpty { common = paths } else { named[name] = paths }
        }
    }
}

/// Whether to show names in place of ids.
struct NameOptions: ParsableArguments {
    @Flag(
        name: .customLong("names"),
        help: ArgumentHelp(
            """
            Add the names of employees, tenders, order types, items and categories to the records that have only their \
            ids; on a terminal, tables have them anyway.
            """))
    var showsNames = false

    @Flag(name: .customLong("ids"), help: "Show ids in tables, and request no names.")
    var showsIDs = false

    func validate() throws {
        if showsNames, showsIDs { throw ValidationError("--names and --ids exclude each other") }
    }

    var choice: FormatChoice.Names? { showsNames ? .names : showsIDs ? .ids : nil }
}

extension RecordFormat: ExpressibleByArgument {
    /// The formats of records. A workbook is a report's only, whose own help names it.
    static var allValueStrings: [String] { allCases.filter { $0 != .xlsx }.map(\.rawValue) }
}
extension FormatChoice.Money: ExpressibleByArgument {}
extension FormatChoice.Times: ExpressibleByArgument {}
extension FormatChoice.DecimalMark: ExpressibleByArgument {}

/// Whether to print PINs, bank and card numbers, tokens and secrets.
struct SensitivityOptions: ParsableArguments {
    @Flag(
        name: .customLong("show-sensitive"),
        help:
            "Print PINs, bank and card numbers, tokens and secrets instead of \"[masked]\" (CLOVER_SHOW_SENSITIVE=1)."
    )
    var showsSensitive = false

    /// The flag, or else the configured default.
    func isShown(_ settings: ConfigurationLayers) throws -> Bool {
        try showsSensitive || settings.isOn(.showSensitive)
    }
}

/// Output options for clover's own records; the same as for the service's.
struct RecordOutputOptions: ParsableArguments {
    @OptionGroup
    var jq: JQOptionGroup

    @OptionGroup
    var format: FormatOptions

    @OptionGroup
    var file: OutputFileOptions

    func records(_ messages: MessageOptions, in environment: CommandEnvironment) async throws -> RecordPrinting {
        try await jq.printing(format, messages, environment.settings(for: ConnectionChoice()))
    }
}

/// Prints the request as a curl command instead of sending it.
struct CurlOptions: ParsableArguments {
    @Flag(
        name: .customLong("curl"),
        help: ArgumentHelp(
            "Print the first request as a curl command for sh instead of sending it; the command reads the token from CLOVER_ACCESS_TOKEN (to get one: clover auth token)."
        ))
    var isWanted = false

    /// Prints the command and returns the exit status.
    func print(_ command: CurlCommand, in environment: CommandEnvironment) async throws -> Int32 {
        for note in command.notes { environment.diagnostics.notice(note) }
        try await StandardOutput.print(command.text + "\n", in: environment)
        return 0
    }
}
