import ArgumentParser
import CloverAPI
import CloverCore
import CloverHTTP
import CloverOutput

struct APICommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "api",
        abstract: "Send one request to any of Clover's services, as gh api does",
        discussion: """
            Examples:
              clover api 'orders?limit=5' --jq '.elements | length'
              clover api /v3/merchants/{mId}/items -f name=Latte -F price=450 --dry-run
              clover api items --paginate --jq '.elements[].name'

            PATH is relative to the merchant (orders), absolute (/v3/..., /v1/charges, /connect/..., /oauth/...), or a \
            URL of one of Clover's hosts; {mId} is filled in. Paths of the Ecommerce API, of devices and of OAuth go to \
            their own hosts. No other host is ever contacted.

            Without -X, fields or --input make the request a POST, otherwise it is a GET. Fields are the JSON body; with \
            GET, DELETE or --input they are added to the query. Nothing is compared with the catalogue.

            The body of the response is one result, also if it is a list, and --jq runs on it as a whole. Text that is \
            not JSON is passed through. If the service refuses the request, its response is printed, too, and the error \
            follows on standard error.

            --paginate reads a whole list, and prints it in pages: a list of V3 with all checks of 'clover get --all', a \
            list of the Ecommerce API as {"data":[...]}.

            A GET is sent again after a failure that may pass, a write only if it cannot have been carried out. Charges \
            that are sent this way are not in the journal of 'clover charge'.

            Exit statuses:
              0   done
              64  wrong usage, a foreign host, or the service refused what was sent
              65  a body is not JSON, or the jq program failed
              66  not found
              69  not reached, or failed; stderr says whether it may have been done
              75  the service still limits requests after retries
              76  the response is not JSON where it must be, or was cut off
              77  not signed in, or not allowed
              79  with --paginate, some records are missing; stderr says which
              80  outcome unknown, and money may have moved
              81  the confirmation was declined
              83  --max-time ran out
            """
    )

    @Argument(
        help: ArgumentHelp("Path or URL, such as orders?limit=5 or /v1/charges.", valueName: "path"),
        completion: .asked)
    var path: String

    @OptionGroup(title: "What to send")
    var sending: SendingOptions

    @OptionGroup(title: "What to send")
    var fields: FieldOptions

    @OptionGroup(title: "What to send")
    var source: BodyInputOption

    @OptionGroup(title: "What to print")
    var response: ResponseOptions

    @OptionGroup(title: "What to print")
    var jq: JQOptionGroup

    @OptionGroup(title: "What to print")
    var outputFile: OutputFileOptions

    @OptionGroup(title: "What to print")
    var sensitivity: SensitivityOptions

    var sensitivityOptions: SensitivityOptions? { sensitivity }

    @OptionGroup(title: "Instead of sending")
    var curl: CurlOptions

    @Flag(name: .customLong("dry-run"), help: "Print the request instead of sending it.")
    var isDryRun = false

    @OptionGroup(title: "Limits")
    var limits: LimitOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    private var hasFields: Bool { !fields.field.isEmpty || !fields.rawField.isEmpty }

    private var httpMethod: HTTPMethod? {
        guard let method = sending.method else { return hasFields || source.input != nil ? .post : .get }
        return HTTPMethod(rawValue: method.uppercased())
    }

    func validate() throws {
        guard let httpMethod else {
            throw ValidationError(
                "-X takes one of \(HTTPMethod.allCases.map(\.rawValue).joined(separator: ", ")), which are all that "
                    + "Clover has")
        }
        // Parsed here because an error of the option itself would repeat the value.
        for text in sending.headers { _ = try Self.header(text) }
        if source.input != nil, httpMethod == .get || httpMethod == .delete {
            throw ValidationError("a \(httpMethod.rawValue) has no body: --input goes with -X POST or PUT")
        }
        if response.silent, jq.choice != nil { throw ValidationError("--jq and --silent exclude each other") }
        guard sending.paginate else { return }
        if httpMethod != .get { throw ValidationError("--paginate reads lists, so it goes with GET") }
        if response.include { throw ValidationError("--include and --paginate exclude each other") }
        if !sending.headers.isEmpty { throw ValidationError("--header and --paginate exclude each other") }
        if isDryRun || curl.isWanted {
            throw ValidationError("--paginate sends several requests; without it, --dry-run and --curl show the first")
        }
    }

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let settings = try await environment.settings(for: connection.choice)
        var request = WriteRequest(method: httpMethod ?? .get, path: path, connection: connection.choice)
        try limits.apply(to: &request, settings)
        let (service, merchantID) = try await WritePlan.target(
            connection.choice, in: environment.waitingForSignIns(atMost: request.maximumTime))
        var call = RawCall(
            address: try APIAddress(
                parsing: path, method: request.method, service, merchantID: merchantID))
        call.printsHead = response.include
        call.isSilent = response.silent
        for header in try sending.headers.map(Self.header) {
            if header.name.lowercased() == "content-type" {
                call.contentType = header.value
            } else {
                request.headers.append(header)
            }
        }
        for header in call.address.path.headers where request.headers.first(named: header.name) == nil {
            request.headers.append(header)
        }
        let arguments = try fields.arguments()
        let files = arguments.compactMap(\.file) + [source.input].compactMap(\.self)
        guard files.count(where: { $0 == "-" }) <= 1 else { throw WriteError.standardInputTwice }
        if request.method == .get || request.method == .delete || source.input != nil {
            call.address.parameters += try WritePlan.read(arguments, in: environment).map { try $0.parameter() }
        } else {
            request.fields = arguments
        }
        request.input = source.input
        request.isChecked = false
        request.isConfirmed = sending.yes
        request.isDryRun = isDryRun
        request.printing.program = jq.choice
        request.printing.slurp = jq.slurp
        request.printing.isJSON = !isDryRun || messages.json
        request.showsSensitive = try sensitivity.isShown(settings)
        request.call = call
        if curl.isWanted {
            let command = try await SendRecord(request: request, environment: environment).command()
            return try await curl.print(command, in: environment)
        }
        do {
            return jq.ending(of: try await report(on: request, call, in: environment), in: environment)
        } catch {
            try await call.printRefusal(in: environment)
            throw error
        }
    }

    private func report(
        on request: WriteRequest, _ call: RawCall, in environment: CommandEnvironment
    ) async throws -> FilterReport {
        guard request.method == .get, !isDryRun else {
            return try await SendRecord(request: request, environment: environment).run()
        }
        // An object is its only page.
        let isList = call.address.path.endpoint.map { $0.shape == .list } ?? true
        guard sending.paginate, call.address.service == .rest, isList else {
            return try await APIRead(request, call, isPaginated: sending.paginate, in: environment).run()
        }
        return try await GetRecords(request: try pages(of: request, call.address), environment: environment).run()
    }

    /// The whole list, as `clover get` reads it.
    private func pages(of request: WriteRequest, _ address: APIAddress) throws -> GetRequest {
        var pages = GetRequest(path: address.typedPath, connection: request.connection)
        pages.isEverything = true
        pages.isChecked = false
        pages.envelopeSize = address.path.pageSize
        for parameter in address.parameters {
            switch (parameter.name, Int(parameter.value)) {
            case ("filter", _): pages.filters.append(parameter.value)
            case ("expand", _): pages.expand.append(parameter.value)
            case ("orderBy", _): pages.sort.append(parameter.value)
            case ("limit", let limit?) where limit > 0: pages.envelopeSize = limit
            case ("offset", let offset?) where offset >= 0: pages.offset = offset
            default: pages.parameters.append("\(parameter.name)=\(parameter.value)")
            }
        }
        pages.program =
            response.silent ? ProgramChoice(source: .text("empty"), option: "--silent") : request.printing.program
        pages.slurp = request.printing.slurp
        pages.isJSON = true
        pages.showsSensitive = request.showsSensitive
        pages.maximumTime = request.maximumTime
        pages.maximumRetries = request.maximumRetries
        pages.pacing = request.pacing
        return pages
    }

    private static func header(_ text: String) throws -> HTTPHeader {
        try HeaderArgument.parse(text, permitting: ["accept", "content-type"])
    }
}

extension APICommand {
    struct SendingOptions: ParsableArguments {
        @Option(
            name: [.customShort("X"), .long],
            help: ArgumentHelp("GET, POST, PUT or DELETE.", valueName: "method"))
        var method: String?

        @Option(
            name: [.customShort("H"), .customLong("header")], parsing: .unconditionalSingleValue,
            help: ArgumentHelp("Header field: 'X-Clover-Account-Id: EMPLOYEE'.", valueName: "name: value"))
        var headers: [String] = []

        @Flag(name: .long, help: "Read all pages of the list.")
        var paginate = false

        @Flag(name: [.customShort("y"), .long], help: "Delete without confirmation.")
        var yes = false
    }

    struct ResponseOptions: ParsableArguments {
        @Flag(name: [.customShort("i"), .long], help: "Print the status and the header fields before the body.")
        var include = false

        @Flag(name: .long, help: "Do not print the body.")
        var silent = false
    }
}
