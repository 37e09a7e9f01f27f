import ArgumentParser
import CloverCore

/// Which records, and what comes with them.
struct SelectionOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Only records that match; repeat it, and all must match.", valueName: "expression"),
        completion: .asked)
    var filter: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("Include nested objects, separated by commas.", valueName: "names"),
        completion: .asked)
    var expand: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("Order by a field: total, total:desc.", valueName: "field"), completion: .asked)
    var sort: [String] = []

    @Option(
        name: .customLong("param"),
        help: ArgumentHelp("Pass a query parameter on as it is.", valueName: "name=value"))
    var parameters: [String] = []

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("At most so many records in all (default: 100).", valueName: "count"))
    var limit: Int?

    @Flag(name: .long, help: "Every record there is.")
    var all = false

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Skip so many records.", valueName: "count"))
    var offset: Int?

    @Flag(name: .customLong("no-check"), help: "Send paths and names that the catalogue does not know.")
    var isUnchecked = false

    @Flag(
        name: .customLong("no-complete"),
        help: "Send one request and print the service's answer as it is: one page, cut lists, 90 days at most.")
    var isRaw = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes a whole number from 1, not \(limit)") }
        if let offset, offset < 0 { throw ValidationError("--offset takes a whole number from 0, not \(offset)") }
        if isRaw, all { throw ValidationError("--no-complete and --all exclude each other") }
        if limit != nil, all { throw ValidationError("--limit and --all exclude each other") }
    }

    func apply(to request: inout GetRequest) {
        request.filters = filter
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
