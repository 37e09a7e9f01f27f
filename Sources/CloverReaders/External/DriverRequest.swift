internal import FoundationEssentials

/// A request to a driver program, clover-reader-driver(5).
struct DriverRequest: Encodable, Sendable {
    let request: String
    var id = 0
    var versions: [Int]?
    var client: String?
    var allDevices: Bool?
    var reader: String?
    var timeout: Double?
    var begin: Bool?
    var charge: Charge?
    var externalPaymentId: String?

    /// The parts of a charge, amounts in minor units.
    struct Charge: Encodable, Sendable {
        let idempotencyKey: String
        let externalPaymentId: String
        let externalReferenceId: String?
        let amount: Int64
        let currency: String
        let final: Bool
        let capture: Bool
        let tipAmount: Int64?
        let taxAmount: Int64?
        let acceptPartial: Bool
    }

    static let protocolVersion = 1

    static var hello: DriverRequest { DriverRequest(request: "hello", versions: [protocolVersion], client: "clover") }
    static var ping: DriverRequest { DriverRequest(request: "ping") }
    static var stopScan: DriverRequest { DriverRequest(request: "stopScan") }
    static var disconnect: DriverRequest { DriverRequest(request: "disconnect") }
    static var cancel: DriverRequest { DriverRequest(request: "cancel") }

    static func scan(allDevices: Bool) -> DriverRequest { DriverRequest(request: "scan", allDevices: allDevices) }

    static func connect(_ reader: String, timeout: Double) -> DriverRequest {
        DriverRequest(request: "connect", reader: reader, timeout: timeout)
    }

    static func update(begin: Bool) -> DriverRequest { DriverRequest(request: "update", begin: begin) }

    static func payment(externalID: String) -> DriverRequest {
        DriverRequest(request: "payment", externalPaymentId: externalID)
    }

    static func charge(_ charge: CardCharge) -> DriverRequest {
        DriverRequest(
            request: "charge",
            charge: Charge(
                idempotencyKey: charge.idempotencyKey, externalPaymentId: charge.externalPaymentID,
                externalReferenceId: charge.externalReferenceID, amount: charge.amount, currency: charge.currency,
                final: charge.isFinal, capture: charge.capture, tipAmount: charge.tipAmount,
                taxAmount: charge.taxAmount, acceptPartial: charge.acceptsPartial))
    }

    /// The line without its end; values that are nil are left out.
    func line() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self))
    }
}

extension CardCharge {
    /// The request as a driver gets it, without its number.
    package func driverRequest() throws -> String {
        String(decoding: try DriverRequest.charge(self).line(), as: UTF8.self)
    }
}
