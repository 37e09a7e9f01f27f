/// The errors of the ecommerce interface (recorded by third parties; the list of types and codes is in Clover's
/// documentation of its responses).
extension PaymentRefusal {
    enum ErrorType: String {
        case invalidRequest = "invalid_request_error"
        case card = "card_error"
        case idempotency = "idempotency_error"
    }

    /// - Parameters:
    ///   - type: nil where the service leaves it out.
    ///   - charge: the id of the charge that failed.
    static func ecommerce(
        _ status: Int, _ code: String?, _ message: String, type: ErrorType? = .invalidRequest, parameter: String? = nil,
        declineCode: String? = nil, charge: String? = nil
    ) -> PaymentRefusal {
        var error: JSONValue = .object([])
        for (name, value) in [
            ("type", type?.rawValue), ("code", code), ("message", message), ("param", parameter),
            ("decline_code", declineCode), ("charge", charge),
        ] {
            if let value { error.append(name, .string(value)) }
        }
        return PaymentRefusal(
            status: status, body: .object([("message", .string("\(status) \(title(status))")), ("error", error)]))
    }

    static func parameter(_ code: String, _ name: String, _ message: String) -> PaymentRefusal {
        .ecommerce(400, code, message, parameter: name)
    }

    static func card(_ code: String, _ name: String, _ message: String) -> PaymentRefusal {
        .ecommerce(400, code, message, type: .card, parameter: name)
    }

    static let keyClash = PaymentRefusal.ecommerce(
        409, nil, "The idempotency key was used for another request", type: .idempotency)

    /// Without a type, as it was recorded.
    static let tokenUsed = PaymentRefusal.ecommerce(
        400, "token_already_used", "The card token has been used already", type: nil)

    private static func title(_ status: Int) -> String {
        switch status {
        case 402: "Payment Required"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 415: "Unsupported Media Type"
        case 500: "Internal Server Error"
        default: "Bad Request"
        }
    }
}
