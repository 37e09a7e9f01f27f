import CloverCalendar
import CloverJSON
import CloverOutput
import Testing

@Suite("The choice of a format")
struct FormatPlanTests {
    private func path(_ text: String) throws -> FieldPath { try FieldPath(parsing: text) }

    private func schema() throws -> RecordSchema {
        RecordSchema(columns: [
            RecordColumn(try path("href")),
            RecordColumn(try path("total"), kind: .money(currency: try path("currency"))),
            RecordColumn(try path("createdTime"), kind: .time(.milliseconds)), RecordColumn(try path("id")),
        ])
    }

    private func choice(
        _ format: RecordFormat? = nil, fields: String = "", _ change: (inout FormatChoice) -> Void = { _ in }
    ) throws -> FormatChoice {
        var choice = FormatChoice()
        choice.format = format
        if !fields.isEmpty { choice.fields = try FieldPath.list(parsing: fields) }
        change(&choice)
        return choice
    }

    private func layout(
        _ choice: FormatChoice, isForPerson: Bool = false, timeZone: String? = nil, currency: String? = nil
    ) throws -> RecordLayout {
        try FormatPlan(choice, in: .init(isForPerson: isForPerson), schema: schema()).layout(
            timeZone: timeZone, currency: currency, terminalWidth: 80)
    }

    @Test("left open, it is whole records in a pipe and a table for a person")
    func defaults() throws {
        let piped = try FormatPlan(choice(), in: .init(), schema: schema())
        #expect(piped.format == .ndjson && piped.columns == nil && !piped.needsCurrency && !piped.needsTimeZone)
        let shown = try FormatPlan(choice(), in: .init(isForPerson: true), schema: schema())
        #expect(shown.format == .table && shown.needsCurrency && shown.needsTimeZone)
        #expect(shown.columns?.map(\.path.text) == ["id", "createdTime", "total"])
        #expect(try FormatPlan(choice(), in: .init(isForPerson: true), schema: .unknown).format == .ndjson)
        #expect(try FormatPlan(choice(fields: "x"), in: .init(isForPerson: true), schema: .unknown).format == .table)
        #expect(try FormatPlan(choice(), in: .init(isSlurping: true), schema: schema()).format == .json)
        let program = FormatPlan.Situation(isForPerson: true, programOption: "--jq")
        #expect(try FormatPlan(choice(), in: program, schema: schema()).format == .ndjson)
    }

    @Test("csv and tsv have the columns of the schema, unless fields are named")
    func columns() throws {
        let all = try FormatPlan(choice(.csv), in: .init(), schema: schema())
        #expect(all.columns?.map(\.path.text) == ["href", "total", "createdTime", "id"])
        let named = try FormatPlan(choice(.tsv, fields: "x,total"), in: .init(), schema: schema())
        #expect(named.columns?.map(\.kind) == [.plain, .money(currency: try path("currency"))])
        let schema = RecordSchema(columns: [], kind: { $0.text.hasSuffix("Time") ? .time(.seconds) : .plain })
        let inner = try FormatPlan(choice(.tsv, fields: "a.inTime,b"), in: .init(), schema: schema)
        #expect(inner.columns?.map(\.kind) == [.time(.seconds), .plain])
        #expect(throws: RecordFormatError.noColumns(.csv)) {
            try FormatPlan(choice(.csv), in: .init(), schema: .unknown)
        }
    }

    @Test("names replace ids in a table unless these are requested, and follow them in csv on request")
    func names() throws {
        let column = RecordColumn(try path("employee.id"), namePath: try path("employee.name"))
        let schema = RecordSchema(columns: [RecordColumn(try path("id")), column], tableColumns: [column])
        func plan(_ choice: FormatChoice) throws -> (FormatPlan, [String?]) {
            let plan = try FormatPlan(choice, in: .init(), schema: schema)
            return (plan, plan.columns?.map { $0.namePath?.text ?? $0.path.text } ?? [])
        }
        let (table, shown) = try plan(choice(.table))
        #expect(table.showsNames && shown == ["employee.name"])
        let (ids, unnamed) = try plan(choice(.table) { $0.names = .ids })
        #expect(!ids.showsNames && unnamed == ["employee.id"])
        let (csv, plain) = try plan(choice(.csv))
        #expect(!csv.showsNames && plain == ["id", "employee.id"])
        let (named, both) = try plan(choice(.csv) { $0.names = .names })
        #expect(named.showsNames && both == ["id", "employee.id", "employee.name"])
        // A field that was chosen is what it says.
        #expect(try plan(choice(.table, fields: "employee.id")).1 == ["employee.id"])
        #expect(try !FormatPlan(choice(), in: .init(), schema: schema).showsNames)
        #expect(try FormatPlan(choice { $0.names = .names }, in: .init(), schema: schema).showsNames)
    }

    @Test("amounts and times are printed as sent, except on request or for people")
    func styles() throws {
        let plain = try layout(choice(.csv))
        #expect(plain.money == .minor && plain.times == .asSent && plain.terminalWidth == 80 && plain.hasHeader)
        let asked = try layout(
            choice(.csv) {
                $0.money = .major
                $0.times = .iso
                $0.hasHeader = false
                $0.isSpreadsheetSafe = true
            }, currency: "EUR")
        #expect(try asked.money == .major(Currency(code: "EUR")))
        #expect(asked.times == .iso(.utc) && !asked.hasHeader && asked.isSpreadsheetSafe)
        let berlin = try TimeZoneRules(named: "Europe/Berlin")
        #expect(try layout(choice(.csv) { $0.zone = .named("Europe/Berlin") }).times == .iso(berlin))
        #expect(try layout(choice(.csv) { $0.zone = .merchant }, timeZone: "Europe/Berlin").times == .iso(berlin))
        let table = try layout(choice(.table), timeZone: "Europe/Berlin", currency: "usd")
        #expect(table.money == .signed(.usDollar) && table.times == .short(berlin))
        // Short times have no offset.
        #expect(table.notices.map(\.text) == ["times are in Europe/Berlin"])
        #expect(try layout(choice(.table) { $0.isZoneNamed = true }, timeZone: "Europe/Berlin").notices.count == 1)
        #expect(try layout(choice(.csv) { $0.zone = .merchant }, timeZone: "Europe/Berlin").notices.isEmpty)
    }

    @Test(
        "an unknown zone or currency falls back to UTC and minor units, with a notice",
        arguments: [
            (
                nil, nil, "the merchant's time zone is not known; to choose one, use --zone",
                "the merchant's currency is not known"
            ),
            (
                "Mars/Olympus", "ZZZ",
                "unknown time zone 'Mars/Olympus', which is the merchant's; to choose another, use --zone",
                "unknown currency 'ZZZ', which is the merchant's"
            ),
        ])
    func unknownFacts(_ zone: String?, _ currency: String?, _ zoneWords: String, _ currencyWords: String) throws {
        let table = try layout(choice(.table), timeZone: zone, currency: currency)
        #expect(table.times == .short(.utc))
        #expect(
            table.notices.map(\.text) == [
                "amounts without their own currency are in minor units: \(currencyWords)",
                "times are in UTC: \(zoneWords)",
            ])
        let habit = try layout(
            choice(.csv) {
                $0.defaults.money = .major
                $0.defaults.times = .iso
                $0.defaults.zone = .merchant
            }, timeZone: zone, currency: currency)
        #expect(habit.money == .minor && habit.times == .iso(.utc) && habit.notices.count == 2)
    }

    @Test("missing merchant facts fall back to defaults, unless explicitly requested")
    func merchantUnknown() throws {
        for format in [RecordFormat.table, .csv] {
            #expect(throws: RecordFormatError.merchantUnknown(.currency)) {
                try layout(choice(format) { $0.money = .major }, timeZone: "UTC")
            }
            #expect(throws: RecordFormatError.merchantUnknown(.timeZone)) {
                try layout(choice(format) { $0.zone = .merchant }, currency: "USD")
            }
        }
        #expect(throws: RecordFormatError.zone(.unknown("Mars/Olympus"))) {
            try layout(choice(.table) { $0.zone = .named("Mars/Olympus") }, currency: "USD")
        }
        #expect(throws: RecordFormatError.zone(.unknown("Mars/Olympus"))) {
            try layout(choice(.table) { $0.defaults.zone = .named("Mars/Olympus") }, currency: "USD")
        }
        // Without such a column nothing of it is needed.
        let plain = try layout(
            choice(.csv, fields: "id") {
                $0.money = .major
                $0.zone = .merchant
            })
        #expect(plain.money == .minor && plain.times == .iso(.utc))
    }

    @Test("conflicting options are named")
    func conflicts() throws {
        func failure(_ choice: FormatChoice, _ situation: FormatPlan.Situation = .init()) throws -> RecordFormatError? {
            do throws(RecordFormatError) {
                _ = try FormatPlan(
                    choice, in: situation, schema: .init(columns: [RecordColumn(try .parsed("id"))]))
                return nil
            } catch {
                return error
            }
        }
        let program = FormatPlan.Situation(programOption: "--jq")
        #expect(try failure(choice(fields: "id"), program) == .conflict("--fields", "--jq"))
        #expect(try failure(choice(.csv), program) == .conflict("--format csv", "--jq"))
        #expect(try failure(choice(.ndjson), program) == nil)
        #expect(try failure(choice(.table), .init(isSlurping: true)) == .conflict("--format table", "--slurp"))
        #expect(try failure(choice(.json), .init(isSlurping: true)) == nil)
        let raw = FormatPlan.Situation(programOption: "--raw-output")
        #expect(try failure(choice(.csv), raw) == .conflict("--format csv", "--raw-output"))
        #expect(try failure(choice { $0.isSpreadsheetSafe = true }) == .needsFormat(option: "--csv-safe", [.csv]))
        #expect(
            try failure(choice { $0.hasHeader = false }) == .needsFormat(option: "--no-header", [.csv, .tsv, .table]))
        #expect(
            try failure(choice(.tsv) { $0.isSpreadsheetSafe = true }) == .conflict("--csv-safe", "--format tsv"))
        #expect(
            try failure(choice { $0.hasByteOrderMark = true }) == .needsFormat(option: "--csv-bom", [.csv]))
        #expect(try failure(choice(.tsv) { $0.separator = 0x3B }) == .conflict("--separator", "--format tsv"))
        #expect(try failure(choice(.table) { $0.decimalMark = .comma }) == .conflict("--decimal", "--format table"))
        #expect(
            try failure(
                choice(.csv) {
                    $0.decimalMark = .comma
                    $0.money = .minor
                }) == .conflict("--decimal", "--money minor"))
        let habit = try choice(.json) {
            $0.hasHeader = false
            $0.formatDefaultSource = "CLOVER_FORMAT=json"
        }
        #expect(try failure(habit) == .conflict("--no-header", "CLOVER_FORMAT=json"))
        #expect(try failure(choice(.json) { $0.hasHeader = false }) == .conflict("--no-header", "--format json"))
        #expect(try failure(choice(.json) { $0.money = .major }) == .needsFields(option: "--money"))
        #expect(try failure(choice { $0.times = .iso }) == .needsFields(option: "--times"))
        #expect(try failure(choice { $0.zone = .utc }) == .needsFields(option: "--zone"))
        #expect(try failure(choice(fields: "id") { $0.zone = .utc }) == nil)
        let sent = try choice(.csv) {
            $0.times = .sent
            $0.zone = .utc
        }
        #expect(try failure(sent) == .conflict("--times sent", "--zone"))
    }

    @Test("zones are parsed as the merchant's, UTC or a name")
    func zones() {
        #expect(FormatChoice.Zone(parsing: "Merchant") == .merchant)
        #expect(FormatChoice.Zone(parsing: "utc") == .utc)
        #expect(FormatChoice.Zone(parsing: "Europe/Berlin") == .named("Europe/Berlin"))
    }
}
