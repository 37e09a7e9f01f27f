import Glibc
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Answers all requests. Record requests pass the limits, then the faults, then the token check, then reach the shop.
struct EmulatorResponder {
    /// More than any request needs: a thousand items are about 300 kB.
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
    let churn: ChurnGenerator

    /// The response to a request.
    func response(to request: Request, on channel: any Channel) async -> Response {
        do {
            return try await respond(to: request, context: EmulatorContext(channel: channel))
        } catch {
            // The connection is gone, or a fault closed it: nothing reads this response.
            return Response(status: .internalServerError)
        }
    }

    private func respond(to request: Request, context: EmulatorContext) async throws -> Response {
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
            oauth.service.answerLost()
            try await ConnectionReset.perform(on: context.channel)
        }
        if fault == .slow { return answer.slowResponse() }
        if fault == .truncate {
            answer.cut(after: faults.cut(forRequest: ticket.number, length: answer.body.readableBytes))
        }
        return answer.response(isHead: isHead)
    }

    /// The refusal of a request with this Host header; nil for the names of this machine, with any port, because a
    /// relay has a different port. A page of another site that lets its own name resolve to this machine (DNS
    /// rebinding) sends that name.
    private static func refusal(of host: String?) -> EmulatorResponse? {
        guard let host, !host.isEmpty else { return .message(400, "400 Bad Request: no Host") }
        let isLiteral = host.hasPrefix("[")
        let name = isLiteral ? host.prefix { $0 != "]" }.dropFirst() : host.prefix { $0 != ":" }
        return ["127.0.0.1", "localhost", "::1"].contains(name.lowercased())
            ? nil : .message(421, "421 Misdirected Request")
    }

    // MARK: Responses

    private func answerOutsideV3(_ path: String, _ query: QueryString, _ method: HTTPRequest.Method) -> EmulatorResponse
    {
        if path == "/emulator/churn" { return churn.answer(method.rawValue, query) }
        if path == "/emulator/closeout" {
            guard method == .post else { return EmulatorResponse(.methodNotAllowed(["POST"])) }
            return api.ledger.exchange { handler in handler.closeOut() }
        }
        let list = path.split(separator: "/").dropFirst(2).first.map(String.init)
        let isDump = path.hasPrefix("/emulator/records/")
        guard isDump || Self.reports.contains(path) else {
            return EmulatorResponse(.unknownPath)
        }
        guard method == .get else { return EmulatorResponse(.methodNotAllowed(["GET"])) }
        if isDump { return RecordDump(api.ledger.view, expand: query.values("expand")).answer(to: list ?? "") }
        if path == "/emulator/drift" { return EmulatorResponse(json: api.ledger.driftReport) }
        if path == "/emulator/requests" { return EmulatorResponse(json: meter.log.json) }
        let money = PaymentReport(api.ledger.view)
        if path == "/emulator/charges" { return EmulatorResponse(json: money.json) }
        return EmulatorResponse(json: meter.statistics.json(with: oauth.service.statistics, money))
    }

    /// - Throws: if the connection closes before the whole body has arrived.
    private func answer(
        _ path: String, _ query: String, _ request: Request, _ ticket: RequestTicket, _ mask: TenantMask?,
        _ fault: FaultKind?
    ) async throws -> EmulatorResponse {
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.largestBody)
        } catch is NIOTooManyBytesError {
            return EmulatorResponse(.contentTooLarge)
        }
        if PaymentAPI.serves(path: path) {
            return try await payments.answer(
                path, query, request, body: body,
                isAuthorized: ticket.token != nil && !withheldFamilies.contains("payments"), fault: fault)
        }
        guard ticket.token != nil else { return EmulatorResponse(.unauthorized) }
        var segments = path.split(separator: "/").map { QueryString.decode($0) }
        if let mask { segments = segments.map { mask.inward($0) } }
        // The service does not distinguish a missing permission from an invalid token.
        if segments.count >= 3, segments[1] == "merchants" {
            let family = segments.count > 3 ? RouteTable.family(of: segments[3]) : "merchant"
            if withheldFamilies.contains(family) { return EmulatorResponse(.unauthorized) }
        }
        if ExportServer.serves(Array(segments.dropFirst())) {
            return exports.service.answer(
                request.method.rawValue, Array(segments.dropFirst()), body: body, base: ExportResponder.base(request))
        }
        return api.respond(
            to: APIRequest(
                method: request.method.rawValue, path: Array(segments.dropFirst()), query: QueryString(query),
                body: body, contentType: request.headers[.contentType],
                accountID: HTTPField.Name("X-Clover-Account-Id").flatMap { request.headers[$0] }))
    }

    private func tooMany(_ refusal: LimitKind, _ wait: Int?) -> EmulatorResponse {
        var answer = EmulatorResponse.message(429, "429 Too Many Requests")
        answer.headers.append((refusal.header, String(refusal.limit(in: meter.limits))))
        if let wait { answer.headers.append(("Retry-After", String(wait))) }
        return answer
    }

    // MARK: Faults

    /// The response of a fault that replaces the real one; nil for faults that alter it.
    private func spoil(_ fault: FaultKind, _ ticket: RequestTicket, _ context: EmulatorContext) async throws
        -> EmulatorResponse?
    {
        switch fault {
        case .reset: try await ConnectionReset.perform(on: context.channel)
        case .noElements:
            return EmulatorResponse(json: ["href": "http://api.clover.com/v3/merchants"])
        case .tokenRate: return tooMany(.tokenRate, nil)
        case .tokenConcurrency:
            let wait = meter.faultWait(ticket.number, at: Int(NIODeadline.now().uptimeNanoseconds))
            return tooMany(.tokenConcurrency, wait)
        default: return fault.replacement
        }
    }
}

/// Answers OAuth requests: reads the body and applies delays and faults around the work of the OAuth server.
struct OAuthResponder: Sendable {
    /// More than any token call needs; they have a few hundred bytes.
    private static let largestBody = 65_536

    let service: OAuthServer
    let meter: TrafficMeter
    let faults: CountedFaultPlan
    let latency: Duration
    let answerDelay: Duration

    /// - Throws: if the connection is closed, deliberately or not.
    func respond(to request: Request, route: OAuthRoute, query: String, context: EmulatorContext) async throws
        -> EmulatorResponse
    {
        guard route.methods.contains(request.method.rawValue) else {
            return EmulatorResponse(.methodNotAllowed(route.methods))
        }
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.largestBody)
        } catch is NIOTooManyBytesError {
            return .message(413, "413 Content Too Large")
        }
        let work = {
            service.answer(
                route, method: request.method.rawValue, query: query,
                token: AccessToken.read(authorization: request.headers[.authorization], target: ""), body: body)
        }
        guard route.isTokenCall else { return work() }
        return try await answer(work, fault: faults.next(path: route.rawValue), channel: context.channel)
    }

    /// Faults that simulate a broken connection to the service apply before the work; the two that lose a response
    /// apply after it.
    private func answer(_ work: () -> EmulatorResponse, fault: FaultKind?, channel: any Channel) async throws
        -> EmulatorResponse
    {
        if fault != nil { meter.spoiled() }
        if latency > .zero { try await Task.sleep(for: latency) }
        if fault == .reset { try await ConnectionReset.perform(on: channel) }
        if let replacement = fault?.replacement { return replacement }
        var answer = work()
        if fault == .loseAnswer { service.answerLost() }
        if answerDelay > .zero { try await Task.sleep(for: answerDelay) }
        switch fault {
        case .loseAnswer: try await ConnectionReset.perform(on: channel)
        case .truncate: answer.cut(after: answer.body.readableBytes / 2)
        default: break
        }
        return answer
    }
}

/// Converts HTTP requests to payment calls and chooses their faults.
struct PaymentResponder: Sendable {
    /// The headers that payment calls use.
    private static let headers = [
        "apikey", "idempotency-key", "x-forwarded-for", "content-type", "x-clover-device-id", "x-pos-id",
        "x-clover-timeout",
    ]

    let api: PaymentAPI
    let faults: CountedFaultPlan

    /// The fault for this call; nil for most calls.
    func fault(method: HTTPRequest.Method, path: String) -> FaultKind? {
        faults.next(path: path, kinds: PaymentFaults.kinds(method: method.rawValue, path: path))
    }

    /// - Throws: `CancellationError` when the emulator stops during a slow card.
    func answer(
        _ path: String, _ query: String, _ request: Request, body: ByteBuffer, isAuthorized: Bool, fault: FaultKind?
    ) async throws -> EmulatorResponse {
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

/// Request context: the connection.
struct EmulatorContext {
    let channel: any Channel
}

extension FaultKind {
    /// The response that the fault sends instead of the real one; nil for other faults.
    var replacement: EmulatorResponse? {
        switch self {
        case .serverError: EmulatorResponse.message(500, "500 Internal Server Error")
        case .unavailable: EmulatorResponse.proxyPage(503, "503 Service Temporarily Unavailable")
        case .notJSON: EmulatorResponse.proxyPage(200, "We'll be right back")
        default: nil
        }
    }
}

/// Resets connections.
enum ConnectionReset {
    /// Closes with a reset instead of an orderly shutdown: a linger time of zero drops unsent data and sends RST
    /// (socket(7), SO_LINGER).
    ///
    /// - Throws: always, because there is no client left to respond to.
    static func perform(on channel: any Channel) async throws -> Never {
        if let options = channel as? any SocketOptionProvider {
            try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        try await channel.close().get()
        throw ChannelError.ioOnClosedChannel
    }
}
