import ArgumentParser
import CloverCore

/// Which records to read, and what to include with them.
struct SelectionOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Read only records that match; if repeated, all must match.", valueName: "expression"),
        completion: .asked)
    var filter: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read only records of these days, by their time: yesterday, last-month, 2026-10, 2026-10-01..2026-10-15. ISO times are then in the same time zone as the days.",
            valueName: "period"))
    var period: String?

    @Option(
        name: .long, help: ArgumentHelp("Nested objects to include, separated by commas.", valueName: "names"),
        completion: .asked)
    var expand: [String] = []

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Sort by a field: total, total:desc or -total.", valueName: "field"), completion: .asked)
    var sort: [String] = []

    @Option(
        name: .customLong("param"),
        help: ArgumentHelp("Query parameter to send unchanged.", valueName: "name=value"))
    var parameters: [String] = []

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Maximum number of records (default: 100).", valueName: "count"))
    var limit: Int?

    @Flag(name: .long, help: "Read all records.")
    var all = false

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("Number of records to skip.", valueName: "count"))
    var offset: Int?

    @Flag(name: .customLong("no-check"), help: "Send paths and names that are not in the catalogue.")
    var isUnchecked = false

    @Flag(
        name: .customLong("no-complete"),
        help: "Send one request and print the response unchanged: one page, truncated lists, at most 90 days.")
    var isRaw = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes a whole number from 1, not \(limit)") }
        if let offset, offset < 0 { throw ValidationError("--offset takes a whole number from 0, not \(offset)") }
        if isRaw, all { throw ValidationError("--no-complete and --all exclude each other") }
        if limit != nil, all { throw ValidationError("--limit and --all exclude each other") }
    }

    func apply(to request: inout GetRequest) {
        request.filters = filter
        request.period = period
        request.expand = expand
        request.sort = sort
        request.parameters = parameters
        request.limit = limit
        request.isEverything = all
        request.offset = offset
        request.isChecked = !isUnchecked
        request.isComplete = !isRaw
    }
}

/// The receipt of a run: what it delivered, and whether that is everything.
struct ReceiptOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Write a receipt to this file at the end, as one JSON object: what was delivered, and whether it is complete; - is standard error.",
            valueName: "file"), completion: .file())
    var receipt: String?

    func validate() throws {
        if receipt == "" { throw ValidationError("--receipt takes a file, or - for standard error") }
        try OutputPath.check(receipt, of: "--receipt")
    }
}
