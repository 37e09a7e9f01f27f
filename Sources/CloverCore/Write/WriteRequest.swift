package import CloverAPI
package import CloverHTTP
package import CloverRecords

/// What `clover post`, `put` or `delete` was asked for, as typed; `WritePlan` has every default and conflict resolved.
package struct WriteRequest: Sendable {
    package var method: Endpoint.Method
    package var path: String
    package var identifier: String?
    package var parameters: [String] = []
    package var expand: [String] = []
    /// Header fields beside the usual ones.
    package var headers: [HTTPHeader] = []
    package var fields: [FieldArgument] = []
    /// A file with the body, or with a request on each line; `-` for standard input.
    package var input: String?
    /// A request for every line of the input.
    package var isEach = false
    /// The line to begin with, from 1.
    package var firstLine = 1
    /// Show what would be sent, and send nothing.
    package var isDryRun = false
    /// Whatever would be asked first is answered with yes.
    package var isConfirmed = false
    package var isChecked = true
    package var program: GetRequest.ProgramChoice?
    package var format = FormatChoice()
    /// JSON was asked for, also on a terminal.
    package var isJSON = false
    package var slurp = false
    /// Sensitive fields of answers are printed as they come.
    package var showsSensitive = false
    package var connection: ConnectionChoice
    package var maximumRetries = 5
    package var pacing = PacingChoice()
    /// Seconds for the whole run.
    package var maximumTime: Double?

    package init(_ method: Endpoint.Method, path: String, identifier: String?, connection: ConnectionChoice) {
        self.method = method
        self.path = path
        self.identifier = identifier
        self.connection = connection
    }

    /// How its requests are taken from the budget: somebody waits for them.
    var effectivePacing: PacingChoice {
        var choice = pacing
        // A query may hold what is nobody else's business.
        choice.command = "\(method.rawValue.lowercased()) \(path.prefix { $0 != "?" })"
        return choice
    }

    var printing: RecordPrinting {
        RecordPrinting(program: program, format: format, isJSON: isJSON, slurp: slurp, compilesFirst: true)
    }
}
