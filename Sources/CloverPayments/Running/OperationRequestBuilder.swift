package import CloverAPI
import CloverHTTP
import CloverJSON
import CloverSystem
import FoundationEssentials

/// Builds the requests for operations.
struct OperationRequestBuilder {
    let hosts: PaymentHosts

    /// The `X-POS-Id` of operations from before the journal recorded it (Clover: REST Pay Display development basics).
    private static let legacyPOSID = "clover-cli"

    /// The request that carries out an operation: the same bytes each time.
    ///
    /// - Parameter source: the card's token, for an ecommerce charge.
    func request(for operation: PaymentOperation, source: Secret?) throws -> ServiceRequest {
        let rules = operation.rail.rules
        let body = try rules.body(of: operation, source: source)
        var additions = rules.headers(of: operation)
        additions += deviceHeaders(operation.request)
        if let seconds = operation.request.timeout, rules.hasDevice {
            additions.append(HTTPHeader(name: "X-Clover-Timeout", value: "\(seconds)"))
        }
        if let address = operation.request.clientAddress {
            additions.append(HTTPHeader(name: "X-Forwarded-For", value: address))
        }
        var request = ServiceRequest(
            .post, rules.base(of: operation, hosts) + operation.request.path,
            body: HTTPRequestBody(bytes: Array(body.utf8)),
            additions: additions, movesMoney: true)
        request.awaitsPerson = rules.hasDevice && operation.kind == .charge
        return request
    }

    /// The request for the payment in the merchant's records, which have the payments of all devices.
    func record(_ operation: PaymentOperation, paymentID: String) -> ServiceRequest {
        ServiceRequest(
            .get,
            hosts.api + "/v3/merchants/\(operation.merchantID)/payments/" + PercentCoding.encode(paymentID)
                + "?expand=cardTransaction,refunds")
    }

    /// A request that tells the device something or asks for its state.
    func device(_ method: HTTPMethod, _ path: String, _ operation: PaymentOperation) -> ServiceRequest {
        ServiceRequest(
            method, operation.rail.rules.base(of: operation, hosts) + "/v1/device/" + path,
            body: method == .get ? nil : HTTPRequestBody(bytes: Array("{}".utf8)),
            additions: deviceHeaders(operation.request))
    }

    func deviceHeaders(_ request: OperationRequest) -> [HTTPHeader] {
        guard let serial = request.device else { return [] }
        return [
            HTTPHeader(name: "X-Clover-Device-Id", value: serial),
            HTTPHeader(name: "X-POS-Id", value: request.posID ?? Self.legacyPOSID),
        ]
    }
}

/// Shows the request that would be sent.
package enum OperationPreview {
    /// The request, with `(redacted)` in place of the source of an ecommerce charge.
    package static func request(_ operation: PaymentOperation, _ client: PaymentClient) throws -> ServiceRequest {
        try OperationRequestBuilder(hosts: client.hosts).request(for: operation, source: hidden)
    }

    /// The request that puts the card on file before the charge, with `(redacted)` in place of its source; nil for none.
    package static func saving(_ operation: PaymentOperation, _ client: PaymentClient) throws -> ServiceRequest? {
        guard let card = operation.request.cardOnFile, let host = client.hosts.ecommerce else { return nil }
        let isKeyed = JSONTree(Array(operation.request.body.utf8))?["ecomind"]?.string == "moto"
        let body = try BodyText.encode(CardFile.body(of: card, hidden, isKeyed: isKeyed))
        return ServiceRequest(.post, host + CardFile.path, body: HTTPRequestBody(bytes: Array(body.utf8)))
    }

    private static let hidden = Secret("(redacted)")
}
