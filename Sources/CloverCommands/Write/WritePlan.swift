import CloverAPI
import CloverAuth
import CloverCalendar
import CloverConfiguration
import CloverCore
import CloverHTTP
import CloverJSON
import CloverOutput

/// One run of `clover post`, `put`, `delete` or `api` with defaults and conflicts resolved: where requests go, and where their
/// bodies come from.
struct WritePlan: Sendable {
    let method: Endpoint.Method
    /// Path of the request; with `--each`, it has placeholders in braces that each line fills.
    let path: ResourcePath
    /// Percent-encoded, without `?`.
    let query: String
    let headers: [HTTPHeader]
    /// Body of a single request; nil for a deletion, and with `--each`.
    let body: [UInt8]?
    /// Whether a request is sent for each input line.
    let isEach: Bool
    /// Compares bodies with their model; nil where they are sent unchecked.
    let bodyCheck: BodyCheck?
    /// The raw call that this is; nil for one of the REST API's records.
    private let call: RawCall?

    /// The plan with the dates of its fields in the time zone of `--zone` or of the merchant.
    ///
    /// - Parameter client: called when the merchant's zone has to be requested.
    static func located(
        _ request: WriteRequest, merchantID: String, in environment: CommandEnvironment,
        _ client: () async throws -> ServiceClient
    ) async throws -> WritePlan {
        guard needsZone(request, merchantID: merchantID) else {
            return try WritePlan(request, merchantID: merchantID, zone: .utc, in: environment)
        }
        let (zone, _) = try await MerchantSettings.clocks(
            request.printing.format.zone ?? request.printing.format.defaults.zone, of: merchantID, in: environment,
            client)
        return try WritePlan(request, merchantID: merchantID, zone: zone, in: environment)
    }

    /// The plan of requests that are only printed, and the base URL of their service. Both are known without a token and
    /// without network access; the merchant is `{mId}` without a sign-in and without a named merchant.
    static func unsent(
        _ request: WriteRequest, in environment: CommandEnvironment
    ) async throws -> (plan: WritePlan, base: String) {
        let (service, merchantID) = try await target(request.connection, in: environment)
        let plan = try await located(request, merchantID: merchantID, in: environment) {
            try await Connection.resolve(request.connection, in: environment).makeClient(retries: 0, in: environment)
        }
        return (plan, service.apiBaseURL)
    }

    static func target(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> (ServiceEnvironment, merchantID: String) {
        let completed = try await choice.completed(in: environment)
        // A token without its merchant is not an error here.
        let settings = try await environment.settings(for: choice)
        let merchantID = try completed.merchantID ?? settings.value(of: .merchant)?.text
        let isNamed = choice.profile == nil && merchantID != nil
        if isNamed, let credential = try await choice.staticCredential(in: environment) {
            return (try ServiceEnvironment(parsing: credential.key.environment), credential.key.merchantID)
        }
        if let key = try await choice.key(in: environment) {
            return (try ServiceEnvironment(parsing: key.environment), key.merchantID)
        }
        let name = try settings.value(of: .environment)?.text
        let service = try completed.service() ?? name.map { try ServiceEnvironment(parsing: $0) } ?? .us
        return (service, merchantID ?? "{mId}")
    }

    private static func path(of request: WriteRequest, merchantID: String) throws(QueryError) -> ResourcePath {
        if let call = request.call { return call.address.path }
        return try ResourcePath(
            parsing: request.path, identifier: request.identifier, merchantID: merchantID,
            isChecked: request.isChecked, method: request.method)
    }

    /// Whether a field has a date or a time without an offset. Errors in the fields are reported later.
    private static func needsZone(_ request: WriteRequest, merchantID: String) -> Bool {
        do {
            let path = try path(of: request, merchantID: merchantID)
            return try TimeExpression.Context.needsZone(now: 0) { times in
                try FieldBody.json(
                    of: request.fields.filter { $0.file == nil }, model: path.endpoint?.body,
                    isChecked: request.isChecked, times: times)
            }
        } catch {
            return false
        }
    }

    /// Reads the files of the body or its fields, and nothing else.
    ///
    /// - Parameter zone: time zone of dates and of times without an offset.
    private init(
        _ request: WriteRequest, merchantID: String, zone: TimeZoneRules, in environment: CommandEnvironment
    ) throws {
        method = request.method
        call = request.call
        path = try Self.path(of: request, merchantID: merchantID)
        var query = RecordQuery()
        query.parameters = request.call?.address.parameters ?? []
        query.expand = RecordQuery.names(in: request.expand)
        for text in request.parameters {
            query.parameters.append(try RecordQuery.Parameter(parsing: text, isReading: false))
        }
        if request.isChecked {
            try QueryValidator.check(query, of: path)
            try Self.checkHeaders(request, path)
        }
        self.query = query.encoded(page: nil)
        headers = request.headers
        bodyCheck =
            request.isChecked ? BodyCheck(model: path.endpoint?.body, besides: path.placeholders) : nil
        isEach = request.isEach
        if isEach {
            if request.method == .delete, path.placeholders.isEmpty {
                throw WriteError.nothingToFill(path: path.display)
            }
            body = nil
        } else {
            if let name = path.placeholders.first { throw QueryError.unfilledName(name, path: path.display) }
            let isBodyless = request.call != nil && request.fields.isEmpty && request.input == nil
            body =
                request.method == .delete || isBodyless
                ? nil : try Self.body(request, path, bodyCheck, zone, in: environment)
        }
    }

    private static func checkHeaders(_ request: WriteRequest, _ path: ResourcePath) throws(QueryError) {
        guard let wanted = path.endpoint?.wantedHeader,
            !request.headers.contains(where: { $0.name.lowercased() == wanted.name.lowercased() })
        else { return }
        throw .headerMissing(wanted.name, meaning: wanted.meaning, path: path.display)
    }

    private static func body(
        _ request: WriteRequest, _ path: ResourcePath, _ check: BodyCheck?, _ zone: TimeZoneRules,
        in environment: CommandEnvironment
    ) throws -> [UInt8] {
        let files = request.fields.compactMap(\.file) + [request.input].compactMap { $0 }
        guard files.count(where: { $0 == "-" }) <= 1 else { throw WriteError.standardInputTwice }
        if let input = request.input {
            let bytes = try read(input, in: environment)
            // Only JSON is sent without a type.
            guard request.call?.contentType == nil else { return bytes }
            do {
                _ = try JSONCheck.kind(of: bytes)
                if let problem = try check?.problem(in: bytes) { throw problem }
            } catch let fault as JSONCheck.Fault {
                throw BodyError.notJSON(fault, source: input == "-" ? "standard input" : input)
            }
            return bytes
        }
        let json = try FieldBody.json(
            of: read(request.fields, in: environment), model: path.endpoint?.body, isChecked: request.isChecked,
            times: TimeExpression.Context(now: environment.clock.wall(), zone: zone))
        return Array(json.utf8)
    }

    /// The fields with the contents of their files.
    static func read(_ fields: [FieldArgument], in environment: CommandEnvironment) throws -> [FieldArgument] {
        try fields.map { field in
            guard let file = field.file else { return field }
            guard let text = String(validating: try read(file, in: environment), as: UTF8.self) else {
                throw BodyError.notText(source: file == "-" ? "standard input" : file)
            }
            return field.holding(text)
        }
    }

    private static func read(_ file: String, in environment: CommandEnvironment) throws -> [UInt8] {
        ByteOrderMark.dropped(
            from: file == "-"
                ? try environment.readStandardInput(TextFile.maximumSize) : try TextFile.bytes(file))
    }

    /// The request to a path without placeholders.
    ///
    /// - Parameter base: base URL of the REST API.
    func request(at path: ResourcePath, body: [UInt8]?, base: String) -> ServiceRequest {
        var content = body.map { HTTPRequestBody(bytes: $0) }
        if let type = call?.contentType { content?.contentType = type }
        var request = ServiceRequest(
            method, (call?.address.base ?? base) + path.encoded + (query.isEmpty ? "" : "?" + query), body: content,
            additions: headers, movesMoney: path.movesMoney && method != .get)
        request.expectRecord(at: path)
        call?.address.apply(to: &request)
        return request
    }

    /// What is deleted, where that may be more than one record; nil for anything else.
    var needsConfirmation: String? {
        guard method == .delete else { return nil }
        if isEach { return "one of \(path.display) for each line" }
        if path.isCollection { return "all of \(path.display)" + (query.isEmpty ? "" : " that match ?\(query)") }
        return query.isEmpty ? nil : "\(path.display) with ?\(query)"
    }
}

extension WritePlan {
    /// Path and body of one line's request.
    ///
    /// - Throws: `RequestLine.Fault` and `BodyError`, which concern this line only.
    func parts(of text: InputText) throws -> (path: ResourcePath, body: [UInt8]?) {
        switch text {
        case .tooLong(let limit): throw RequestLine.Fault.tooLong(limit: limit)
        case .line(let bytes):
            let isDeletion = method == .delete
            let line = try RequestLine(bytes, takesBareValue: isDeletion && path.placeholders.count == 1)
            let filled = try line.path(path)
            guard !isDeletion else { return (filled, nil) }
            let body = try line.body()
            if let problem = try bodyCheck?.problem(in: body) { throw problem }
            return (filled, body)
        }
    }

    /// Whether an error concerns one line only, so that the others can be sent.
    static func isFaultOfLine(_ error: any Error) -> Bool { error is RequestLine.Fault || error is BodyError }
}

/// The options of `clover post`, `put`, `delete` or `api` as typed; `WritePlan` has every default and conflict resolved.
struct WriteRequest: Sendable {
    var method: Endpoint.Method
    var path: String
    var identifier: String?
    var parameters: [String] = []
    var expand: [String] = []
    var headers: [HTTPHeader] = []
    var fields: [FieldArgument] = []
    /// A file with the body, or with a request on each line; `-` for standard input.
    var input: String?
    var isEach = false
    /// First line to send, from 1.
    var firstLine = 1
    var isDryRun = false
    var isConfirmed = false
    var isChecked = true
    var printing = RecordPrinting(compilesFirst: true)
    /// Whether to print sensitive fields of responses unmasked.
    var showsSensitive = false
    /// What `clover api` adds; nil for other commands.
    var call: RawCall?
    var connection: ConnectionChoice
    var maximumRetries = RetryPolicy.usualRetries
    var pacing = RateLimitOptions()
    /// Time limit of the whole run, in seconds.
    var maximumTime: Double?

    /// Rate limiting of the requests, with the command's name for other processes.
    var effectivePacing: RateLimitOptions {
        var choice = pacing
        // Other processes see the command, and a query may be private.
        choice.command = (call == nil ? method.rawValue.lowercased() : "api") + " \(path.prefix { $0 != "?" })"
        return choice
    }
}
