import Glibc
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Answers all requests. Record requests pass the limits, then the faults, then the token check, then reach the shop.
struct EmulatorResponder {
    /// More than any request needs: a thousand items are about 300 kB.
    private static let largestBody = 4 << 20
    /// More than any token call needs; they have a few hundred bytes.
    private static let largestTokenBody = 65_536
    /// The headers that payment calls use.
    private static let paymentHeaders = [
        "apikey", "idempotency-key", "x-forwarded-for", "content-type", "x-clover-device-id", "x-pos-id",
        "x-clover-timeout", "x-clover-merchant-id",
    ]

    private let options: EmulatorOptions
    private let api: ShopAPI
    private let meter: TrafficMeter
    private let tenants: Tenants
    private let pageFacts: LivePage.Facts
    private let oauth: OAuthServer
    private let payments: PaymentAPI
    private let exports: ExportResponder
    private let churn: ChurnGenerator
    private let webhooks: WebhookSender?
    private let faults: FaultPlan
    private let oauthFaults: CountedFaultPlan
    private let paymentFaults: CountedFaultPlan

    init(
        _ options: EmulatorOptions, ledger: ShopStore, meter: TrafficMeter, tenants: Tenants, oauth: OAuthServer,
        churn: ChurnGenerator, webhooks: WebhookSender?
    ) {
        let seed = options.shop.seed
        self.options = options
        self.meter = meter
        self.tenants = tenants
        let shop = ledger.shop
        pageFacts = LivePage.Facts(
            shopName: shop.catalogue.merchantName, merchantIDs: tenants.merchantIDs, appID: tenants.apps[0].id,
            period: EmulatorFacts.period(of: shop, isLive: options.isLive))
        self.oauth = oauth
        self.churn = churn
        self.webhooks = webhooks
        api = ShopAPI(ledger: ledger, quirks: options.quirks)
        payments = PaymentAPI(ledger: ledger, settings: options.payments, clock: oauth.clock)
        exports = ExportResponder(
            service: ExportServer(ledger: ledger, settings: options.exports),
            faults: CountedFaultPlan(
                specs: options.faults.filter { $0.pathPrefix?.hasPrefix(ExportServer.filePrefix) == true },
                seed: seed, stream: .exportFault))
        faults = FaultPlan(specs: options.faults, seed: seed)
        oauthFaults = CountedFaultPlan(specs: options.oauth.faults, seed: seed)
        paymentFaults = CountedFaultPlan(
            specs: options.faults.filter(\.isForPayments), seed: seed, stream: .paymentFault)
    }

    func response(to request: Request, on channel: any Channel) async -> Response {
        do {
            let (answer, fault) = try await answer(to: request, on: channel)
            return fault == .slow ? answer.slowResponse() : answer.response(isHead: request.method == .head)
        } catch {
            // The connection is gone, or a fault closed it: nothing reads this response.
            return Response(status: .internalServerError)
        }
    }

    /// - Throws: if the connection is closed, deliberately or not.
    private func answer(to request: Request, on channel: any Channel) async throws -> (EmulatorResponse, FaultKind?) {
        if let refusal = Self.refusal(of: request.head.authority) { return (refusal, nil) }
        let target = request.head.path ?? "/"
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(halves[0])
        let query = halves.count > 1 ? String(halves[1]) : ""
        guard let name = InternalHeader.ticket, let number = request.headers[name].flatMap({ Int($0) }),
            let ticket = meter.ticket(number)
        else {
            if let route = OAuthRoute(rawValue: path) {
                return (try await oauthAnswer(to: request, route, query, on: channel), nil)
            }
            if ExportResponder.serves(path) {
                return (try await exports.answer(path, QueryString(query), request, channel), nil)
            }
            return (control(path, QueryString(query), request.method, host: request.head.authority ?? ""), nil)
        }
        if case .refused(let refusal, let wait) = ticket.verdict { return (tooMany(refusal, wait), nil) }
        var fault: FaultKind?
        if PaymentAPI.serves(path: path) {
            let kinds = FaultKind.ofPayments(method: request.method.rawValue, path: path)
            fault = paymentFaults.next(path: path, kinds: kinds)
        }
        fault = fault ?? faults.fault(forRequest: ticket.number, path: path)
        if fault != nil { meter.count(\.faults) }
        if options.latency > .zero { try await Task.sleep(for: options.latency) }
        let requestID = "00000000-0000-4000-8000-\(ticket.number.digits(12, radix: 16))"
        let isMarked = faults.hasRequestID(forRequest: ticket.number, path: path)
        if let fault, var spoiled = try await spoil(fault, ticket, request.method, channel) {
            if isMarked { spoiled.headers.append((EmulatorResponse.requestID, requestID)) }
            return (spoiled, nil)
        }
        let mask = ticket.owner.flatMap { tenants.mask(for: $0) }
        var answer = try await answer(path, QueryString(query), request, ticket, mask, fault)
        mask?.outward(&answer.body)
        if path.hasPrefix("/v3/") { answer.addHeaders(requestID: requestID) }
        if isMarked { answer.headers.append((EmulatorResponse.requestID, requestID)) }
        if fault == .filterHeader, answer.filterFields != nil { answer.filterFields = "id" }
        if fault == .hiddenRows { answer.hideRow() }
        if fault == .loseAnswer {
            oauth.answerLost()
            try await ConnectionReset.perform(on: channel)
        }
        if fault == .truncate {
            answer.cut(after: faults.cut(forRequest: ticket.number, length: answer.body.readableBytes))
        }
        return (answer, fault)
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

    /// The body; nil if it is too large.
    ///
    /// - Throws: if the connection closes before the whole body has arrived.
    private static func body(of request: Request, upTo most: Int) async throws -> ByteBuffer? {
        do {
            return try await request.body.collect(upTo: most)
        } catch is NIOTooManyBytesError {
            return nil
        }
    }

    // MARK: Responses

    /// The emulator's own paths, which need no token.
    private func control(
        _ path: String, _ query: QueryString, _ method: HTTPRequest.Method, host: String
    ) -> EmulatorResponse {
        if path == "/emulator/churn" { return churn.answer(method.rawValue, query) }
        if path.hasPrefix("/emulator/checkouts/") {
            return checkout(String(path.split(separator: "/").last ?? ""), query, method)
        }
        if path == "/emulator/closeout" {
            guard method == .post else { return EmulatorResponse(.methodNotAllowed(["POST"])) }
            return api.ledger.exchange { handler in handler.closeOut() }
        }
        let report: () -> EmulatorResponse
        switch path {
        case "/": report = { page.page(host: host) }
        case "/emulator/live": report = { page.fragment }
        case "/emulator/page.js": report = { LivePage.script }
        case "/emulator/drift": report = { EmulatorResponse(json: api.ledger.driftReport) }
        case "/emulator/webhooks":
            guard let webhooks else { return EmulatorResponse(.unknownPath) }
            report = { EmulatorResponse(json: webhooks.report) }
        case "/emulator/requests": report = { EmulatorResponse(json: meter.log.json) }
        case "/emulator/charges": report = { EmulatorResponse(json: PaymentReport(api.ledger.view).json) }
        case "/emulator/stats":
            report = {
                let money = PaymentReport(api.ledger.view)
                return EmulatorResponse(json: meter.statistics.json(with: oauth.statistics, money))
            }
        case _ where path.hasPrefix("/emulator/records/"):
            let list = path.split(separator: "/").dropFirst(2).first.map(String.init)
            report = { RecordDump(api.ledger.view, expand: query.values("expand")).answer(to: list ?? "") }
        default: return EmulatorResponse(.unknownPath)
        }
        return method == .get || method == .head ? report() : EmulatorResponse(.methodNotAllowed(["GET"]))
    }

    /// The page of a session of Hosted Checkout: `POST` pays, or declines the card with `?card=decline`.
    private func checkout(_ id: String, _ query: QueryString, _ method: HTTPRequest.Method) -> EmulatorResponse {
        guard method == .post else {
            guard method == .get || method == .head else {
                return EmulatorResponse(.methodNotAllowed(["GET", "POST"]))
            }
            return CheckoutAPI.page(of: id, in: api.ledger.view)
        }
        let isApproved = query.values("card").last != "decline"
        let answer = api.ledger.exchange { handler throws(PaymentRefusal) in
            try handler.payCheckout(id, isApproved: isApproved, life: options.payments.checkoutLife)
        }
        if let notice = JSONParser.value(of: Array(answer.body.readableBytesView)), notice["data"] != nil {
            webhooks?.add(checkout: notice)
        }
        return answer
    }

    private var page: LivePage {
        LivePage(
            pageFacts, meter: meter, isEnforced: options.enforcesLimits, PaymentReport(api.ledger.view),
            webhooks: webhooks?.recent)
    }

    private func answer(
        _ path: String, _ query: QueryString, _ request: Request, _ ticket: RequestTicket, _ mask: TenantMask?,
        _ fault: FaultKind?
    ) async throws -> EmulatorResponse {
        guard let body = try await Self.body(of: request, upTo: Self.largestBody) else {
            return EmulatorResponse(.contentTooLarge)
        }
        let method = request.method.rawValue
        var segments = path.split(separator: "/").map { QueryString.decode($0) }
        if PaymentAPI.serves(path: path) {
            var headers: [String: String] = [:]
            for text in Self.paymentHeaders {
                if let name = HTTPField.Name(text) { headers[text] = request.headers[name] }
            }
            headers["host"] = request.head.authority
            if let mask, let merchant = headers["x-clover-merchant-id"] {
                headers["x-clover-merchant-id"] = mask.inward(merchant)
            }
            let answer = try await payments.answer(
                to: PaymentCall(
                    method: method, path: segments, query: query, headers: headers, body: body,
                    isAuthorized: ticket.token != nil && !options.withheldFamilies.contains("payments"), fault: fault))
            return fault == .serverErrorAfter ? EmulatorResponse(.serverError) : answer
        }
        guard ticket.token != nil else { return EmulatorResponse(.unauthorized) }
        if let mask { segments = segments.map { mask.inward($0) } }
        // The service does not distinguish a missing permission from an invalid token.
        if segments.count >= 3, segments[1] == "merchants" {
            let family = segments.count > 3 ? RouteTable.family(of: segments[3]) : "merchant"
            if options.withheldFamilies.contains(family) { return EmulatorResponse(.unauthorized) }
        }
        // An empty segment, such as that of a merchant without an id, is part of no path.
        let rest = path.contains("//") ? [] : Array(segments.dropFirst())
        if ExportServer.serves(rest) {
            return exports.service.answer(method, rest, body: body, base: ExportResponder.base(request))
        }
        return api.respond(
            to: APIRequest(
                method: method, path: rest, query: query, body: body, contentType: request.headers[.contentType],
                accountID: HTTPField.Name("X-Clover-Account-Id").flatMap { request.headers[$0] }))
    }

    private func tooMany(_ refusal: LimitKind, _ wait: Int?) -> EmulatorResponse {
        var answer = EmulatorResponse.message(429, "429 Too Many Requests")
        answer.headers.append((refusal.header, String(refusal.limit(in: meter.limits))))
        if let wait { answer.headers.append(("Retry-After", String(wait))) }
        return answer
    }

    /// The response of a fault that replaces the real one; nil for faults that alter it.
    private func spoil(
        _ fault: FaultKind, _ ticket: RequestTicket, _ method: HTTPRequest.Method, _ channel: any Channel
    ) async throws -> EmulatorResponse? {
        switch fault {
        case .textRefusal: return .textRefusal(method.rawValue)
        case .reset: try await ConnectionReset.perform(on: channel)
        case .noElements: return EmulatorResponse(json: ["href": "http://api.clover.com/v3/merchants"])
        case .tokenRate: return tooMany(.tokenRate, nil)
        case .tokenConcurrency:
            let wait = meter.faultWait(ticket.number, at: Int(NIODeadline.now().uptimeNanoseconds))
            return tooMany(.tokenConcurrency, wait)
        default: return fault.replacement
        }
    }

    // MARK: OAuth

    /// Faults that simulate a broken connection to the service apply before the work; the two that lose a response
    /// apply after it.
    private func oauthAnswer(
        to request: Request, _ route: OAuthRoute, _ query: String, on channel: any Channel
    ) async throws -> EmulatorResponse {
        guard route.methods.contains(request.method.rawValue) else {
            return EmulatorResponse(.methodNotAllowed(route.methods))
        }
        guard let body = try await Self.body(of: request, upTo: Self.largestTokenBody) else {
            return EmulatorResponse(.contentTooLarge)
        }
        let work = {
            oauth.answer(
                route, method: request.method.rawValue, query: query,
                token: AccessToken.read(authorization: request.headers[.authorization], target: ""), body: body)
        }
        guard route.isTokenCall else { return work() }
        let fault = oauthFaults.next(path: route.rawValue)
        if fault != nil { meter.count(\.faults) }
        if options.oauth.latency > .zero { try await Task.sleep(for: options.oauth.latency) }
        if fault == .reset { try await ConnectionReset.perform(on: channel) }
        if let replacement = fault?.replacement { return replacement }
        var answer = work()
        if fault == .loseAnswer { oauth.answerLost() }
        if options.oauth.answerDelay > .zero { try await Task.sleep(for: options.oauth.answerDelay) }
        if fault == .loseAnswer { try await ConnectionReset.perform(on: channel) }
        if fault == .truncate { answer.cut(after: answer.body.readableBytes / 2) }
        return answer
    }
}

extension FaultKind {
    /// The response that the fault sends instead of the real one; nil for other faults.
    var replacement: EmulatorResponse? {
        switch self {
        case .serverError: EmulatorResponse(.serverError)
        case .unavailable: .proxyPage(503, "503 Service Temporarily Unavailable")
        case .notJSON: .proxyPage(200, "We'll be right back")
        case .cloudflare: .cloudflarePage
        default: nil
        }
    }
}

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
