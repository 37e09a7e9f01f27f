import CloverAPI
import CloverAuth
import CloverCore
import CloverHTTP
import CloverJSON
import CloverWebhooks

/// Changes an emulator's shop, so that it sends a webhook.
struct EmulatorChange: Sendable {
    private let client: ServiceClient
    let merchant: String
    /// Part of changed values, so that each change changes something.
    private let number: Int64

    private static let sizeLimit = 1 << 20

    /// Connects to the emulator that is signed in to.
    ///
    /// - Throws: `WebhookFault.notEmulator` if the service is anything else, or sends no webhooks.
    init(in environment: CommandEnvironment) async throws {
        let connection = try await Connection.resolve(ConnectionChoice(), in: environment)
        let base = connection.environment.apiBaseURL
        // Other services are reached by https only.
        guard base.hasPrefix("http://") else { throw WebhookFault.notEmulator(base) }
        client = try connection.makeClient(retries: 0, in: environment)
        merchant = connection.merchantID
        number = environment.clock.wall()
        do {
            guard try await object(base + "/emulator/webhooks")?["verified"] != nil else {
                throw WebhookFault.notEmulator(base)
            }
        } catch ServiceError.notFound {
            throw WebhookFault.notEmulator(base)
        }
    }

    /// Whether an emulator can make such a change.
    static func isPossible(_ kind: WebhookKind, _ action: WebhookAction) -> Bool {
        list(of: kind) != nil && (kind != .payment || action != .deleted)
    }

    private static func list(of kind: WebhookKind) -> String? {
        switch kind {
        case .order: "orders"
        case .payment: "payments"
        case .item: "items"
        case .customer: "customers"
        case .category: "categories"
        case .employee: "employees"
        case .modifierGroup: "modifier_groups"
        case .app, .cashEvent, .merchant, .modifier, .serviceHours: nil
        }
    }

    /// Makes the change.
    ///
    /// - Parameter id: the record to change or delete, or the order to pay. Without one, the first record is changed, and
    ///   one is created to be deleted.
    /// - Returns: the record's ID.
    func make(_ kind: WebhookKind, _ action: WebhookAction, id: String?) async throws -> String {
        guard let list = Self.list(of: kind) else { throw WebhookFault.notPossible(kind.name, action.rawValue) }
        switch action {
        case .created: return try await create(kind, list, order: id)
        case .updated:
            let id = if let id { id } else { try await first(of: list) }
            try await write(.post, "\(list)/\(id)", changed(kind))
            return id
        case .deleted:
            let id = if let id { id } else { try await create(kind, list, order: nil) }
            try await write(.delete, "\(list)/\(id)", nil)
            return id
        }
    }

    private func create(_ kind: WebhookKind, _ list: String, order: String?) async throws -> String {
        var line = JSONLine()
        switch kind {
        case .payment:
            let order = if let order { order } else { try await first(of: "orders") }
            line.add("tender", json: #"{"id":\#(JSONString.quoted(try await first(of: "tenders")))}"#)
            line.add("amount", 100)
            return try await write(.post, "orders/\(order)/payments", line)
        case .order:
            line.add("state", "open")
            line.add("title", "Test \(number)")
        case .item:
            line.add("name", "Test \(number)")
            line.add("price", 450)
        case .customer: line.add("firstName", "Test \(number)")
        default: line.add("name", "Test \(number)")
        }
        return try await write(.post, list, line)
    }

    private func changed(_ kind: WebhookKind) -> JSONLine {
        var line = JSONLine()
        switch kind {
        case .order: line.add("note", "Test \(number)")
        case .payment: line.add("tipAmount", number % 1000)
        case .customer: line.add("lastName", "Test \(number)")
        default: line.add("name", "Test \(number)")
        }
        return line
    }

    /// - Returns: the ID in the response; empty if it has none.
    @discardableResult
    private func write(_ method: HTTPMethod, _ path: String, _ body: JSONLine?) async throws -> String {
        let url = client.url(path: "/v3/merchants/\(merchant)/\(path)", query: "")
        let content = body.map { HTTPRequestBody(bytes: Array($0.text.utf8)) }
        let response = try await client.write(ServiceRequest(method, url, body: content))
        return response.records.records.first.flatMap { response.records.id(of: $0) } ?? ""
    }

    private func first(of list: String) async throws -> String {
        let url = client.url(path: "/v3/merchants/\(merchant)/\(list)", query: "limit=1")
        guard let id = try await object(url)?["elements"]?.list?.first?.identifier else {
            throw WebhookFault.shopIsEmpty(list)
        }
        return id
    }

    private func object(_ url: String) async throws -> JSONTree? {
        var attempt = ServiceClient.Attempt()
        return JSONTree(try await client.object(of: url, limit: Self.sizeLimit, attempt: &attempt))
    }
}
