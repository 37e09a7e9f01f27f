import CloverTestSupport
import Foundation
import Synchronization

/// Clover as the model has it, for one world: it takes money by its own records, and what it responds is random. What it
/// says of a charge in Clover's own words is always true.
final class ModelService: Sendable {
    /// What the service of a world is like.
    struct Nature: Sendable {
        /// A charge shows what the client calls it.
        let echoes: Bool
        /// A charge is not to be seen in the same step. A device knows its own at once.
        let lags: Bool
        /// Other customers pay the same amounts at the same time.
        let isCrowded: Bool
        /// A driver keeps its charges, and says so.
        let recalls: Bool
        /// Whether filters of lists are honoured.
        let filters: Bool
    }

    struct State: Sendable {
        var money: ModelMoney
        /// Requests are answered as Clover documents it.
        var isCalm: Bool
        /// What comes after a charge gets no response, and is not done.
        var isDeaf = false
        /// Processes that got a response which is not Clover's own, or none.
        var troubled: Set<Int> = []
        var randoms: [Int: ModelRandom] = [:]
        /// Responses that wait: the process, and what wakes its thread.
        var held: [(process: Int, gate: DispatchSemaphore)] = []
        var limited: Set<String> = []
        var story: [String] = []
        var violations: [String] = []
    }

    let nature: Nature
    private let seed: UInt64
    let state: Mutex<State>

    init(nature: Nature, seed: UInt64, money: ModelMoney, isCalm: Bool) {
        self.nature = nature
        self.seed = seed
        state = Mutex(State(money: money, isCalm: isCalm))
    }

    var now: Int { Int(Date().timeIntervalSince1970 * 1000) }

    func tell(_ line: String) { state.withLock { $0.story.append(line) } }

    /// Processes whose response waits.
    var holding: Set<Int> { state.withLock { Set($0.held.map(\.process)) } }

    /// Lets all responses go that wait.
    func release() {
        let gates = state.withLock { state in
            defer { state.held = [] }
            return state.held.map(\.gate)
        }
        for gate in gates { gate.signal() }
    }

    /// What is late comes, or never will.
    func resolve(_ random: inout ModelRandom) {
        for key in state.withLock(\.money.open) {
            let isTaken = random.chance(70)
            state.withLock { state in
                guard let entry = state.money.entries[key] else { return }
                if state.money.payments.contains(where: { $0.key == key && $0.isPending }) {
                    state.money.decide(key, isTaken: isTaken)
                } else if isTaken, state.money.permits(entry.asked) {
                    state.money.take(key, by: entry.process, now: now)
                } else {
                    state.money.set(.refused, of: key, by: entry.process)
                }
                state.story.append("late: \(key) \(isTaken ? "moved" : "did not move")")
            }
        }
        state.withLock { $0.money.show() }
    }

    // MARK: Requests about money

    /// How a response gets to the client, whatever was done.
    enum Delivery: Sendable {
        case whole, twice, lost, empty, redirect, slow
        /// Another customer's payment.
        case foreign
        case bare(Int)
        /// A refusal in Clover's form of the sign-in or by the rate limit, although something before it got through.
        case gateway(Int)
    }

    private enum Deed { case take, takePart, takeLate, decline, refuse, nothing, pend }

    /// Responds to a request.
    ///
    /// - Parameter process: the number of the process that sent it.
    func respond(to request: LoopbackRequest, process: Int) -> LoopbackResponse {
        let path = request.path
        if request.method == "POST", let asked = Self.asked(request) {
            guard let key = request.header("Idempotency-Key") else {
                state.withLock { $0.violations.append("\(request.method) \(path) has no key") }
                return Self.bare(400)
            }
            return money(key, asked, process)
        }
        return read(request, process)
    }

    /// What a request about money asks for; nil for all others.
    static func asked(_ request: LoopbackRequest) -> ModelMoney.Asked? {
        let words = request.path.split(separator: "/").map(String.init)
        let body = request.body.isEmpty ? nil : try? JSONValue(request.bodyText)
        func amount(_ name: String = "amount") -> Int? { body?[name]?.integer }
        switch words {
        case ["v1", "charges"]:
            return ModelMoney.Asked(
                rail: .ecommerce, kind: .charge, external: body?["external_reference_id"]?.string,
                amount: amount() ?? 0, isCaptured: body?["capture"] != .bool(false), tip: amount("tip_amount"),
                customer: body?["source"]?.string.flatMap { $0 == ModelShop.customer ? $0 : nil })
        case ["v1", "refunds"]:
            return ModelMoney.Asked(
                rail: .ecommerce, kind: .refund, amount: amount() ?? -1, payment: body?["charge"]?.string)
        case ["connect", "v1", "payments"]:
            return ModelMoney.Asked(
                rail: .device, kind: .charge, external: body?["externalPaymentId"]?.string, amount: amount() ?? 0,
                isCaptured: body?["capture"] != .bool(false), tip: amount("tipAmount"))
        default: break
        }
        if words.count == 4, words[0] == "v1", words[1] == "charges", words[3] == "capture" {
            return ModelMoney.Asked(rail: .ecommerce, kind: .capture, amount: amount() ?? 0, payment: words[2])
        }
        guard words.count == 5, words[0] == "connect", words[2] == "payments" else { return nil }
        var asked = ModelMoney.Asked(rail: .device, kind: .void, amount: amount() ?? -1, payment: words[3])
        switch words[4] {
        case "void": asked.kind = .void
        case "refunds": asked.kind = .refund
        case "capture":
            asked.kind = .capture
            asked.tip = amount("tipAmount")
        case "tip-adjust":
            asked.kind = .tip
            asked.tip = amount("tipAmount") ?? 0
        case "increment": asked.kind = .increment
        default: return nil
        }
        return asked
    }

    private func money(_ key: String, _ given: ModelMoney.Asked, _ process: Int) -> LoopbackResponse {
        let asked = state.withLock { state in
            var asked = given
            if asked.amount < 0, asked.kind == .refund, let payment = asked.payment.flatMap(state.money.payment) {
                // The whole, where no amount is named.
                asked.amount = payment.amount + (payment.tip ?? 0) - payment.refunded
            }
            state.money.receive(key, asked, by: process)
            return asked
        }
        // Slow before it is done, or after.
        if chance(process, 8) {
            tell("p\(process) \(asked.kind) \(key): held before it is done")
            hold(process)
        }
        let (deed, delivery): (Deed, Delivery) = state.withLock { state in
            if let payment = asked.payment.flatMap(state.money.payment), payment.key == nil {
                state.violations.append("p\(process) asks for the \(asked.kind) of another customer's payment")
            }
            let isDeaf = state.isDeaf && asked.kind != .charge
            let deed: Deed = isDeaf ? .nothing : carryOut(key, asked, process, &state)
            let delivery: Delivery = isDeaf ? .lost : chooseDelivery(deed, asked, process, key, &state)
            if case .whole = delivery {} else { state.troubled.insert(process) }
            state.story.append("p\(process) \(asked.kind) \(key): \(deed), \(delivery)")
            return (deed, delivery)
        }
        if case .slow = delivery { hold(process) }
        return response(key, asked, deed, delivery)
    }

    private func draw<Value>(_ process: Int, _ body: (inout ModelRandom) -> Value) -> Value? where Value: Sendable {
        state.withLock { state in state.isCalm ? nil : Self.draw(process, seed, &state, body) }
    }

    private func chance(_ process: Int, _ percent: Int) -> Bool {
        draw(process) { $0.chance(percent) } ?? false
    }

    private static func draw<Value>(
        _ process: Int, _ seed: UInt64, _ state: inout State, _ body: (inout ModelRandom) -> Value
    ) -> Value {
        body(&state.randoms[process, default: ModelRandom(seed: seed, stream: process + 1)])
    }

    private func hold(_ process: Int) {
        let gate = DispatchSemaphore(value: 0)
        state.withLock { $0.held.append((process, gate)) }
        gate.wait()
    }

    /// Does what was asked, or not; the same key gets the same.
    private func carryOut(
        _ key: String, _ asked: ModelMoney.Asked, _ process: Int, _ state: inout State
    ) -> Deed {
        switch state.money.entries[key]?.fate {
        case .moved: return .take
        case .refused:
            return state.money.payments.contains { $0.key == key && $0.isDeclined } ? .decline : .refuse
        case .late where !state.isCalm && Self.draw(process, seed, &state, { $0.chance(50) }): return .takeLate
        default: break
        }
        if state.money.payments.contains(where: { $0.key == key && $0.isPending }) { return .pend }
        guard state.money.permits(asked) else {
            state.money.set(.refused, of: key, by: process)
            return .refuse
        }
        let isCharge = asked.kind == .charge
        let deed: Deed =
            state.isCalm
            ? .take
            : Self.draw(process, seed, &state) {
                $0.weighted([
                    (52, .take), (isCharge ? 8 : 0, .decline), (4, .refuse), (16, .nothing), (12, .takeLate),
                    (isCharge ? 6 : 0, .pend),
                    (isCharge && asked.rail == .device ? 8 : 0, .takePart),
                ])
            }
        switch deed {
        case .take: state.money.take(key, by: process, now: now, isHidden: nature.lags && asked.rail != .device)
        case .takePart:
            // The same to the client as all of it, but for the amount.
            state.money.take(key, by: process, now: now, isHidden: nature.lags && asked.rail != .device, isPart: true)
            return .take
        case .takeLate: state.money.set(.late, of: key, by: process)
        case .decline: _ = state.money.decline(key, by: process, now: now)
        case .refuse: state.money.set(.refused, of: key, by: process)
        case .nothing: break
        case .pend:
            _ = state.money.begin(key, now: now)
            state.money.set(.untouched, of: key, by: process)
        }
        if isCharge, nature.isCrowded {
            _ = state.money.addForeign(asked.rail, amount: asked.amount, now: now)
        }
        return deed
    }

    private func chooseDelivery(
        _ deed: Deed, _ asked: ModelMoney.Asked, _ process: Int, _ key: String, _ state: inout State
    ) -> Delivery {
        guard !state.isCalm else { return .whole }
        let isDevice = asked.rail == .device
        var bare = [500, 502, 503, 504, 400, 401, 403, 404, 408, 409, 415, 422] + (isDevice ? [209, 209, 209] : [])
        // A client waits after each, so that one is enough.
        if state.limited.insert(key).inserted { bare += [429] }
        return Self.draw(process, seed, &state) { random in
            let status = random.one(of: bare)
            let gateway = Delivery.gateway(bare.contains(429) && random.chance(50) ? 429 : 401)
            // What no record shows yet can only be denied.
            let isShown = isDevice || !nature.lags
            switch deed {
            case .take, .takePart:
                return random.weighted([
                    (42, .whole), (20, .lost), (22, .bare(status)), (4, .redirect), (4, .twice), (4, .slow),
                    (4, .empty), (isShown ? 6 : 0, gateway),
                ])
            case .decline, .refuse, .pend:
                return random.weighted([(70, .whole), (14, .lost), (10, .bare(status)), (6, .slow)])
            case .takeLate:
                return random.weighted([(70, .lost), (30, .bare(random.one(of: [500, 502, 503, 504, 408])))])
            case .nothing:
                return random.weighted([
                    (30, .lost), (42, .bare(status)), (5, .redirect), (8, .empty), (8, gateway),
                    (asked.kind == .charge ? 7 : 0, .foreign),
                ])
            }
        }
    }

    // MARK: Responses

    private static let reasons = [
        200: "OK", 209: "Cancelled", 302: "Found", 307: "Temporary Redirect", 400: "Bad Request", 401: "Unauthorized",
        402: "Payment Required", 403: "Forbidden", 404: "Not Found", 408: "Request Timeout", 409: "Conflict",
        415: "Unsupported Media Type", 422: "Unprocessable Content", 429: "Too Many Requests",
        500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    ]

    private static func answer(_ status: Int, _ body: String, _ more: [String] = []) -> LoopbackResponse {
        LoopbackResponse(
            status: "\(status) \(reasons[status] ?? "")", headers: ["Content-Type: application/json"] + more,
            body: body.utf8)
    }

    /// What a proxy says, which knows nothing of the charge.
    private static func bare(_ status: Int) -> LoopbackResponse {
        let body = status == 209 ? "{}" : "<html><title>\(status) \(reasons[status] ?? "")</title></html>"
        return answer(status, body, status == 429 ? ["Retry-After: 1"] : [])
    }

    private func response(
        _ key: String, _ asked: ModelMoney.Asked, _ deed: Deed, _ delivery: Delivery
    ) -> LoopbackResponse {
        switch delivery {
        case .lost: return .reset
        case .bare(let status): return Self.bare(status)
        case .gateway(let status):
            return Self.answer(
                status, #"{"message":"\#(status) \#(Self.reasons[status] ?? "")"}"#,
                status == 429 ? ["Retry-After: 1"] : [])
        case .empty: return Self.answer(200, "{}")
        case .redirect: return .redirect(to: "/elsewhere", status: "307 Temporary Redirect")
        case .foreign: return foreign(asked)
        case .whole, .slow: return whole(key, asked, deed)
        case .twice:
            var answer = whole(key, asked, deed)
            answer.bytes += answer.bytes
            return answer
        }
    }

    /// A response that another client should have got, whose charge has another name and amount.
    private func foreign(_ asked: ModelMoney.Asked) -> LoopbackResponse {
        let id = state.withLock { $0.money.addForeign(asked.rail, amount: asked.amount / 2, now: now) }
        let body =
            asked.rail == .ecommerce
            ? #"{"id":"\#(id)","object":"charge","amount":\#(asked.amount / 2),"currency":"usd","captured":true,"#
                + #""status":"succeeded","external_reference_id":"OTHER"}"#
            : #"{"payment":{"id":"\#(id)","amount":\#(asked.amount / 2),"result":"SUCCESS","externalPaymentId":"OTHER"}}"#
        return Self.answer(200, body)
    }

    /// Clover's own words for what was done.
    private func whole(_ key: String, _ asked: ModelMoney.Asked, _ deed: Deed) -> LoopbackResponse {
        let money = state.withLock(\.money)
        let isEcommerce = asked.rail == .ecommerce
        switch deed {
        case .nothing, .takeLate: return .reset
        case .refuse:
            return isEcommerce
                ? Self.answer(
                    400,
                    #"{"message":"400 Bad Request","error":{"type":"invalid_request_error","code":"invalid_request","message":"It cannot be done"}}"#
                )
                : Self.answer(400, #"{"message":"It cannot be done","requestType":"PAY","type":"BAD_REQUEST"}"#)
        case .decline:
            let payment = money.payments.last { $0.key == key }
            if isEcommerce {
                return Self.answer(
                    402,
                    #"{"message":"402 Payment Required","error":{"type":"card_error","code":"card_declined","message":"DECLINED","charge":"\#(payment?.id ?? "")"}}"#
                )
            }
            return Self.answer(200, #"{"payment":\#(payment.map(json) ?? "{}")}"#)
        case .pend:
            guard let payment = money.payments.last(where: { $0.key == key }) else { return .reset }
            return Self.answer(200, isEcommerce ? json(payment) : #"{"payment":\#(json(payment))}"#)
        case .take, .takePart:
            guard case .moved(let id) = money.entries[key]?.fate,
                let payment = money.payment(asked.kind == .charge ? id : asked.payment ?? "")
            else { return .reset }
            if asked.kind == .refund {
                return isEcommerce
                    ? Self.answer(
                        200,
                        #"{"id":"\#(id)","object":"refund","amount":\#(asked.amount),"charge":"\#(payment.id)","status":"succeeded"}"#
                    ) : Self.answer(200, #"{"refund":{"id":"\#(id)","amount":\#(asked.amount)}}"#)
            }
            return Self.answer(200, isEcommerce ? json(payment) : #"{"payment":\#(json(payment))}"#)
        }
    }

    private func json(_ payment: ModelMoney.Payment) -> String {
        let external = nature.echoes ? payment.external : nil
        if payment.rail == .ecommerce {
            let status = payment.isPending ? "pending" : payment.isDeclined ? "failed" : "succeeded"
            return #"{"id":"\#(payment.id)","object":"charge","amount":\#(payment.amount),"#
                + #""amount_captured":\#(payment.isCaptured ? payment.amount : 0),"#
                + #""amount_refunded":\#(payment.refunded),"currency":"usd","created":\#(payment.made),"#
                + #""captured":\#(payment.isCaptured),"status":"\#(status)""#
                + (payment.isDeclined ? #","failure_code":"card_declined""# : "")
                + (payment.tip.map { #","tip_amount":\#($0)"# } ?? "")
                + (external.map { #","external_reference_id":"\#($0)""# } ?? "")
                + (payment.customer.map { #","customer":"\#($0)""# } ?? "")
                + #","source":{"brand":"VISA","first6":"424242","last4":"4242"}}"#
        }
        let result =
            payment.isPending ? "PENDING" : payment.isDeclined ? "FAIL" : payment.isVoided ? "VOIDED" : "SUCCESS"
        return
            #"{"id":"\#(payment.id)","amount":\#(payment.amount),"result":"\#(result)","createdTime":\#(payment.made),"#
            + (payment.tip.map { #""tipAmount":\#($0),"# } ?? "")
            + (external.map { #""externalPaymentId":"\#($0)","# } ?? "")
            + #""cardTransaction":{"captured":\#(payment.isCaptured),"cardType":"VISA","last4":"4242"}}"#
    }

    // MARK: Reading

    private func read(_ request: LoopbackRequest, _ process: Int) -> LoopbackResponse {
        let words = request.path.split(separator: "/").map(String.init)
        switch words {
        case ["pakms", "apikey"]:
            let token = request.header("Authorization")?.split(separator: " ").last ?? ""
            return Self.answer(200, #"{"apiAccessKey":"\#(token)"}"#)
        case ["v1", "tokens"]: return Self.answer(200, #"{"id":"clv_1MODEL"}"#)
        default: break
        }
        if words.first == "v3", words.last == "devices" {
            return .page([#"{"id":"DEVICE1","serial":"\#(ModelWorld.device)"}"#])
        }
        if words.first == "v3", words.last == "properties" { return Self.answer(200, #"{"defaultCurrency":"USD"}"#) }
        if words.starts(with: ["connect", "v1", "device"]) {
            guard words.last == "status" else { return Self.answer(200, "{}") }
            let word = draw(process) { $0.one(of: ["IDLE", "BUSY", "WAITING_FOR_POS", "WAITING_FOR_CUSTOMER"]) }
            return Self.answer(200, #"{"state":"\#(word ?? "IDLE")"}"#)
        }
        let trouble: LoopbackResponse? = draw(process) { random -> LoopbackResponse? in
            random.weighted([
                (82, nil), (5, .reset), (4, Self.bare(503)), (3, Self.bare(500)), (3, Self.bare(401)),
                (3, Self.bare(404)),
            ])
        }.flatMap(\.self)
        let target = request.target
        if let trouble {
            state.withLock { _ = $0.troubled.insert(process) }
            tell("p\(process) \(request.method) \(target): trouble")
            return trouble
        }
        tell("p\(process) \(request.method) \(target)")
        return shown(request, words)
    }

    private func shown(_ request: LoopbackRequest, _ words: [String]) -> LoopbackResponse {
        let money = state.withLock(\.money)
        let payments = money.payments.filter { !$0.isHidden }
        let refunds = money.refunds.map {
            #"{"id":"\#($0.id)","object":"refund","amount":\#($0.amount),"charge":"\#($0.payment)","status":"succeeded"}"#
        }
        switch (words.first, words.dropFirst().first, words.count) {
        case ("v1", "charges", 2):
            let list = payments.filter { $0.rail == .ecommerce }.reversed().map(json)
            return Self.answer(200, #"{"object":"list","has_more":false,"data":[\#(list.joined(separator: ","))]}"#)
        case ("v1", "refunds", 2):
            return Self.answer(200, #"{"object":"list","has_more":false,"data":[\#(refunds.joined(separator: ","))]}"#)
        case ("v1", "refunds", 3):
            let found = refunds.first { $0.contains("\"\(words[2])\"") }
            return found.map { Self.answer(200, $0) } ?? Self.missing
        case ("v1", "charges", 3):
            let found = payments.first { $0.rail == .ecommerce && $0.id == words[2] }
            return found.map { Self.answer(200, json($0)) } ?? Self.missing
        case ("connect", "v1", 5) where words[3] == "external":
            let found = payments.last { $0.rail == .device && $0.external == words[4] }
            return found.map { Self.answer(200, #"{"payment":\#(json($0))}"#) } ?? Self.missing
        case ("connect", "v1", 4) where words[2] == "payments":
            let found = payments.first { $0.rail == .device && $0.id == words[3] }
            return found.map { Self.answer(200, #"{"payment":\#(json($0))}"#) } ?? Self.missing
        case ("v3", "merchants", 4) where words[3] == "payments":
            let external = request.values(of: "filter").first?.removingPercentEncoding?.split(separator: "=").last
                .map(String.init)
            let list = payments.filter {
                $0.rail != .ecommerce && !(nature.filters && nature.echoes && $0.external != external)
            }
            return .page(list.map(json))
        case ("v3", "merchants", 5) where words[3] == "payments":
            let found = payments.first { $0.rail != .ecommerce && $0.id == words[4] }
            return found.map { Self.answer(200, json($0)) } ?? Self.missing
        default: return Self.missing
        }
    }

    private static let missing = answer(404, #"{"message":"Not Found"}"#)

    // MARK: Readers

    /// Responds to a line that a driver was sent, with lines.
    func drive(_ line: String, process: Int) -> LoopbackResponse {
        guard let request = try? JSONValue(line), let id = request["id"]?.integer else { return .reset }
        func result(_ fields: String, then events: String...) -> LoopbackResponse {
            let lines = [#"{"id":\#(id),"result":{\#(fields)}}"#] + events
            return LoopbackResponse(lines.map { $0 + "\n" }.joined())
        }
        switch request["request"]?.string {
        case "hello":
            let recall = nature.recalls ? #","recall""# : ""
            return result(
                #""version":1,"driver":"model","capabilities":["scan","connect","charge"\#(recall)]"#)
        case "connect":
            let reader = request["reader"]?.string ?? ""
            return result(
                #""reader":{"id":"\#(reader)"}"#, then: #"{"event":"state","state":"initializing"}"#,
                #"{"event":"state","state":"ready"}"#)
        case "charge":
            guard let charge = request["charge"], let key = charge["idempotencyKey"]?.string else { return .reset }
            let asked = ModelMoney.Asked(
                rail: .reader, kind: .charge, external: charge["externalPaymentId"]?.string,
                amount: charge["amount"]?.integer ?? 0, isCaptured: charge["capture"] != .bool(false),
                tip: charge["tipAmount"]?.integer)
            return charged(key, asked, process).map { result($0) } ?? .reset
        case "payment":
            guard let fields = recalled(request["externalPaymentId"]?.string ?? "", process) else { return .reset }
            return result(fields)
        default: return result("")
        }
    }

    /// Charges by a reader: the fields of the result; nil when the driver ends without one.
    private func charged(_ key: String, _ asked: ModelMoney.Asked, _ process: Int) -> String? {
        state.withLock { $0.money.receive(key, asked, by: process) }
        if chance(process, 15) {
            tell("p\(process) charge \(key): the reader waits for a card")
            hold(process)
        }
        let (deed, fate): (Deed, Int) = state.withLock { state in
            let deed: Deed
            if !nature.recalls, case .moved = state.money.entries[key]?.fate {
                // It has forgotten the key.
                state.money.take(key, by: process, now: now, isForgetful: true)
                deed = .take
            } else {
                deed = carryOut(key, asked, process, &state)
            }
            let fate = state.isCalm ? 0 : Self.draw(process, seed, &state) { Int.random(in: 0..<100, using: &$0) }
            state.story.append("p\(process) charge \(key) by a reader: \(deed), \(fate)")
            return (deed, fate)
        }
        let isLost = fate >= 75
        switch deed {
        case .pend, .takeLate, .nothing: return fate < 50 && deed != .nothing ? #""outcome":"unknown""# : nil
        case .refuse: return isLost ? nil : #""outcome":"cancelled","code":"cancelled","message":"given up""#
        case .decline: return isLost ? nil : #""outcome":"declined","code":"card_declined","message":"no""#
        case .take, .takePart:
            if isLost { return fate < 85 ? #""outcome":"unknown""# : nil }
            return state.withLock { ended(key, $0.money) }
        }
    }

    private func ended(_ key: String, _ money: ModelMoney) -> String? {
        guard let payment = money.payments.last(where: { $0.key == key }), let external = payment.external else {
            return nil
        }
        if payment.isDeclined { return #""outcome":"declined","code":"card_declined","message":"no""# }
        return #""outcome":"approved","payment":{"id":"\#(payment.id)","externalPaymentId":"\#(external)","#
            + #""amount":\#(payment.amount),"currency":"USD","final":\#(payment.isCaptured),"captured":\#(payment.isCaptured)"#
            + (payment.tip.map { #","tipAmount":\#($0)"# } ?? "") + "}"
    }

    /// What the driver has of a charge; nil when it ends instead.
    private func recalled(_ external: String, _ process: Int) -> String? {
        let isTroubled = chance(process, 15)
        return state.withLock { state in
            let found = state.money.entries.first {
                $0.value.asked.rail == .reader && $0.value.asked.external == external
            }
            let word: String?
            if isTroubled {
                word = nil
            } else if !nature.recalls {
                word = #""status":"none""#
            } else if let (key, entry) = found {
                if case .late = entry.fate {
                    word = #""status":"underWay""#
                } else if state.money.payments.contains(where: { $0.key == key && $0.isPending }) {
                    word = #""status":"underWay""#
                } else if let fields = ended(key, state.money) {
                    word = #""status":"ended","# + fields
                } else if state.held.contains(where: { $0.process == entry.process }) {
                    word = #""status":"underWay""#
                } else {
                    // From now on none will move.
                    state.money.set(.refused, of: key, by: entry.process)
                    word = #""status":"none""#
                }
            } else {
                word = #""status":"none""#
            }
            state.story.append("p\(process) asks the driver about \(external): \(word ?? "it ends")")
            return word
        }
    }
}
