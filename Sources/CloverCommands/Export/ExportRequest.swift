import CloverAPI
import CloverAuth
import CloverCalendar
import CloverCore
import CloverExport
import CloverHTTP
import CloverJSON
import CloverOutput
import CloverRateLimit
import CloverSystem

/// The options of `clover export` as typed; `ResourcePlan` has every default and conflict resolved.
struct ExportRequest: Sendable {
    /// Resources of a merchant: `orders`, `payments`.
    var resources: [String]
    /// The address of `--to`; nil without it.
    var address: String?
    var range = ExportRange()
    /// Time zone of business days and dates; nil for the merchant's.
    var timeZone: String?
    /// Template of file names; nil for the default names.
    var nameTemplate: String?
    /// `fields` are those of all resources without their own.
    var format = FormatChoice()
    /// Chosen fields of single resources, and of parts as `RESOURCE.PART`.
    var fields: [String: [FieldPath]] = [:]
    var program: ProgramChoice?
    /// Contents of the program's file, which identify the program whatever its path.
    var programText: String?
    var compression: Compression?
    /// Whether to append to files instead of creating new ones.
    var appends = false
    var expand: [String] = []
    /// Whether the lists of reports get the nested objects that reports need.
    var isForReports = false
    /// Nested lists that are exported to files of their own.
    var parts: [String] = []
    /// Whether to add the merchant to each record.
    var tagsMerchant = false
    var ifRunning = IfRunning.fail
    /// How to treat published files that are missing.
    var missingFiles = MissingFiles.report
    /// Maximum random delay before the start, in seconds.
    var jitter: Double?
    var maximumTime: Double?
    var maximumRetries = RetryPolicy.usualRetries
    var pacing = RateLimitOptions()
    var connection: ConnectionChoice
    /// Profiles to export; empty for the one connection, nil for all profiles.
    var profiles: [String]? = []
    var showsSensitive = false
    var writesSummary = false
    /// Whether each resource gets a current file beside its change files.
    var keepsCurrent = false
    /// Whether to mark the rows of records that the service no longer has.
    var marksDeleted = false
    /// Whether a record on which the jq program fails ends the run.
    var isStrict = false
    /// The schema of the merchant's tables, which is created if it does not exist; nil for the database's usual one.
    var schema: String?
    /// Whether other machines export other resources of the same merchant at the same time.
    var isShared = false
    /// The words of the command line after `clover export run`, to export a missing file again in the same form.
    var words: [String]?

    /// How files are named without `--name`.
    func usualNames(besideCurrent: Bool) throws(ExportError) -> NameTemplate {
        try NameTemplate(
            parsing: NameTemplate.usual(ofMany: hasManyMerchants, growing: appends, besideCurrent: besideCurrent)
        ).with(current: besideCurrent && !appends ? currentNames : nil)
    }

    /// Names of current files.
    var currentNames: NameTemplate.CurrentNames {
        NameTemplate.CurrentNames(ofMany: hasManyMerchants, isTagged: tagsMerchant)
    }

    /// Why its change files cannot be merged into a current file, as the option and a reason; nil when they can.
    var currentConflict: String? {
        if !destination.keepsFiles { return "--state current needs --to DIRECTORY" }
        let options: [(isGiven: Bool, name: String)] = [
            (program != nil, "--jq"), (compression != nil, "--compress"), (appends, "--append"),
            (!parts.isEmpty, "--with"), (format.format ?? .ndjson != .ndjson, "--format"),
            (!format.fields.isEmpty && !format.fields.contains { $0.text == "id" }, "--fields without id"),
        ]
        return options.first(where: \.isGiven).map {
            "\($0.name) and --state current exclude each other: a current file has whole records by their ids"
        }
    }

    /// What to do about published files that are missing from the destination.
    enum MissingFiles: Sendable, Equatable {
        /// Name them and exit with status 79.
        case report
        /// Export their windows again.
        case export
        /// Export the windows of these files again, and nothing else.
        case repair(Set<String>)
        /// Stop expecting them.
        case accept
    }

    /// What to do when another export to the same destination is running.
    enum IfRunning: String, Sendable, CaseIterable {
        case skip, wait, fail
    }

    /// Whether it only exports missing files again.
    var isRepair: Bool { if case .repair = missingFiles { true } else { false } }

    /// Whether the options show that there will be other runs. Standard output may go to a program that runs regularly.
    var recurrence: ExportStore.Recurrence {
        switch range.selection {
        case .last, .full: destination.keepsFiles ? .always : .ifRepeated
        case .day(let text): Period.words.contains(text.lowercased()) ? .ifRepeated : .once
        case .since(let text): text.hasPrefix("-") ? .ifRepeated : .once
        }
    }

    var hasManyMerchants: Bool { profiles != [] }

    var destination: any ExportDestination.Type { ExportDestinations.kind(of: address) }

    /// The time zone of `--zone`; nil for the merchant's.
    var namedZone: TimeZoneRules? {
        get throws {
            guard let timeZone, timeZone.lowercased() != "merchant" else { return nil }
            return try TimeZoneRules.named(timeZone)
        }
    }

    /// Hash of the options that decide which files there are and what bytes they have.
    var filesChoice: String {
        let choice = [
            outputChoice, nameTemplate ?? "", "\(appends)", range.windowSeconds.map { "\($0)" } ?? "",
        ]
        return StableHash.words(for: choice.joined(separator: "\n"))
    }

    /// The options that decide the bytes of a resource's files.
    var outputChoice: String {
        let values = program?.options.arguments.map { "\($0.name)=\($0.value.text)" } ?? []
        return (fileForm + values + [parts.joined(separator: ",")]).joined(separator: "\n")
    }

    /// The nested objects of a resource's records.
    func expansions(of resource: String) -> [String] {
        guard isForReports, let list = ReportList(rawValue: resource) else { return expand }
        return list.expand + expand.filter { !list.expand.contains($0) }
    }

    /// A copy for one resource, with its own nested objects and fields, and the fields of its parts.
    func of(_ resource: ResourcePlan) -> ExportRequest {
        var request = self
        request.expand = expansions(of: resource.name)
        if let own = fields[resource.name] { request.format.fields = own }
        request.fields = fields.filter { field in resource.parts.contains { resource.name(of: $0) == field.key } }
        return request
    }

    /// A copy for the file of a part: other fields and a program apply to the records only.
    ///
    /// - Parameter name: `RESOURCE.PART`.
    func ofPart(_ name: String) -> ExportRequest {
        var request = self
        request.program = nil
        request.format.fields = fields[name] ?? []
        request.fields = [:]
        return request
    }

    /// Hash of the options that decide what a file looks like.
    var fileChoice: String { StableHash.words(for: fileForm.joined(separator: "\n")) }

    private var fileForm: [String] {
        recordForm + [compression?.rawValue ?? "", "\(format.hasHeader)\(format.hasByteOrderMark ? " bom" : "")"]
    }

    /// Hash of the options that decide what records look like. Compression and file names are not part of it, because the
    /// files together have every record whatever these are. Nor are the values passed to a jq program, such as the date.
    var form: ExportForm {
        ExportForm(choice: StableHash.words(for: recordForm.joined(separator: "\n")), words: formWords)
    }

    private var recordForm: [String] {
        var parts = [
            (format.format ?? .ndjson).rawValue, "\(tagsMerchant)\(format.names == .names ? " names" : "")",
            "\(showsSensitive)",
            expand.sorted().joined(separator: ","),
            format.fields.map(\.text).joined(separator: ","),
            format.storedCode,
            "\(format.isSpreadsheetSafe)\(format.storedCSVCode)",
        ]
        parts += fieldsOfParts
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

    private var fieldsOfParts: [String] {
        fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.map(\.text).joined(separator: ","))" }
    }

    /// The options that make the form, as typed.
    private var formWords: String {
        var words = ["--format \((format.format ?? .ndjson).rawValue)"]
        if !format.fields.isEmpty { words.append("--fields \(format.fields.map(\.text).joined(separator: ","))") }
        words += fieldsOfParts.map { "--fields \($0)" }
        if let program {
            switch program.source {
            case .text(let text): words.append("\(program.option) '\(text)'")
            case .file(let path): words.append("\(program.option) \(path)")
            }
        }
        if !expand.isEmpty { words.append("--expand \(expand.joined(separator: ","))") }
        if format.names == .names { words.append("--names") }
        if tagsMerchant { words.append("--tag-merchant") }
        if showsSensitive { words.append("--show-sensitive") }
        return words.joined(separator: " ")
    }
}

extension ExportRequest {
    /// The connections to export, one for each merchant.
    ///
    /// - Parameter pause: notes a wait for the database with the sign-ins.
    func connections(
        noting pause: RateLimitPause? = nil, in environment: CommandEnvironment
    ) async throws -> [ConnectionChoice] {
        guard hasManyMerchants else { return [connection] }
        defer { pause?.isHeldUp(by: nil) }
        return try await connection.each(
            of: profiles, in: environment.waitingForSignIns(atMost: maximumTime, noting: pause))
    }
}

extension ConnectionChoice {
    /// The connections of profiles.
    ///
    /// - Parameter profiles: nil for all profiles.
    func each(of profiles: [String]?, in environment: CommandEnvironment) async throws -> [ConnectionChoice] {
        let names: [String]
        if let profiles {
            names = profiles
        } else {
            names = try await environment.profiles().all().keys.sorted()
            guard !names.isEmpty else { throw CoreError.notSignedIn(self) }
        }
        return names.map { name in
            var choice = ConnectionChoice(profile: name)
            choice.certificateFile = certificateFile
            return choice
        }
    }
}

/// One merchant of a run, with its connection and client.
struct ExportMerchant: Sendable {
    let connection: Connection
    let client: ServiceClient
    /// The rate limit's pause, if the service imposed one.
    let pause: RateLimitPause
    /// Adds names to records; nil without `--names`.
    let names: ReferenceNames?
    let profile: String?
    /// Time zone of dates and business days; nil when the run needs none.
    private(set) var zone: TimeZoneRules?

    var merchantID: String { connection.merchantID }

    /// Makes the client, without sending a request.
    init(
        _ request: ExportRequest, _ choice: ConnectionChoice, noting pause: RateLimitPause = RateLimitPause(),
        in environment: CommandEnvironment
    ) async throws {
        self.pause = pause
        connection = try await Connection.resolve(
            choice, in: environment.waitingForSignIns(atMost: request.maximumTime, noting: pause))
        profile = try await choice.completed(in: environment).profile
        var pacing = request.pacing
        pacing.pacingClass = .bulk
        pacing.command = "export " + request.resources.map { $0.prefix { $0 != "?" } }.joined(separator: " ")
        client = try connection.makeClient(
            retries: request.maximumRetries, pacing: pacing, pause: pause, in: environment)
        names =
            request.format.names == .names
            ? ReferenceNames(isRequired: true, connection, in: environment) { [client] in client } : nil
    }

    /// The days of `--day`; nil for any other range.
    func businessDays(of range: ExportRange, now: Int64) throws -> BusinessDays? {
        guard case .day(let text) = range.selection else { return nil }
        guard let zone else { throw ExportError.noTimeZone(merchant: merchantID) }
        return try BusinessDays(parsing: text, start: range.dayStart, now: now, zone: zone)
    }

    /// A copy with its time zone, for a run that writes dates or selects a business day.
    func located(_ request: ExportRequest, in environment: CommandEnvironment) async throws -> ExportMerchant {
        var merchant = self
        if let zone = try request.namedZone {
            merchant.zone = zone
        } else {
            let facts = try await MerchantSettings.read(client, merchantID: merchantID, isNeeded: true, in: environment)
            merchant.zone = try facts.clocks(of: merchantID, option: "--zone")
        }
        return merchant
    }
}

extension ResourcePlan {
    init(_ text: String, _ request: ExportRequest, of merchantID: String) throws {
        try self.init(
            text, expand: request.expansions(of: text), parts: request.parts, by: request.range.way,
            merchantID: merchantID)
    }

    /// Finds the creation time of the list's oldest record, in milliseconds since 1970. When the search was limited,
    /// the limit goes to the diagnostics.
    func beginning(of merchant: ExportMerchant, _ diagnostics: Diagnostics) async throws -> Int64 {
        let beginning = try await beginning(merchant.client)
        if let end = beginning.searchedBackTo {
            diagnostics.detail(
                "\(name): the history begins at \(InstantText.utc(milliseconds: beginning.instant)); did not search "
                    + "before \(InstantText.utc(milliseconds: end))")
        }
        return beginning.instant
    }

    /// What is missing from a path that was read to its end; nil when it is complete.
    static func problem(
        _ summary: RecordPager.Summary, of path: ResourcePath, _ query: RecordQuery, now: Int64
    ) -> CoreError? {
        if !summary.isWhole {
            let field = HistoryLimit.rule(of: path, for: query)?.timeField
            return .incomplete(Shortfall(path: path.display, timeField: field, summary: summary))
        }
        if path.endpoint?.shape == .list, summary.windowCount == nil, HistoryLimit.mayCut(query, of: path, now: now) {
            return .historyLimited(path: path.display, days: HistoryLimit.days, records: summary.records)
        }
        return nil
    }
}
