package import CloverAPI
import CloverCalendar
package import CloverConfiguration
package import CloverJSON
package import CloverOutput
import CloverSystem
import Synchronization

/// Prints a command's records with a jq program or in a format. All records reach standard output through it.
package struct RecordPrinting: Sendable {
    package var program: ProgramChoice?
    package var format = FormatChoice()
    /// Whether to print JSON on a terminal, too.
    package var isJSON = false
    package var slurp = false
    /// Whether to compile the program before anything is sent, rather than while waiting for the first response.
    package var compilesFirst = false
    /// Keeps the first record that cannot be printed; nil to report each one immediately.
    var firstFailure: FirstFailure?
    /// Currency and time zone of records of no merchant, or facts that were already requested.
    package var facts = MerchantSettings()
    /// Whether `facts` were already requested.
    package var hasFacts = false
    /// Whether the request has dates, whose days are those of `--zone`.
    package var readsDates = false
    /// Currency and time zone of records of our own, if they are a merchant's; otherwise amounts name their own currency.
    package var settings: MerchantSettings?
    /// The time zones of records of several shops, each of which names its own.
    package var zones: [String] = []
    /// The merchant of records of our own, whose settings are requested if a jq program needs them.
    package var merchant: ConnectionChoice?
    /// Whether the records have more than one currency or time zone.
    package var differByShop = false
    /// The name in messages of the record with this number, counted from 0; without one, its ID or its number is.
    package var recordName: (@Sendable (Int) -> String?)?
    /// Whether a notice about columns was not given before; for runs that print records more than once.
    package var isNewNotice: @Sendable (String) -> Bool = { _ in true }

    package init(
        program: ProgramChoice? = nil, format: FormatChoice = FormatChoice(), isJSON: Bool = false,
        slurp: Bool = false, compilesFirst: Bool = false, firstFailure: FirstFailure? = nil
    ) {
        self.program = program
        self.format = format
        self.isJSON = isJSON
        self.slurp = slurp
        self.compilesFirst = compilesFirst
        self.firstFailure = firstFailure
    }

    /// Plans the format and finds conflicts before anything is sent.
    ///
    /// - Parameter schema: schema of the records. It is evaluated only where columns may be printed, because reading the
    ///   catalogue takes a millisecond.
    package func plan(
        _ schema: @autoclosure () throws(RecordFormatError) -> RecordSchema, in environment: CommandEnvironment
    ) throws(RecordFormatError) -> FormatPlan {
        let situation = FormatPlan.Situation(
            isForPerson: environment.terminal.isOutputTerminal && !isJSON, programOption: program?.option,
            isSlurping: slurp)
        let mayHaveColumns =
            situation.isForPerson || !format.fields.isEmpty || format.format.map(\.hasColumns) ?? false
        var format = format
        // Where nothing is formatted, the zone is that of the request's dates.
        if readsDates || usesShopFunctions, !mayHaveColumns { format.zone = nil }
        return try FormatPlan(format, in: situation, schema: mayHaveColumns ? try schema() : .unknown)
    }

    /// Makes the filter that prints records.
    ///
    /// - Parameters:
    ///   - client: client to request the merchant's currency and time zone where the format needs them; nil to request
    ///     nothing.
    ///   - guide: reports at the end where columns and records differ.
    package func makeFilter(
        _ plan: FormatPlan, _ guide: FieldValidator, _ client: ServiceClient?, merchantID: String,
        in environment: CommandEnvironment
    ) async throws -> any RecordFilter {
        if environment.terminal.isOutputTerminal {
            await environment.standardOutput.sanitize(terminalForm(plan))
        }
        guard let program else {
            return try await makePrinter(plan, guide, client, merchantID: merchantID, in: environment)
        }
        var options = program.options
        options.slurp = slurp
        let source = try text(of: program.source)
        let shop =
            ShopFunctions.mayBeUsed(in: source)
            ? try await shopFunctions(client, merchantID: merchantID, in: environment) : nil
        let compiled = try JQProgram(source: source, options: options, shop: shop)
        if compiled.readsSeveralShops { throw RecordFormatError.shopsDiffer(program.option) }
        let diagnostics = environment.diagnostics
        let isSlurping = slurp
        let (firstFailure, recordName) = (firstFailure, recordName)
        if compiled.needsWholeStream { firstFailure?.noteReadingAhead() }
        let filter = JQFilter(
            program: compiled, output: environment.standardOutput, workers: max(1, environment.processors()),
            onFailure: { failure in
                let record =
                    recordName?(failure.index) ?? failure.id.map { "record \($0)" }
                    ?? "record number \(failure.index + 1)"
                let name = isSlurping ? "the array of all records" : record
                if let firstFailure { return firstFailure.add("\(name): \(failure.message)", failure) }
                diagnostics.failure("jq failed on \(name): \(failure.message)", code: "record_failed", status: 65)
            },
            onMessage: { diagnostics.pass($0) })
        if compilesFirst { try await filter.compiled() } else { filter.prepare() }
        return filter
    }

    /// Whether the program may use the functions that need the shop's time zone. A program that cannot be read is reported
    /// where it is used.
    private var usesShopFunctions: Bool {
        guard let source = program?.source, let text = try? text(of: source) else { return false }
        return ShopFunctions.mayBeUsed(in: text)
    }

    /// What `money`, `day`, `hour` and `iso` of a program mean. What is unknown is an error of the program that uses it.
    private func shopFunctions(
        _ client: ServiceClient?, merchantID: String, in environment: CommandEnvironment
    ) async throws -> ShopFunctions {
        var facts = settings ?? MerchantSettings()
        if let client {
            do {
                facts =
                    hasFacts
                    ? self.facts : try await MerchantSettings.read(client, merchantID: merchantID, in: environment)
            } catch let error as ServiceError where Self.concernsSettingsOnly(error) {
                environment.diagnostics.detail("the merchant's settings are not known: \(Self.words(error))")
            }
        } else if settings == nil, let merchant {
            facts = try await DisplayedTimes.merchantSettings(merchant, in: environment) ?? MerchantSettings()
        }
        let zone: TimeZoneRules? =
            switch format.zone ?? format.defaults.zone {
            case .utc: .utc
            case .named(let name): try TimeZoneRules.named(name)
            case .merchant, nil: try facts.timezone.flatMap { $0.isEmpty ? nil : try TimeZoneRules.named($0) }
            }
        return ShopFunctions(
            zone: zone,
            currency: try facts.defaultCurrency.map { code throws(RecordFormatError) in try Currency(code: code) },
            zones: try zones.map(TimeZoneRules.named), differByRecord: differByShop)
    }

    private func makePrinter(
        _ plan: FormatPlan, _ guide: FieldValidator, _ client: ServiceClient?, merchantID: String,
        in environment: CommandEnvironment
    ) async throws -> any RecordFilter {
        var facts = facts
        var trouble: ServiceError?
        if let client, !hasFacts, plan.needsTimeZone || plan.needsCurrency {
            do {
                facts = try await MerchantSettings.read(client, merchantID: merchantID, in: environment)
            } catch let error as ServiceError where Self.concernsSettingsOnly(error) {
                trouble = error
            }
        }
        var layout: RecordLayout
        do throws(RecordFormatError) {
            layout = try plan.layout(
                timeZone: facts.timezone, currency: facts.defaultCurrency, terminalWidth: environment.terminal.width)
        } catch {
            // When the option requires the setting, the failed request is the better error.
            if let trouble { throw trouble }
            throw error
        }
        layout.isColored = environment.screen.isColored
        layout.hasLoneHeader = !Self.reportsEmptyAsMessage(plan, in: environment)
        let diagnostics = environment.diagnostics
        let hidden = HiddenColumns()
        let notices = layout.notices
        let cause = (trouble.map(Self.words) ?? facts.trouble).map {
            "cannot read the merchant's settings: \($0)"
        }
        let (firstFailure, isNewNotice) = (firstFailure, isNewNotice)
        return try layout.makeFilter(
            output: environment.standardOutput,
            onFailure: { failure in
                if let firstFailure { return firstFailure.add("\(failure)") }
                diagnostics.failure("\(failure)", code: "record_failed", status: 65)
            },
            onHidden: { hidden.note($0) },
            onEnd: { report in
                if let notice = hidden.notice { diagnostics.notice(notice) }
                let due = notices.filter { $0.isDue(report, hidden: hidden.titles) }
                if let cause, !due.isEmpty { diagnostics.notice(cause) }
                for notice in due { diagnostics.notice(notice.text) }
                for line in guide.notices(report, of: plan) where isNewNotice(line) { diagnostics.notice(line) }
            })
    }

    /// Whether the error concerns this request only. Any other error will fail the request for records, too.
    private static func concernsSettingsOnly(_ error: ServiceError) -> Bool {
        switch error {
        case .refused, .failed, .unreadable: true
        case .unauthorized, .forbidden, .notFound, .rateLimited, .paused, .unreachable, .redirected, .filterIgnored:
            false
        }
    }

    private static func words(_ error: ServiceError) -> String {
        switch error {
        case .failed(let status, _, let retries, _, _):
            "the service failed with \(status)"
                + (retries > 0 ? " after \(retries) \(retries == 1 ? "retry" : "retries")" : "")
        case .refused(let status, _, _): "the service responded with \(status)"
        case .unreadable(let error, _, _): "\(error)"
        default: "\(error)"
        }
    }

    /// Whether an empty result is reported as a message, instead of a table header without rows.
    package static func reportsEmptyAsMessage(_ plan: FormatPlan, in environment: CommandEnvironment) -> Bool {
        plan.format == .table && environment.terminal.isOutputTerminal
    }

    /// How control characters are kept from a terminal.
    private func terminalForm(_ plan: FormatPlan) -> TerminalFilter.Form? {
        if let program { return program.options.rawOutput || program.options.joinOutput ? .text : .json }
        return plan.format.terminalForm
    }

    private func text(of source: ProgramChoice.Source) throws -> String {
        switch source {
        case .text(let text): text
        case .file(let path): try TextFile.read(path)
        }
    }

    /// Throws when records could not be printed.
    package func check(_ report: FilterReport) throws(CoreError) {
        guard report.failures > 0, report.halt == nil else { return }
        throw program == nil
            ? .recordsNotPrinted(report.failures) : .recordsFailed(report.failures, isArray: slurp)
    }
}

/// Records of our own, which are printed in the same way as those of the service.
extension RecordPrinting {
    /// Whether a command may use its own layout: for a table that was asked for, and on a terminal if nothing was.
    package func isOpen(in environment: CommandEnvironment) -> Bool {
        var asked = format
        asked.defaults = FormatChoice().defaults
        // Our own tables support zones.
        asked.zone = nil
        guard !isJSON, program == nil, !slurp else { return false }
        var table = FormatChoice()
        table.format = .table
        return asked == table || (environment.terminal.isOutputTerminal && asked == FormatChoice())
    }

    /// Whether the records are printed as a table for a person.
    package func isTable(_ schema: RecordSchema, in environment: CommandEnvironment) throws -> Bool {
        guard environment.terminal.isOutputTerminal, program == nil, !slurp else { return false }
        var printing = self
        printing.readsDates = settings != nil
        return try printing.plan(schema, in: environment).format == .table
    }

    /// Prints records.
    ///
    /// - Parameters:
    ///   - lines: the records as lines of JSON.
    ///   - merchant: merchant whose time zone is requested where times are printed in it.
    package func print(
        _ lines: [String], _ schema: RecordSchema, merchant: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> FilterReport {
        var printing = self
        printing.compilesFirst = true
        printing.merchant = merchant
        // Our amounts name their currency, but the layout requires a default.
        printing.readsDates = settings != nil
        printing.facts = settings ?? MerchantSettings(zone: "", currency: Currency.usDollar.code)
        var plan = try printing.plan(schema, in: environment)
        let batch = RecordBatch(lines: lines)
        try check(schema, batch)
        var notice: String?
        if settings != nil {
            printing.hasFacts = true
        } else if plan.needsTimeZone, lines.isEmpty {
            printing.facts.timezone = TimeZoneRules.utc.name
        } else if plan.needsTimeZone {
            let times = try await DisplayedTimes.ofMerchant(.merchant, merchant, merchant: merchant, in: environment)
            printing.facts.timezone = times.zone.name
            notice = times.notice
            if notice != nil {
                printing.format.isZoneNamed = true
                plan = try printing.plan(schema, in: environment)
            }
        }
        let filter = try await printing.makeFilter(
            plan, .ours, nil, merchantID: "", in: environment)
        _ = try await filter.consume(batch)
        let report = try await filter.finish()
        if let notice { environment.diagnostics.notice(notice) }
        try printing.check(report)
        return report
    }

    /// Prints records as they come, which may be many.
    ///
    /// - Parameters:
    ///   - schema: all members of the records.
    ///   - merchant: merchant whose settings are requested if a jq program needs them; nil if there is none.
    ///   - next: returns the next records, and nil at the end.
    package func print(
        _ schema: RecordSchema, merchant: ConnectionChoice? = nil, in environment: CommandEnvironment,
        next: () async throws -> RecordBatch?
    ) async throws -> FilterReport {
        var printing = self
        printing.compilesFirst = true
        printing.merchant = merchant
        printing.facts = settings ?? MerchantSettings(zone: TimeZoneRules.utc.name, currency: Currency.usDollar.code)
        printing.hasFacts = settings != nil
        let plan = try printing.plan(schema, in: environment)
        try check(schema, RecordBatch())
        let filter = try await printing.makeFilter(plan, .ours, nil, merchantID: "", in: environment)
        while let batch = try await next(), try await filter.consume(batch) == .more {}
        let report = try await filter.finish()
        try printing.check(report)
        return report
    }

    /// Finds conflicts of the options, and fields that none of the records will have, before anything is read.
    ///
    /// - Parameter schema: all members that the records may have.
    package func check(_ schema: RecordSchema, in environment: CommandEnvironment) throws(RecordFormatError) {
        var printing = self
        printing.readsDates = true
        _ = try printing.plan(schema, in: environment)
        try check(schema, RecordBatch())
    }

    /// Refuses a field that these records do not have.
    private func check(_ schema: RecordSchema, _ batch: RecordBatch) throws(RecordFormatError) {
        let known = schema.columns.map(\.path.text) + schema.others
        let members = Set(known.map { $0.prefix { $0 != "." } })
        for field in format.fields {
            guard let name = field.names.first, !members.contains(name[...]),
                !batch.records.contains(where: { batch.value(of: name, in: $0) != nil })
            else { continue }
            throw .unknownField(field.text, records: nil, suggestions: NearestNames.of(field.text, among: known))
        }
    }
}

/// Keeps the description of the first record that could not be printed, where many would fail alike.
package final class FirstFailure: Sendable {
    private let note = Mutex<String?>(nil)
    private let isReadingAhead = Mutex(false)
    private let onFailure: (@Sendable (RecordFailure) -> Void)?

    /// - Parameter onFailure: gets each record on which a jq program failed.
    package init(onFailure: (@Sendable (RecordFailure) -> Void)? = nil) {
        self.onFailure = onFailure
    }

    package var text: String? { note.withLock(\.self) }
    /// Whether the program may have read further records when it failed on one (`input`), so that these have no result
    /// either.
    package var mayConcernOthers: Bool { isReadingAhead.withLock(\.self) }

    func add(_ text: String, _ failure: RecordFailure? = nil) {
        note.withLock { $0 = $0 ?? text }
        if let failure { onFailure?(failure) }
    }

    func noteReadingAhead() { isReadingAhead.withLock { $0 = true } }
}

/// Headings of columns that do not fit the terminal, kept until the table is printed.
final class HiddenColumns: Sendable {
    private let state = Mutex<[String]>([])

    func note(_ titles: [String]) { state.withLock { $0 += titles } }

    var titles: [String] { state.withLock(\.self) }

    /// Notice that names them; nil when there are none.
    var notice: String? {
        let titles = state.withLock(\.self)
        return titles.isEmpty ? nil : "no room for \(titles.joined(separator: ", ")); --fields chooses columns"
    }
}

extension FormatChoice.FormatDefaults {
    /// Printing defaults from environment variables and the configuration file.
    package init(_ settings: ConfigurationLayers) throws(ConfigurationError) {
        self.init()
        money = try settings.value(of: .money).flatMap { FormatChoice.Money(rawValue: $0.text) }
        times = try settings.value(of: .times).flatMap { FormatChoice.Times(rawValue: $0.text) }
        zone = try settings.value(of: .zone).map { FormatChoice.Zone(parsing: $0.text) }
        hasHeader = try !settings.isOn(.noHeader)
        isSpreadsheetSafe = try settings.isOn(.spreadsheetSafe)
    }
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
