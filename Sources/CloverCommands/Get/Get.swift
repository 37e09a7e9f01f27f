import ArgumentParser
import CloverCalendar
import CloverCore
import CloverJSON
import CloverOutput

/// `clover get`.
struct Get: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Read records of a merchant, one JSON object a line",
        discussion: """
            Examples:
              clover get orders --filter 'total>=5000' --jq '{id,total}'
              clover get orders ORDER_ID --expand lineItems
              clover get items --all --format csv --fields id,name,price

            PATH is relative to the merchant (orders, orders/ID/line_items, merchant) or absolute (/v3/...). \
            charges, ecommerce/refunds and ecommerce/orders are lists of the ecommerce API.

            A filter is FIELD OP VALUE, where OP is one of = != > >= < <=, or 'FIELD in (A,B)', or \
            'FIELD is not null'. A time is in milliseconds, in ISO 8601, one of today, yesterday, tomorrow and now, \
            or relative to now, such as -8w, -7d, -12h or -30m. It may also be a period: a word such as last-month, \
            a year, a month or A..B; > begins after it, <= includes it, and = is any time in it. If the service does \
            not filter a list by a time, such as refunds by createdTime, clover reads the list and filters it. It \
            stops reading when the order of the list proves that nothing else matches. Records without the time do \
            not match.

            Exit statuses:
              0   every record that was asked for has been delivered
              64  wrong usage: an unknown path or name, a malformed filter
              65  the jq program does not compile, or a record could not be printed
              66  not found
              69  the service is unreachable or failed, even after retries
              75  the service still limits requests after retries
              76  the response is not JSON, not a page of records, or cut off
              77  not signed in, or not allowed
              79  incomplete: records are missing, or --sort was ignored and --limit may
                  have cut off the wrong ones; stderr says which
              82  --profiles: some merchants failed, the others are read
              83  --max-time ran out
            """
    )

    @Argument(
        help: ArgumentHelp("Path to read, such as orders or orders/ID/line_items.", valueName: "path"),
        completion: .asked)
    var path: String

    @Argument(help: ArgumentHelp("Read only the record with this ID.", valueName: "id"))
    var identifier: String?

    @OptionGroup(title: "What to fetch")
    var selection: SelectionOptions

    @OptionGroup(title: "What to print")
    var jq: JQOptionGroup

    @OptionGroup(title: "What to print")
    var format: FormatOptions

    @OptionGroup(title: "What to print")
    var outputFile: OutputFileOptions

    @OptionGroup(title: "What to print")
    var names: NameOptions

    @OptionGroup(title: "What to print")
    var receipt: ReceiptOptions

    @OptionGroup(title: "What to print")
    var sensitivity: SensitivityOptions

    var sensitivityOptions: SensitivityOptions? { sensitivity }

    @Flag(
        name: .customLong("validate"),
        help: ArgumentHelp(
            "Report on standard error where records differ from their model ('clover schema'); they are still printed."
        ))
    var validates = false

    @OptionGroup(title: "Limits")
    var limits: LimitOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Read these sign-ins one after the other, separated by commas, or all that have a name. Each record begins \
            with "merchant":{"id":"M"}. One that fails does not end the run (82).
            """, valueName: "names"), completion: .asked)
    var profiles: String?

    @OptionGroup(title: "Instead of sending")
    var curl: CurlOptions

    @Flag(
        name: .long,
        help: """
            Print how many requests it would take, and how long at the current request budget; send nothing.
            """)
    var explain = false

    @Flag(name: .customLong("dry-run"), help: "Print the first request instead of sending it.")
    var isDryRun = false

    @OptionGroup(title: "Messages")
    var paging: PagingOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func validate() throws {
        if explain, curl.isWanted { throw ValidationError("--explain and --curl exclude each other") }
        if isDryRun, explain || curl.isWanted {
            throw ValidationError("--dry-run and \(explain ? "--explain" : "--curl") exclude each other")
        }
        try ExportMerchantOptions.check(profiles)
        if profiles != nil { try checkProfiles() }
        if !selection.isUnchecked { try FieldAsIdentifier.checkWord(identifier) }
        if messages.json, !selection.isUnchecked { try FieldAsIdentifier.check(identifier, path: path) }
        if let identifier, !selection.isUnchecked, identifier.count > 4,
            Period.whole(identifier.lowercased(), today: 0) != nil
        {
            throw ValidationError("'\(identifier)' is no ID: to choose days, write --period \(identifier)")
        }
        if selection.isRaw { try checkRaw() }
    }

    /// Refuses options that apply to one merchant, or to all records together.
    private func checkProfiles() throws {
        let options: [(isGiven: Bool, name: String)] = [
            (connection.profile != nil, "--profile"), (connection.merchant != nil, "--merchant"),
            (explain, "--explain"), (isDryRun, "--dry-run"), (curl.isWanted, "--curl"), (jq.slurp, "--slurp"),
            (receipt.receipt != nil, "--receipt"), (selection.isRaw, "--no-complete"),
            (
                format.format.map { !$0.isLineWise } ?? false,
                "--format other than \(RecordFormat.lineWiseNames)"
            ),
        ]
        if let option = options.first(where: \.isGiven) {
            throw ValidationError("\(option.name) and --profiles exclude each other")
        }
    }

    /// Refuses options that need records: `--no-complete` prints the raw response, of which records are only a part.
    private func checkRaw() throws {
        if validates { throw ValidationError("--validate and --no-complete exclude each other") }
        if receipt.receipt != nil {
            throw ValidationError(
                "--receipt and --no-complete exclude each other: a single response proves nothing")
        }
        if names.showsNames { throw ValidationError("--names and --no-complete exclude each other") }
        if !format.fields.isEmpty {
            throw ValidationError("--fields and --no-complete exclude each other: use --jq '.elements[] | {id}'")
        }
        if let name = format.format, name != .ndjson, name != .json {
            throw ValidationError(
                "--format \(name.rawValue) and --no-complete exclude each other: the response is printed unchanged")
        }
    }

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let environment = paging.applied(to: environment)
        var request = GetRequest(path: path, identifier: identifier, connection: connection.choice)
        selection.apply(to: &request)
        request.receipt = receipt.receipt
        let settings = try await environment.settings(for: connection.choice)
        try limits.apply(to: &request, settings)
        request.program = jq.choice
        request.slurp = jq.slurp
        // Default formats for records do not apply to a raw response.
        request.format = try format.choice(
            settings,
            isFormDecided: jq.choice != nil || jq.slurp || messages.json || selection.isRaw)
        // The days are the shop's, so the times are, too.
        if request.period != nil { request.format.defaults.zone = request.format.defaults.zone ?? .merchant }
        request.format.names = names.choice
        request.isJSON = messages.json
        request.showsSensitive = try sensitivity.isShown(settings)
        request.validates = validates
        if profiles != nil {
            let choices = try await connection.choice.each(
                of: ExportMerchantOptions.names(profiles),
                in: environment.waitingForSignIns(atMost: request.maximumTime))
            return jq.ending(of: try await GetProfiles(request, choices, environment).run(), in: environment)
        }
        let preview = GetPreview(request: request, environment: environment)
        if curl.isWanted {
            return try await curl.print(try await preview.firstRequest(), in: environment)
        }
        if isDryRun { return jq.ending(of: try await preview.show(), in: environment) }
        if explain { return try await print(try await preview.explanation(), in: environment) }
        let report = try await GetRecords(request: request, environment: environment).run()
        return jq.ending(of: report, in: environment)
    }

    private func print(_ explanation: Explanation, in environment: CommandEnvironment) async throws -> Int32 {
        let isForPerson = environment.terminal.isOutputTerminal && !messages.json
        try await StandardOutput.print(isForPerson ? explanation.text : explanation.json, in: environment)
        return 0
    }
}
