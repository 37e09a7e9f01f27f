import Glibc
import HTTPTypes
import Hummingbird
import NIOCore

/// Answers every request. Requests for records: first the limits, then the faults, then the token, then the shop.
struct EmulatorResponder: HTTPResponder {
    /// More than any call of the service brings: a thousand items are about 300 kB.
    private static let largestBody = 4 << 20
    private static let reports: Set = ["/emulator/stats", "/emulator/requests", "/emulator/drift", "/emulator/charges"]

    let api: ShopAPI
    let meter: TrafficMeter
    let tenants: Tenants
    let faults: FaultPlan
    let latency: Duration
    let withheldFamilies: Set<String>
    let oauth: OAuthResponder
    let payments: PaymentResponder
    let exports: ExportResponder
    let churn: ChurnDesk

    func respond(to request: Request, context: EmulatorContext) async throws -> Response {
        if let refusal = Self.refusal(of: request.head.authority) {
            return refusal.response(isHead: request.method == .head)
        }
        let target = request.head.path ?? "/"
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(halves[0])
        let query = halves.count > 1 ? String(halves[1]) : ""
        let isHead = request.method == .head
        guard let name = InternalHeader.ticket, let number = request.headers[name].flatMap({ Int($0) }),
            let ticket = meter.ticket(number)
        else {
            if let route = OAuthRoute(rawValue: path) {
                let answer = try await oauth.respond(to: request, route: route, query: query, context: context)
                return answer.response(isHead: isHead)
            }
            if ExportResponder.serves(path) {
                let answer = try await exports.answer(path, QueryString(query), request, context)
                return answer.response(isHead: isHead)
            }
            return answerOutsideV3(path, QueryString(query), request.method).response(isHead: isHead)
        }
        if case .refused(let refusal, let wait) = ticket.verdict {
            return tooMany(refusal, wait).response(isHead: isHead)
        }
        let isPayment = PaymentAPI.serves(path: path)
        let fault =
            (isPayment ? payments.fault(method: request.method, path: path) : nil)
            ?? faults.fault(forRequest: ticket.number, path: path)
        if fault != nil { meter.spoiled() }
        if latency > .zero { try await Task.sleep(for: latency) }
        if let fault, let spoiled = try await spoil(fault, ticket, context) {
            return spoiled.response(isHead: isHead)
        }
        let mask = ticket.owner.flatMap { tenants.mask(for: $0) }
        var answer = try await answer(path, query, request, ticket, mask, fault)
        mask?.outward(&answer.body)
        if fault == .loseAnswer {
            oauth.office.answerLost()
            try await ConnectionReset.perform(on: context.channel)
        }
        if fault == .slow { return answer.slowResponse() }
        if fault == .truncate {
            answer.cut(after: faults.cut(forRequest: ticket.number, length: answer.body.readableBytes))
        }
        return answer.response(isHead: isHead)
    }

    /// Why a request with this Host header is not answered; nil for the names of this machine, with any port, because a
    /// relay in between has a port of its own. A page of another site that makes its own name point here (DNS rebinding) sends
    /// that name.
    private static func refusal(of host: String?) -> Answer? {
        guard let host, !host.isEmpty else { return .message(400, "400 Bad Request: no Host") }
        let isLiteral = host.hasPrefix("[")
        let name = isLiteral ? host.prefix { $0 != "]" }.dropFirst() : host.prefix { $0 != ":" }
        return ["127.0.0.1", "localhost", "::1"].contains(name.lowercased())
            ? nil : .message(421, "421 Misdirected Request")
    }

    // MARK: Answers

    private func answerOutsideV3(_ path: String, _ query: QueryString, _ method: HTTPRequest.Method) -> Answer {
        if path == "/emulator/churn" { return churn.answer(method.rawValue, query) }
        if path == "/emulator/closeout" {
            guard method == .post else { return Answer(.methodNotAllowed(["POST"])) }
            return api.ledger.exchange { desk in desk.closeOut() }
        }
        let list = path.split(separator: "/").dropFirst(2).first.map(String.init)
        let isDump = path.hasPrefix("/emulator/records/")
        guard isDump || Self.reports.contains(path) else {
            return Answer(.unknownPath)
        }
        guard method == .get else { return Answer(.methodNotAllowed(["GET"])) }
        if isDump { return RecordDump(api.ledger.view, expand: query.values("expand")).answer(to: list ?? "") }
        if path == "/emulator/drift" { return Answer(status: 200, json: api.ledger.driftReport) }
        if path == "/emulator/requests" { return Answer(status: 200, json: meter.log.json) }
        let money = MoneyReport(api.ledger.view)
        if path == "/emulator/charges" { return Answer(status: 200, json: money.json) }
        return Answer(status: 200, json: meter.statistics.json(with: oauth.office.statistics, money))
    }

    /// - Throws: when the connection is gone before the whole body came.
    private func answer(
        _ path: String, _ query: String, _ request: Request, _ ticket: Ticket, _ mask: TenantMask?,
        _ fault: FaultKind?
    ) async throws -> Answer {
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.largestBody)
        } catch is NIOTooManyBytesError {
            return Answer(.contentTooLarge)
        }
        if PaymentAPI.serves(path: path) {
            return try await payments.answer(
                path, query, request, body: body,
                isAuthorized: ticket.token != nil && !withheldFamilies.contains("payments"), fault: fault)
        }
        guard ticket.token != nil else { return Answer(.unauthorized) }
        var segments = path.split(separator: "/").map { QueryString.decode($0) }
        if let mask { segments = segments.map { mask.inward($0) } }
        // The service does not tell a missing permission from a bad token.
        if segments.count >= 3, segments[1] == "merchants" {
            let family = segments.count > 3 ? RouteTable.family(of: segments[3]) : "merchant"
            if withheldFamilies.contains(family) { return Answer(.unauthorized) }
        }
        if ExportOffice.serves(Array(segments.dropFirst())) {
            return exports.office.answer(
                request.method.rawValue, Array(segments.dropFirst()), body: body, base: ExportResponder.base(request))
        }
        return api.respond(
            to: APIRequest(
                method: request.method.rawValue, path: Array(segments.dropFirst()), query: QueryString(query),
                body: body, contentType: request.headers[.contentType],
                accountID: HTTPField.Name("X-Clover-Account-Id").flatMap { request.headers[$0] }))
    }

    private func tooMany(_ refusal: Refusal, _ wait: Int?) -> Answer {
        var answer = Answer.message(429, "429 Too Many Requests")
        answer.headers.append((refusal.header, String(refusal.limit(in: meter.limits))))
        if let wait { answer.headers.append(("Retry-After", String(wait))) }
        return answer
    }

    // MARK: Faults

    /// The answer of a fault that has one of its own; nil for those that spoil the true answer.
    private func spoil(_ fault: FaultKind, _ ticket: Ticket, _ context: EmulatorContext) async throws -> Answer? {
        switch fault {
        case .reset: try await ConnectionReset.perform(on: context.channel)
        case .serverError: return .message(500, "500 Internal Server Error")
        case .unavailable: return .proxyPage(503, "503 Service Temporarily Unavailable")
        case .notJSON: return .proxyPage(200, "We'll be right back")
        case .noElements:
            return Answer(status: 200, json: .object([("href", .string("http://api.clover.com/v3/merchants"))]))
        case .tokenRate: return tooMany(.tokenRate, nil)
        case .tokenConcurrency:
            let wait = meter.faultWait(ticket.number, at: Int(NIODeadline.now().uptimeNanoseconds))
            return tooMany(.tokenConcurrency, wait)
        default: return nil
        }
    }
}

/// Answers the requests of the token side: reads the body, then the pauses and faults around the work of the office.
struct OAuthResponder: Sendable {
    /// No call of the service brings more than a few hundred bytes.
    private static let largestBody = 65_536

    let office: OAuthOffice
    let meter: TrafficMeter
    let faults: CountedFaultPlan
    let latency: Duration
    let answerDelay: Duration

    /// - Throws: when the connection is gone, on purpose or not.
    func respond(to request: Request, route: OAuthRoute, query: String, context: EmulatorContext) async throws -> Answer
    {
        guard route.methods.contains(request.method.rawValue) else {
            return Answer(.methodNotAllowed(route.methods))
        }
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.largestBody)
        } catch is NIOTooManyBytesError {
            return .message(413, "413 Content Too Large")
        }
        let work = {
            office.answer(
                route, method: request.method.rawValue, query: query,
                token: AccessToken.read(authorization: request.headers[.authorization], target: ""), body: body)
        }
        guard route.isTokenCall else { return work() }
        return try await answer(work, fault: faults.next(path: route.rawValue), channel: context.channel)
    }

    /// Faults that stand for a broken way to the service come before the work; the two that lose an answer, after it.
    private func answer(_ work: () -> Answer, fault: FaultKind?, channel: any Channel) async throws -> Answer {
        if fault != nil { meter.spoiled() }
        if latency > .zero { try await Task.sleep(for: latency) }
        switch fault {
        case .reset: try await ConnectionReset.perform(on: channel)
        case .serverError: return .message(500, "500 Internal Server Error")
        case .unavailable: return .proxyPage(503, "503 Service Temporarily Unavailable")
        case .notJSON: return .proxyPage(200, "We'll be right back")
        default: break
        }
        var answer = work()
        if fault == .loseAnswer { office.answerLost() }
        if answerDelay > .zero { try await Task.sleep(for: answerDelay) }
        switch fault {
        case .loseAnswer: try await ConnectionReset.perform(on: channel)
        case .truncate: answer.cut(after: answer.body.readableBytes / 2)
        default: break
        }
        return answer
    }
}

/// Reads calls about money from HTTP, and decides their faults.
struct PaymentResponder: Sendable {
    /// Headers the calls look at.
    private static let headers = [
        "apikey", "idempotency-key", "x-forwarded-for", "content-type", "x-clover-device-id", "x-pos-id",
        "x-clover-timeout",
    ]

    let api: PaymentAPI
    let faults: CountedFaultPlan

    /// The fault that counts calls of this kind; nil for most.
    func fault(method: HTTPRequest.Method, path: String) -> FaultKind? {
        faults.next(path: path, kinds: PaymentFaults.kinds(method: method.rawValue, path: path))
    }

    /// - Throws: when the emulator ends while a card is slow.
    func answer(
        _ path: String, _ query: String, _ request: Request, body: ByteBuffer, isAuthorized: Bool, fault: FaultKind?
    ) async throws -> Answer {
        var headers: [String: String] = [:]
        for text in Self.headers {
            if let name = HTTPField.Name(text) { headers[text] = request.headers[name] }
        }
        let call = PaymentCall(
            method: request.method.rawValue, path: path.split(separator: "/").map { QueryString.decode($0) },
            query: QueryString(query), headers: headers, body: body, isAuthorized: isAuthorized, fault: fault)
        let answer = try await api.answer(to: call)
        return fault == .serverErrorAfter ? .message(500, "500 Internal Server Error") : answer
    }
}

/// What the responder knows about a request besides the request: its connection.
struct EmulatorContext: InitializableFromSource {
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
    }
}

/// Ends connections the hard way.
enum ConnectionReset {
    /// Closes with a reset instead of an orderly end: lingering for no time drops what is unsent and sends RST (socket(7),
    /// SO_LINGER).
    ///
    /// - Throws: always, in the end: there is nobody to answer any more.
    static func perform(on channel: any Channel) async throws -> Never {
        if let options = channel as? any SocketOptionProvider {
            try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        try await channel.close().get()
        throw ChannelError.ioOnClosedChannel
    }
}
