import ArgumentParser
import CloverConfiguration
import CloverCore
import CloverRecords

/// Output format of records.
struct FormatOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Output format (CLOVER_FORMAT; default: ndjson, or a table on a terminal).", valueName: "format"))
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

    func validate() throws {
        do throws(RecordFormatError) {
            _ = try paths()
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// The options combined with the configured defaults.
    /// - Parameter isFormDecided: whether another option (a jq program, --json, --slurp) determines the output, in
    ///   which case a configured format is ignored.
    func choice(_ settings: ConfigurationLayers, isFormDecided: Bool) throws -> FormatChoice {
        var choice = FormatChoice()
        choice.format = format
        if format == nil, !isFormDecided, let value = try settings.value(of: .format) {
            choice.format = try RecordFormat(parsing: value.text)
            choice.formatHabit = value.setting(.format)
        }
        choice.habits = try FormatChoice.Habits(settings)
        choice.fields = try paths()
        choice.money = money
        choice.times = times
        choice.zone = zone.map { FormatChoice.Zone(parsing: $0) }
        choice.hasHeader = !hasNoHeader
        choice.isSpreadsheetSafe = isSpreadsheetSafe
        return choice
    }

    /// The fields; if the option is repeated, its lists are joined.
    private func paths() throws(RecordFormatError) -> [FieldPath] {
        fields.isEmpty ? [] : try FieldPath.list(parsing: fields.joined(separator: ","))
    }
}

extension RecordFormat: ExpressibleByArgument {}
extension FormatChoice.Money: ExpressibleByArgument {}
extension FormatChoice.Times: ExpressibleByArgument {}
