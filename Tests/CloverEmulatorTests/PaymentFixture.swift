import CloverEmulator
import NIOCore
import Testing

/// Charges cards of a shop in process, without a server.
struct PaymentFixture {
    let shop: Shop
    let ledger: ShopStore
    let api: PaymentAPI

    init(settings: PaymentSettings = PaymentSettings()) {
        shop = Shop(ShopSettings(seed: 1, orderCount: 30))
        ledger = ShopStore(shop: shop)
        api = PaymentAPI(ledger: ledger, settings: settings)
    }

    /// A fixture that stores its state in a file.
    init(state path: String) throws {
        let shopSettings = ShopSettings(seed: 1, orderCount: 30)
        shop = Shop(shopSettings)
        ledger = try ShopStore(shop: shop, journal: Journal(path: path, settings: shopSettings, keepsNow: false))
        api = PaymentAPI(ledger: ledger)
    }

    /// A parsed response.
    struct Reply {
        let status: Int
        let text: String
        let json: Node

        /// `type` and `code` of an error, `-` for none.
        var error: String { "\(json["error"]?["type"]?.text ?? "-") \(json["error"]?["code"]?.text ?? "-")" }
    }

    func call(
        _ method: String, _ target: String, _ body: String? = nil, headers: [String: String] = [:],
        isAuthorized: Bool = true, fault: FaultKind? = nil
    ) async throws -> Reply {
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var all = ["content-type": "application/json"]
        for (name, value) in headers { all[name] = value }
        let answer = try await api.answer(
            to: PaymentCall(
                method: method, path: halves[0].split(separator: "/").map(String.init),
                query: QueryString(halves.count > 1 ? halves[1] : ""), headers: all,
                body: body.map { ByteBuffer(string: $0) } ?? ByteBuffer(), isAuthorized: isAuthorized, fault: fault))
        let bytes = Array(answer.body.readableBytesView)
        return Reply(
            status: answer.status, text: String(decoding: bytes, as: UTF8.self),
            json: bytes.isEmpty ? Node([String: Any]()) : try Node(bytes))
    }

    // MARK: Ecommerce

    func makeToken(_ members: String) async throws -> Reply {
        try await call(
            "POST", "/v1/tokens", "{\"card\":{\(members)}}", headers: ["apikey": shop.identity.apiAccessKey])
    }

    /// A token for a card.
    func token(_ number: String = "4242424242424242") async throws -> String {
        let reply = try await makeToken(
            "\"number\":\"\(number)\",\"exp_month\":\"12\",\"exp_year\":\"2090\",\"cvv\":\"123\"")
        try #require(reply.status == 200, "\(reply.text)")
        return reply.json.id
    }

    func charge(
        _ key: String? = "key-1", _ members: String, headers: [String: String] = [:], fault: FaultKind? = nil
    ) async throws -> Reply {
        var all = ["x-forwarded-for": "203.0.113.7", "idempotency-key": key ?? ""]
        for (name, value) in headers { all[name] = value }
        return try await call("POST", "/v1/charges", "{\(members)}", headers: all, fault: fault)
    }

    /// A charge with a new token.
    func charge(
        _ amount: Int, key: String, number: String = "4242424242424242", _ more: String = "", fault: FaultKind? = nil
    ) async throws -> Reply {
        try await charge(
            key, "\"amount\":\(amount),\"currency\":\"usd\",\"source\":\"\(try await token(number))\"\(more)",
            fault: fault)
    }

    func refund(_ body: String, key: String = "refund-1") async throws -> Reply {
        try await call("POST", "/v1/refunds", body, headers: ["idempotency-key": key])
    }

    func capture(_ id: String, _ body: String = "{}", key: String = "capture-1") async throws -> Reply {
        try await call(
            "POST", "/v1/charges/\(id)/capture", body,
            headers: ["idempotency-key": key, "x-forwarded-for": "203.0.113.7"])
    }

    // MARK: Reports

    var report: PaymentReport { PaymentReport(ledger.view) }

    /// The amounts of all movements, in cents.
    var moved: [Int] {
        get throws { try Node(report.json.encoded).elements.map { $0["moved"]?.integer ?? 0 } }
    }

    /// A V3 list of the shop.
    func records(_ target: String) throws -> [Node] {
        let halves = target.split(separator: "?", maxSplits: 1)
        let answer = try ShopAPI(ledger: ledger).answer(
            to: APIRequest(
                path: ["merchants", shop.identity.merchantID.description, String(halves[0])],
                query: QueryString(halves.count > 1 ? halves[1] : "")))
        return try Node(Array(answer.body.readableBytesView)).elements
    }
}
