import CloverCalendar
package import CloverJSON

/// How to print records, decided except for what depends on the merchant's data.
package struct FormatPlan: Sendable {
    package let format: RecordFormat
    /// Nil prints whole records.
    package let columns: [RecordColumn]?
    /// Expansions without a column in csv and tsv, if the columns come from the schema.
    package let columnless: [String]
    private let choice: FormatChoice
    private let money: Money
    private let times: Times
    private let zone: FormatChoice.Zone

    private enum Money: Sendable { case minor, major, signed }
    private enum Times: Sendable { case asSent, iso, short }

    /// The context of the choice.
    package struct Situation: Sendable {
        /// True if standard output is a terminal and JSON was not requested: the default is a table.
        package var isForPerson = false
        /// The option with the jq program that prints the results, such as `--jq`; nil without a program.
        package var programOption: String?
        /// `--slurp`: one array of all records.
        package var isSlurping = false

        package init(isForPerson: Bool = false, programOption: String? = nil, isSlurping: Bool = false) {
            self.isForPerson = isForPerson
            self.programOption = programOption
            self.isSlurping = isSlurping
        }

        fileprivate var hasProgram: Bool { programOption != nil }
    }

    /// - Throws: `.conflict`, `.needsFields`, `.noColumns`.
    package init(_ choice: FormatChoice, in situation: Situation, schema: RecordSchema) throws(RecordFormatError) {
        let format = Self.format(choice, situation, schema)
        guard format != .xlsx else { throw .workbookOfRecords }
        try Self.check(choice, format, situation)
        self.format = format
        self.choice = choice
        columnless = choice.fields.isEmpty && format.hasColumns && format != .table ? schema.columnless : []
        if !choice.fields.isEmpty {
            columns = choice.fields.map { path in
                schema.columns.first { $0.path == path }?.withoutName ?? RecordColumn(path, kind: schema.kind(path))
            }
        } else if format.hasColumns {
            let known =
                switch (format, choice.names) {
                case (.table, .ids): schema.tableColumns.map(\.withoutName)
                case (.table, _): schema.tableColumns
                case (_, let names): schema.columns(named: names == .names)
                }
            guard !known.isEmpty else { throw .noColumns(format) }
            columns = known
        } else {
            columns = nil
        }
        money =
            switch choice.money ?? (choice.decimalMark == nil ? choice.defaults.money : .major) {
            case .minor: .minor
            case .major: format == .table ? .signed : .major
            case nil: format == .table ? .signed : .minor
            }
        times =
            switch choice.times ?? Self.defaultTimes(choice) {
            case .sent: .asSent
            case .iso: .iso
            case nil: format == .table ? .short : choice.zone != nil ? .iso : .asSent
            }
        zone = choice.zone ?? choice.defaults.zone ?? (format == .table ? .merchant : .utc)
    }

    /// True if the user selected the columns; otherwise they come from the schema.
    package var hasChosenFields: Bool { !choice.fields.isEmpty }

    /// Whether the output shows the names of what records refer to: in a table unless ids were requested, otherwise only on
    /// request.
    package var showsNames: Bool { choice.names == .names || format == .table && choice.names == nil }

    /// The default time style. A zone given by flag means that times are formatted.
    private static func defaultTimes(_ choice: FormatChoice) -> FormatChoice.Times? {
        choice.defaults.times == .sent && choice.zone != nil ? nil : choice.defaults.times
    }

    /// Whether `layout` needs the merchant's currency.
    package var needsCurrency: Bool { money != .minor && !moneyColumns.isEmpty }

    private var moneyColumns: [FieldPath] {
        (columns ?? []).filter { if case .money = $0.kind { true } else { false } }.map(\.path)
    }

    private var timeColumns: [FieldPath] {
        (columns ?? []).filter { if case .time = $0.kind { true } else { false } }.map(\.path)
    }

    /// Whether `layout` needs the merchant's time zone.
    package var needsTimeZone: Bool { times != .asSent && zone == .merchant && !timeColumns.isEmpty }

    /// The layout of the records.
    ///
    /// If the merchant's zone or currency is missing or unknown, times are in UTC and amounts in minor units, and
    /// `notices` reports it, unless the user explicitly asked for it.
    /// - Parameters:
    ///   - timeZone: the merchant's zone as named by the service, if `needsTimeZone`.
    ///   - currency: the merchant's currency code, if `needsCurrency`.
    ///   - terminalWidth: the width of the terminal in columns; nil if there is none.
    /// - Throws: `.zone`, `.unknownCurrency`, `.merchantUnknown` for explicit choices.
    package func layout(
        timeZone: String?, currency: String?, terminalWidth: Int?
    ) throws(RecordFormatError) -> RecordLayout {
        var layout = RecordLayout(format: format, columns: columns)
        layout.hasHeader = choice.hasHeader && choice.defaults.hasHeader
        layout.isSpreadsheetSafe = choice.isSpreadsheetSafe || choice.defaults.isSpreadsheetSafe && format == .csv
        layout.csv.separator = choice.separator ?? layout.csv.separator
        layout.csv.hasDecimalComma = choice.decimalMark == .comma
        layout.csv.hasByteOrderMark = choice.hasByteOrderMark
        layout.terminalWidth = terminalWidth
        layout.notesOthers = columns != nil && !hasChosenFields
        if needsCurrency { layout.money = try style(of: currency, &layout.notices) }
        if times != .asSent {
            let rules = try rules(timeZone, &layout.notices)
            layout.times = times == .short ? .short(rules) : .iso(rules)
            // Short times have no offset, so that the screen must name their zone once.
            if times == .short, terminalWidth != nil, !choice.isZoneNamed,
                !layout.notices.contains(where: { $0.columns == timeColumns })
            {
                layout.notices.append(RecordLayout.Notice(text: "times are in \(rules.name)", columns: timeColumns))
            }
        }
        return layout
    }

    private func style(
        of code: String?, _ notices: inout [RecordLayout.Notice]
    ) throws(RecordFormatError) -> MoneyStyle {
        do throws(RecordFormatError) {
            guard let code else { throw .merchantUnknown(.currency) }
            let known = try Currency(code: code)
            return money == .signed ? .signed(known) : .major(known)
        } catch {
            // The user explicitly asked for it.
            if choice.money != nil || choice.decimalMark != nil { throw error }
            let why = code == nil ? "\(error)" : "\(error), which is the merchant's"
            notices.append(
                RecordLayout.Notice(
                    text: "amounts without their own currency are in minor units: \(why)",
                    columns: moneyColumns))
            return money == .signed ? .signed(.unlisted(code)) : .minor
        }
    }

    private func rules(
        _ timeZone: String?, _ notices: inout [RecordLayout.Notice]
    ) throws(RecordFormatError) -> TimeZoneRules {
        switch zone {
        case .utc: return .utc
        case .named(let name): return try TimeZoneRules.named(name)
        case .merchant:
            // Irrelevant if there is no time to print.
            guard needsTimeZone else { return .utc }
            do throws(RecordFormatError) {
                guard let timeZone else { throw .merchantUnknown(.timeZone) }
                return try TimeZoneRules.named(timeZone)
            } catch {
                if choice.zone != nil {
                    if case .zone(.unknown(let name)) = error { throw .noSuchMerchantZone(name) }
                    throw error
                }
                let why =
                    timeZone == nil
                    ? "\(error); to choose one, use --zone"
                    : "\(error), which is the merchant's; to choose another, use --zone"
                notices.append(RecordLayout.Notice(text: "times are in UTC: \(why)", columns: timeColumns))
                return .utc
            }
        }
    }

    private static func format(_ choice: FormatChoice, _ situation: Situation, _ schema: RecordSchema) -> RecordFormat {
        if let format = choice.format { return format }
        if situation.isSlurping, !situation.hasProgram { return .json }
        let canBeTable = !choice.fields.isEmpty || !schema.tableColumns.isEmpty
        return situation.isForPerson && !situation.hasProgram && canBeTable ? .table : .ndjson
    }

    private static func check(
        _ choice: FormatChoice, _ format: RecordFormat, _ situation: Situation
    ) throws(RecordFormatError) {
        let name = choice.formatDefaultSource ?? "--format \(format.rawValue)"
        if let option = situation.programOption {
            if !choice.fields.isEmpty { throw .conflict("--fields", option) }
            if format != .ndjson { throw .conflict(name, option) }
        }
        if situation.isSlurping, choice.format != nil, format != .json, !situation.hasProgram {
            throw .conflict(name, "--slurp")
        }
        if let option = choice.optionForCSV, format != .csv {
            throw choice.format == nil ? .needsFormat(option: option, [.csv]) : .conflict(option, name)
        }
        if choice.decimalMark != nil, choice.money == .minor { throw .conflict("--decimal", "--money minor") }
        if !choice.hasHeader, !format.hasColumns {
            let formats = RecordFormat.allCases.filter { $0.hasColumns && $0 != .xlsx }
            throw choice.format == nil ? .needsFormat(option: "--no-header", formats) : .conflict("--no-header", name)
        }
        if !format.hasColumns, choice.fields.isEmpty {
            if choice.money == .major { throw .needsFields(option: "--money") }
            if choice.times == .iso { throw .needsFields(option: "--times") }
            if choice.zone != nil { throw .needsFields(option: "--zone") }
        }
        if choice.times == .sent, choice.zone != nil { throw .conflict("--times sent", "--zone") }
    }
}

/// The user's output options; nil means not set. `FormatPlan` resolves all defaults and conflicts.
package struct FormatChoice: Sendable, Equatable {
    package enum Money: String, Sendable, CaseIterable {
        case minor
        case major
    }

    package enum Times: String, Sendable, CaseIterable {
        /// As the service sends them.
        case sent
        case iso
    }

    /// What stands for an employee, a tender and so on to which a record refers.
    package enum Names: Sendable {
        case ids
        case names
    }

    /// What stands before the decimals of a number in CSV.
    package enum DecimalMark: String, Sendable, CaseIterable {
        case point
        case comma
    }

    package enum Zone: Sendable, Equatable {
        case utc
        case merchant
        /// A name in the zone database.
        case named(String)

        /// Parses `merchant`, `UTC` in any case, or a name. `FormatPlan.layout` checks whether the database has it.
        package init(parsing text: String) {
            switch text.lowercased() {
            case "merchant": self = .merchant
            case "utc", "z": self = .utc
            default: self = .named(text)
            }
        }

        /// The text that is parsed to it.
        package var name: String {
            switch self {
            case .utc: "UTC"
            case .merchant: "merchant"
            case .named(let name): name
            }
        }
    }

    /// Configured defaults, overridden by flags. A default that does not apply to a format is silently ignored.
    package struct FormatDefaults: Sendable, Equatable {
        package var money: Money?
        package var times: Times?
        /// The zone for times that are formatted anyway.
        package var zone: Zone?
        package var hasHeader = true
        package var isSpreadsheetSafe = false

        package init() {}
    }

    package var format: RecordFormat?
    /// The source of the format if it is a configured default, such as `CLOVER_FORMAT=csv`.
    package var formatDefaultSource: String?
    package var defaults = FormatDefaults()
    /// Nil shows names in tables only.
    package var names: Names?
    /// The selected fields in column order; empty if none were selected.
    package var fields: [FieldPath] = []
    package var money: Money?
    package var times: Times?
    package var zone: Zone?
    package var hasHeader = true
    package var isSpreadsheetSafe = false
    /// Separator of CSV, one byte of ASCII.
    package var separator: UInt8?
    /// Amounts are then in major units.
    package var decimalMark: DecimalMark?
    package var hasByteOrderMark = false
    /// Whether the time zone of a table is named beside it, so that no notice needs to.
    package var isZoneNamed = false

    package init() {}

    /// The first given option that applies to CSV only.
    package var optionForCSV: String? {
        let options = [
            (isSpreadsheetSafe, "--csv-safe"), (hasByteOrderMark, "--csv-bom"), (decimalMark != nil, "--decimal"),
            (separator != nil, "--separator"),
        ]
        return options.first { $0.0 }?.1
    }

    /// The options that decide how the values of CSV are written, apart from `isSpreadsheetSafe`; empty if none is given.
    package var storedCSVCode: String {
        (separator.map { " separator=\($0)" } ?? "") + (decimalMark.map { " decimal=\($0.rawValue)" } ?? "")
    }

    /// How money and times are shown, as exports store it. The words are those of version 0.1.0, so that its destinations
    /// are recognized; they never change, whatever types are called.
    package var storedCode: String {
        func code(_ type: String, _ value: String?) -> String {
            value.map { "Optional(CloverRecords.FormatChoice.\(type).\($0))" } ?? "nil"
        }
        let zoneCode: String? =
            switch zone {
            case .utc: "utc"
            case .merchant: "merchant"
            case .named(let name): "named(\(name.debugDescription))"
            case nil: nil
            }
        return [code("Money", money?.rawValue), code("Times", times?.rawValue), code("Zone", zoneCode)]
            .joined(separator: " ")
    }
}
