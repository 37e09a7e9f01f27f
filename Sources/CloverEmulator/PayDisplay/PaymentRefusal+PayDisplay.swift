/// The errors of REST Pay Display (Clover documentation, status codes; bodies from notes of third parties).
extension PaymentRefusal {
    /// - Parameter request: the name of the call, such as `PAY`.
    static func device(_ status: Int, _ type: String, _ message: String, request: String) -> PaymentRefusal {
        PaymentRefusal(
            status: status,
            body: .object([
                ("message", .string(message)), ("requestType", .string(request)), ("type", .string(type)),
            ]))
    }

    static func badRequest(_ message: String, request: String) -> PaymentRefusal {
        .device(400, "BAD_REQUEST", message, request: request)
    }

    /// 209, which is no success although it begins with a 2.
    static func cancelled(request: String) -> PaymentRefusal {
        .device(209, "CANCELLED", "The request was cancelled", request: request)
    }

    /// 504: what becomes of the request is not said.
    static func late(request: String) -> PaymentRefusal {
        .device(504, "GATEWAY_TIMEOUT", "The device did not answer in time", request: request)
    }

    /// A serial that no device of the merchant has, such as that of another merchant's device.
    static func unknownDevice(_ serial: String) -> PaymentRefusal {
        PaymentRefusal(
            status: 400,
            body: .object([
                ("code", .string("processing_error")), ("message", .string("No device with the serial \(serial)")),
                ("type", .string("api_error")),
            ]))
    }
}
