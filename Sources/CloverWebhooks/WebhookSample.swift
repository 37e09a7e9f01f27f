import CloverJSON

/// Made-up webhooks, for tests of a handler.
package enum WebhookSample {
    /// The body of an app's webhook with one event.
    ///
    /// - Parameters:
    ///   - action: of the object: created, updated or deleted.
    ///   - time: in milliseconds since 1970.
    package static func body(
        _ kind: WebhookKind, _ action: WebhookAction, id: String, merchant: String, app: String, at time: Int64
    ) -> [UInt8] {
        var event = JSONLine()
        event.add("objectId", "\(kind.rawValue):\(id)")
        event.add("type", action.type)
        event.add("ts", time)
        var merchants = JSONLine()
        merchants.add(merchant, json: "[\(event.text)]")
        var body = JSONLine()
        body.add("appId", app)
        body.add("merchants", json: merchants.text)
        return Array(body.text.utf8)
    }

    /// The body of a webhook of Hosted Checkout.
    ///
    /// - Parameter time: in milliseconds since 1970.
    package static func checkout(
        isApproved: Bool, payment: String, session: String, merchant: String, at time: Int64
    ) -> [UInt8] {
        var body = JSONLine()
        body.add("createdTime", time / 1000)
        body.add("message", isApproved ? "Approved for 100" : "Decline for 100")
        body.add("status", isApproved ? "APPROVED" : "DECLINED")
        body.add("type", "PAYMENT")
        body.add("id", payment)
        body.add("merchantId", merchant)
        body.add("data", session)
        return Array(body.text.utf8)
    }

    /// The body with which the dashboard sets up a webhook.
    package static func verification(code: String) -> [UInt8] {
        var body = JSONLine()
        body.add("verificationCode", code)
        return Array(body.text.utf8)
    }

    /// A random ID in Clover's form: 13 letters and digits, without those that look alike.
    package static func id() -> String {
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        return String((0..<13).map { _ in alphabet[Int.random(in: alphabet.indices)] })
    }
}

/// What happened to an object.
package enum WebhookAction: String, Sendable, CaseIterable {
    case created, updated, deleted

    /// As in the body of a webhook.
    package var type: String {
        switch self {
        case .created: "CREATE"
        case .updated: "UPDATE"
        case .deleted: "DELETE"
        }
    }
}
