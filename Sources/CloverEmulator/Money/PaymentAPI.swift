package import NIOCore

/// The payment calls. Independent of HTTP connections, limits and transport faults.
package struct PaymentAPI: Sendable {
    private let ecommerce: EcommerceAPI
    private let payDisplay: PayDisplayAPI
    private let ledger: ShopStore
    private let settings: PaymentSettings
    private let clock: EmulatorClock

    /// - Parameter clock: that of the `Date` header.
    package init(
        ledger: ShopStore, settings: PaymentSettings = PaymentSettings(), clock: EmulatorClock = EmulatorClock()
    ) {
        self.ledger = ledger
        self.settings = settings
        self.clock = clock
        ecommerce = EcommerceAPI(ledger: ledger, settings: settings, clock: clock)
        payDisplay = PayDisplayAPI(ledger: ledger, settings: settings)
    }

    static func serves(path: String) -> Bool {
        ["/v1", "/connect", "/recurring", "/invoicingcheckoutservice"].contains {
            path == $0 || path.hasPrefix($0 + "/")
        }
    }

    /// The response to a call; refusals become responses.
    ///
    /// - Throws: `CancellationError` when the emulator stops during a slow card.
    package func answer(to call: PaymentCall) async throws -> EmulatorResponse {
        do {
            return switch call.path.first {
            case "connect": try await payDisplay.answer(to: call)
            case "recurring": try RecurringAPI(ledger: ledger, clock: clock).answer(to: call)
            case "invoicingcheckoutservice": try CheckoutAPI(ledger: ledger, settings: settings).answer(to: call)
            default: try await ecommerce.answer(to: call)
            }
        } catch let refusal as PaymentRefusal {
            return refusal.answer
        }
    }
}

/// The parts of an ecommerce or device call that its handlers need.
package struct PaymentCall: Sendable {
    let method: String
    /// All path segments, percent-decoded.
    let path: [String]
    let query: QueryString
    /// By lower-case name.
    private let headers: [String: String]
    private let body: ByteBuffer
    let isAuthorized: Bool
    /// A fault that changes the outcome of the call.
    let fault: FaultKind?

    package init(
        method: String, path: [String], query: QueryString, headers: [String: String], body: ByteBuffer,
        isAuthorized: Bool, fault: FaultKind?
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.isAuthorized = isAuthorized
        self.fault = fault
    }

    /// The value of a header; nil if it is absent or empty.
    func header(_ name: String) -> String? {
        headers[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether the body, if any, is declared as JSON.
    var isJSON: Bool { body.readableBytes == 0 || RequestBody.isJSON(headers["content-type"]) }

    /// The body as an object; empty for an empty body, nil for anything but an object.
    var members: JSONValue? {
        guard body.readableBytes > 0 else { return [:] }
        guard let value = JSONParser.value(of: Array(body.readableBytesView)), case .object = value else { return nil }
        return value
    }

    var isWrite: Bool { method == "POST" }
}

/// The idempotency key of a call, with the fingerprint that identifies repetitions.
struct PaymentKey: Sendable {
    let scope: KeyScope
    let text: String
    /// Hash of method, path and body; whitespace and the order of members in the body do not matter.
    let fingerprint: String
    /// False for a fault that makes the service forget the key.
    let isRemembered: Bool

    init(_ text: String, in scope: KeyScope, call: PaymentCall, body: JSONValue) {
        self.scope = scope
        self.text = text
        let line = Array("\(call.method) /\(call.path.joined(separator: "/"))\n".utf8)
        fingerprint = SHA256.hash(line + body.ordered.encoded).map { $0.digits(2, radix: 16) }.joined()
        isRemembered = call.fault != .forgetKey
    }

    /// The storage key of the response: the two interfaces do not share idempotency keys.
    var id: String { "\(scope.rawValue) \(text)" }
}

extension JSONValue {
    /// The same value with object members sorted by name.
    var ordered: JSONValue {
        switch self {
        case .object(let members):
            .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.ordered) })
        case .array(let values): .array(values.map(\.ordered))
        default: self
        }
    }
}

/// Where a key or an external ID is used once: the two interfaces do not know each other's.
enum KeyScope: String, Sendable {
    /// Card-not-present payments.
    case ecommerce
    /// Cards presented to a device of the shop.
    case payDisplay
}

/// A refused payment call; nothing has changed.
package struct PaymentRefusal: Error {
    let status: Int
    let body: JSONValue

    /// 401 with the service's usual body.
    static let unauthorized = PaymentRefusal(status: 401, body: APIError.unauthorized.body)

    var answer: EmulatorResponse { EmulatorResponse(status: status, json: body) }
}

package struct PaymentSettings: Sendable {
    package var card = CardBehaviour.approve
    package var cardTime = Duration.zero
    package var authorizationTime = Duration.zero
    package var slowCardTime = Duration.seconds(3)
    /// How long a void returns the money without a refund: about 25 minutes (Clover documentation, transaction types).
    package var voidWindow = Duration.seconds(25 * 60)
    /// How long a hold can be captured. Not documented; a week is usual.
    package var holdLife = Duration.seconds(7 * 86_400)
    /// How long a session of Hosted Checkout lives (Clover: creating a Hosted Checkout session).
    package var checkoutLife = Duration.seconds(15 * 60)

    package init() {}
}
