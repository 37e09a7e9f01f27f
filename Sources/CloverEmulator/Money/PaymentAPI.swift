import Crypto
package import NIOCore

/// The calls that move money. It knows nothing of HTTP connections, limits or the faults of the way.
package struct PaymentAPI: Sendable {
    package let ledger: ShopLedger
    private let ecommerce: EcommerceAPI
    private let payDisplay: PayDisplayAPI

    package init(ledger: ShopLedger, settings: PaymentSettings = PaymentSettings()) {
        self.ledger = ledger
        ecommerce = EcommerceAPI(ledger: ledger, settings: settings)
        payDisplay = PayDisplayAPI(ledger: ledger, settings: settings)
    }

    /// Whether a path is one of these calls.
    package static func serves(path: String) -> Bool {
        ["/v1", "/connect"].contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    /// The answer to a call; refusals are answers too.
    ///
    /// - Throws: when the emulator ends while a card is slow.
    package func answer(to call: PaymentCall) async throws -> Answer {
        if call.path.first == "connect" { return await payDisplay.answer(to: call) }
        return try await ecommerce.answer(to: call)
    }
}

/// A call of the ecommerce interface or to a device, as far as they need to know it.
package struct PaymentCall: Sendable {
    package var method: String
    /// All segments of the path, percent-decoded.
    package var path: [String]
    package var query: QueryString
    /// By names in lower case.
    package var headers: [String: String]
    package var body: ByteBuffer
    /// Whether it came with a good access token.
    package var isAuthorized: Bool
    /// A fault that changes how the call goes.
    package var fault: FaultKind?

    package init(
        method: String, path: [String], query: QueryString = QueryString(""), headers: [String: String] = [:],
        body: ByteBuffer = ByteBuffer(), isAuthorized: Bool = true, fault: FaultKind? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.isAuthorized = isAuthorized
        self.fault = fault
    }

    /// The value of a header that is there and not empty.
    func header(_ name: String) -> String? {
        headers[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether a body that is there is declared as JSON.
    var isJSON: Bool {
        guard body.readableBytes > 0 else { return true }
        let type = (headers["content-type"] ?? "").split(separator: ";").first.map { $0.lowercased() } ?? ""
        return type.split(separator: " ").first == "application/json"
    }

    /// The members of the body; an empty body has none, and nil stands for anything but an object.
    var members: JSONValue? {
        guard body.readableBytes > 0 else { return .object([]) }
        guard let value = JSONParser.value(of: Array(body.readableBytesView)), case .object = value else { return nil }
        return value
    }

    /// Whether it changes something.
    var isWrite: Bool { method == "POST" }
}

/// The idempotency key of a call, with what makes two calls the same.
struct PaymentKey: Sendable {
    let rail: PaymentRail
    let text: String
    /// Of method, path and body; white space and the order of members in the body do not count.
    let fingerprint: String
    /// False for a fault that lets the service forget the key.
    let isRemembered: Bool

    init(_ text: String, rail: PaymentRail, call: PaymentCall, body: JSONValue) {
        self.rail = rail
        self.text = text
        var hash = SHA256()
        hash.update(data: Array("\(call.method) /\(call.path.joined(separator: "/"))\n".utf8))
        hash.update(data: body.ordered.encoded)
        fingerprint = hash.finalize().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        isRemembered = call.fault != .forgetKey
    }

    /// What its answer is kept under: the two interfaces do not know each other's keys.
    var id: String { "\(rail.rawValue) \(text)" }
}

extension JSONValue {
    /// The same value with the members of its objects by name.
    var ordered: JSONValue {
        switch self {
        case .object(let members):
            .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.ordered) })
        case .array(let values): .array(values.map(\.ordered))
        default: self
        }
    }
}

/// The interfaces that move money.
package enum PaymentRail: String, Sendable {
    /// Cards that are not present.
    case ecommerce
    /// Cards shown to a device of the shop.
    case payDisplay
}

/// A call about money that is refused; nothing has changed then.
package struct PaymentRefusal: Error {
    let status: Int
    let body: JSONValue

    /// 401 as everywhere at the service.
    static let unauthorized = PaymentRefusal(status: 401, body: APIError.unauthorized.body)

    var answer: Answer { Answer(status: status, json: body) }
}

/// How cards and devices behave.
package struct PaymentSettings: Sendable {
    /// What the card that is shown to a device does.
    package var card = CardBehaviour.approve
    /// Time until a card is shown to a device.
    package var cardTime = Duration.zero
    /// Time between a card and the answer of its issuer.
    package var authorizationTime = Duration.zero
    /// What a slow card takes on top of that.
    package var slowCardTime = Duration.seconds(3)
    /// How long a void gives the money back without a refund: about 25 minutes (Clover documentation, transaction types).
    package var voidWindow = Duration.seconds(25 * 60)
    /// How long what is held can be captured. The service does not tell; a week is usual.
    package var holdLife = Duration.seconds(7 * 86_400)

    package init() {}
}
