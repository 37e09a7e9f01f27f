import ArgumentParser
import CloverCore

/// How a write is sent.
struct RequestOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: "Send a request for each line of standard input, or of --input; {name} in PATH is filled from the line.")
    var each = false

    @Option(
        name: .customLong("resume-from"), parsing: .unconditional,
        help: ArgumentHelp("With --each, first line to send, counting from 1.", valueName: "line"))
    var firstLine: Int?

    @Option(
        name: .long,
        help: ArgumentHelp("Nested objects to include in the response, separated by commas.", valueName: "names"))
    var expand: [String] = []

    @Option(
        name: .customLong("param"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Query parameter to send unchanged.", valueName: "name=value"))
    var parameters: [String] = []

    @Option(
        name: .customLong("header"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Header field that an operation requires: 'X-Clover-Account-Id: EMPLOYEE'.", valueName: "name: value"))
    var headers: [String] = []

    @Flag(name: .customLong("no-check"), help: "Send paths, fields and values that are not in the catalogue.")
    var isUnchecked = false

    @Flag(name: .customLong("dry-run"), help: "Print the request instead of sending it.")
    var isDryRun = false

    /// An option of `get`, accepted only so that the error can name the equivalent option.
    @Flag(name: .long, help: .hidden)
    var explain = false

    func validate() throws {
        if explain {
            throw ValidationError("--explain is for 'get'; to see what would be sent, use --dry-run")
        }
        // Parsed here because an error of the option itself would repeat the value.
        for text in headers { _ = try HeaderArgument.parse(text) }
        if let firstLine {
            guard each else { throw ValidationError("--resume-from goes with --each") }
            guard firstLine >= 1 else {
                throw ValidationError("--resume-from takes a whole number from 1, not \(firstLine)")
            }
        }
    }

    func apply(to request: inout WriteRequest) throws {
        request.headers = try headers.map(HeaderArgument.parse)
        request.isEach = each
        request.firstLine = firstLine ?? 1
        request.expand = expand
        request.parameters = parameters
        request.isChecked = !isUnchecked
        request.isDryRun = isDryRun
    }
}
