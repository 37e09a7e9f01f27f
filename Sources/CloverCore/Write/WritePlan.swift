import CloverAPI
import CloverAuth
import CloverHTTP
import CloverRecords

/// One run of `clover post`, `put` or `delete`, decided: where requests go, and where their bodies come from.
struct WritePlan: Sendable {
    let method: Endpoint.Method
    /// For many requests, with names in braces that each line fills.
    let path: ResourcePath
    /// Percent-encoded, without `?`.
    let query: String
    /// Header fields beside the usual ones.
    let headers: [HTTPHeader]
    let body: Body
    /// Compares the bodies of lines with their model; nil where they are sent as they are.
    let bodyCheck: BodyCheck?

    enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A request for each line of this file; `-` for standard input.
        case lines(String)
    }

    /// The plan with the dates of its fields by the clocks of `--zone` or of the merchant.
    ///
    /// - Parameter client: called where the service has to be asked for the zone.
    static func located(
        _ request: WriteRequest, merchantID: String, in environment: CommandEnvironment,
        _ client: () async throws -> ServiceClient
    ) async throws -> WritePlan {
        guard needsZone(request, merchantID: merchantID) else {
            return try WritePlan(request, merchantID: merchantID, zone: .utc, in: environment)
        }
        let (zone, _) = try await MerchantFacts.clocks(request.format.zone, of: merchantID, client)
        return try WritePlan(request, merchantID: merchantID, zone: zone, in: environment)
    }

    /// Whether a field holds a date or a time without an offset. What is wrong with the fields is found later.
    private static func needsZone(_ request: WriteRequest, merchantID: String) -> Bool {
        do {
            let path = try ResourcePath(
                parsing: request.path, identifier: request.identifier, merchantID: merchantID,
                isChecked: request.isChecked, method: request.method)
            return try TimeExpression.Context.needsZone(now: 0) { times in
                try FieldBody.json(
                    of: request.fields.filter { $0.file == nil }, model: path.endpoint?.body,
                    isChecked: request.isChecked, times: times)
            }
        } catch {
            return false
        }
    }

    /// Reads the files that hold the body or parts of it, and nothing else.
    ///
    /// - Parameter zone: the clocks of dates and of times without an offset.
    private init(
        _ request: WriteRequest, merchantID: String, zone: TimeZoneRules, in environment: CommandEnvironment
    ) throws {
        method = request.method
        path = try ResourcePath(
            parsing: request.path, identifier: request.identifier, merchantID: merchantID,
            isChecked: request.isChecked, method: request.method)
        var query = RecordQuery()
        query.expand = request.expand.flatMap {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        for text in request.parameters {
            query.parameters.append(try RecordQuery.Parameter(parsing: text, isReading: false))
        }
        if request.isChecked {
            try QueryCheck.check(query, of: path)
            try Self.checkHeaders(request, path)
        }
        self.query = query.encoded(page: nil)
        headers = request.headers
        bodyCheck =
            request.isChecked ? BodyCheck(model: path.endpoint?.body, besides: path.placeholders) : nil
        if request.isEach {
            if request.method == .delete, path.placeholders.isEmpty {
                throw WriteError.nothingToFill(path: path.display)
            }
            body = .lines(request.input ?? "-")
        } else {
            if let name = path.placeholders.first { throw QueryError.unfilledName(name, path: path.display) }
            body =
                request.method == .delete
                ? .none : .bytes(try Self.body(request, path, bodyCheck, zone, in: environment))
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
            do {
                _ = try JSONCheck.kind(of: bytes)
                if let problem = try check?.problem(in: bytes) { throw problem }
            } catch let fault as JSONCheck.Fault {
                throw BodyError.notJSON(fault, source: input == "-" ? "standard input" : input)
            }
            return bytes
        }
        let fields = try request.fields.map { field in
            guard let file = field.file else { return field }
            guard let text = String(validating: try read(file, in: environment), as: UTF8.self) else {
                throw BodyError.notText(source: file == "-" ? "standard input" : file)
            }
            return field.holding(text)
        }
        let json = try FieldBody.json(
            of: fields, model: path.endpoint?.body, isChecked: request.isChecked,
            times: TimeExpression.Context(now: environment.clock.wall(), zone: zone))
        return Array(json.utf8)
    }

    private static func read(_ file: String, in environment: CommandEnvironment) throws -> [UInt8] {
        ByteOrderMark.dropped(
            from: file == "-"
                ? try environment.readStandardInput(TextFile.maximumSize) : try TextFile.bytes(file))
    }

    /// The request to one path, which has no names left.
    ///
    /// - Parameter base: the address of the service.
    func request(at path: ResourcePath, body: [UInt8]?, base: String) -> ServiceRequest {
        let content = body.map { HTTPRequestBody(bytes: $0) }
        return ServiceRequest(
            httpMethod, base + path.encoded + (query.isEmpty ? "" : "?" + query), body: content,
            additions: headers, movesMoney: path.movesMoney)
    }

    private var httpMethod: HTTPMethod {
        switch method {
        case .get: .get
        case .post: .post
        case .put: .put
        case .delete: .delete
        }
    }

    /// Whether more than one record may be deleted, and what; nil for anything else.
    var needsConfirmation: String? {
        guard method == .delete else { return nil }
        if case .lines = body { return "one of \(path.display) for each line" }
        if path.isCollection { return "all of \(path.display)" + (query.isEmpty ? "" : " that ?\(query) names") }
        return query.isEmpty ? nil : "\(path.display) with ?\(query)"
    }
}
