import CloverEmulator
import Testing

extension PaymentFixture {
    /// The serial of a device of the shop.
    var serial: String {
        get throws { try #require(try records("devices").first?["serial"]?.text) }
    }

    /// A device call with all headers, changed by `headers`; an empty value removes one.
    func device(
        _ path: String, _ body: String? = nil, method: String = "POST", key: String? = nil,
        headers: [String: String] = [:], isAuthorized: Bool = true, fault: FaultKind? = nil
    ) async throws -> Reply {
        var all = ["x-clover-device-id": try serial, "x-pos-id": "Till 1", "idempotency-key": key ?? ""]
        for (name, value) in headers { all[name] = value }
        return try await call(
            method, "/connect/v1/\(path)", body, headers: all, isAuthorized: isAuthorized, fault: fault)
    }

    func pay(_ body: String, key: String = "pay-1", fault: FaultKind? = nil) async throws -> Reply {
        try await device("payments", body, key: key, fault: fault)
    }

    /// A payment of 1000, by its kind.
    func paid(_ kind: String, key: String = "pay-1") async throws -> String {
        let pairs = ["sale": #","final":true"#, "auth": "", "preauth": #","capture":false"#]
        let reply = try await pay("{\"amount\":1000\(try #require(pairs[kind]))}", key: key)
        return try #require(reply.payment?.id)
    }
}

extension PaymentFixture.Reply {
    var payment: Node? { json["payment"] }
    /// `type` of an error of a device.
    var type: String? { json["type"]?.text }
}
