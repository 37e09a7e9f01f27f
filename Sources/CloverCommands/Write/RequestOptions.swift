import ArgumentParser
import CloverCore
import CloverHTTP

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
        request.headers = try headers.map { try HeaderArgument.parse($0) }
        request.isEach = each
        request.firstLine = firstLine ?? 1
        request.expand = expand
        request.parameters = parameters
        request.isChecked = !isUnchecked
        request.isDryRun = isDryRun
    }
}

/// A header field as typed: `Name: value`.
enum HeaderArgument {
    /// Fields that clover sets itself, or that could corrupt the request (RFC 9110).
    private static let reserved: Set<String> = [
        "accept", "accept-encoding", "authorization", "connection", "content-length", "content-type", "cookie",
        "expect",
        "host", "proxy-authorization", "te", "transfer-encoding", "upgrade", "user-agent",
    ]

    /// - Parameter permitted: names in lower case that are not refused although clover sets them itself.
    /// - Throws: `ValidationError`, which does not repeat the value.
    static func parse(_ text: String, permitting permitted: Set<String> = []) throws -> HTTPHeader {
        guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
            throw ValidationError("--header takes 'Name: value'")
        }
        let name = String(text[..<colon])
        guard name.utf8.allSatisfy(isTokenByte) else {
            throw ValidationError("--header takes 'Name: value', where the name is letters, digits and hyphens")
        }
        guard !reserved.subtracting(permitted).contains(name.lowercased()) else {
            throw ValidationError("the header field \(name) is set by clover itself")
        }
        var value = text[text.index(after: colon)...]
        while value.first == " " { value.removeFirst() }
        guard !value.isEmpty, value.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            throw ValidationError("--header \(name) needs a value, in plain ASCII characters")
        }
        return HTTPHeader(name: name, value: String(value))
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// Options of all writes: output, limits and connection.
struct WriteOptions: ParsableArguments {
    @OptionGroup(title: "What to print")
    var jq: JQOptionGroup

    @OptionGroup(title: "What to print")
    var format: FormatOptions

    @OptionGroup(title: "What to print")
    var sensitivity: SensitivityOptions

    @OptionGroup(title: "Instead of sending")
    var curl: CurlOptions

    @OptionGroup(title: "Limits")
    var limits: LimitOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    /// Sends the request and returns the exit status.
    func send(_ request: WriteRequest, in environment: CommandEnvironment) async throws -> Int32 {
        var request = request
        let settings = try await environment.settings(for: connection.choice)
        try limits.apply(to: &request, settings)
        request.printing = try jq.printing(format, messages, settings)
        request.printing.compilesFirst = true
        request.showsSensitive = try sensitivity.isShown(settings)
        if curl.isWanted {
            guard !request.isEach else {
                throw ValidationError("--curl is for one request; --dry-run shows those of --each")
            }
            let command = try await SendRecord(request: request, environment: environment).command()
            return try await curl.print(command, in: environment)
        }
        let report =
            request.isEach
            ? try await SendEach(request: request, environment: environment).run()
            : try await SendRecord(request: request, environment: environment).run()
        return jq.ending(of: report, in: environment)
    }
}
