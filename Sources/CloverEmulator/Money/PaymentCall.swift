package import NIOCore

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
