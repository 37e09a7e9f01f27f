import ArgumentParser
import CloverCore

/// What is sent, and how often.
struct RequestOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: "Send a request for every line of standard input, or of --input; {name} in PATH is filled from it.")
    var each = false

    @Option(
        name: .customLong("resume-from"), parsing: .unconditional,
        help: ArgumentHelp("With --each, begin with this line, from 1.", valueName: "line"))
    var firstLine: Int?

    @Option(
        name: .long,
        help: ArgumentHelp("Include nested objects in the answer, separated by commas.", valueName: "names"))
    var expand: [String] = []

    @Option(
        name: .customLong("param"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Pass a query parameter on as it is.", valueName: "name=value"))
    var parameters: [String] = []

    @Option(
        name: .customLong("header"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Send a header field that an operation wants: 'X-Clover-Account-Id: EMPLOYEE'.", valueName: "name: value"))
    var headers: [String] = []

    @Flag(name: .customLong("no-check"), help: "Send paths, fields and values that the catalogue does not know.")
    var isUnchecked = false

    @Flag(name: .customLong("dry-run"), help: "Print the request, and send nothing.")
    var isDryRun = false

    /// Of `get`; here only so that it can be refused with the option that does it here.
    @Flag(name: .long, help: .hidden)
    var explain = false

    func validate() throws {
        if explain {
            throw ValidationError("--explain is for 'get'; --dry-run shows what would be sent")
        }
        // Not by the option itself, whose message would repeat the value.
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
