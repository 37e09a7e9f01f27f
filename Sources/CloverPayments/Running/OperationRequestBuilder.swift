package import CloverAPI
import CloverHTTP
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
        var body = operation.request.body
        if operation.rail == .ecommerce, operation.kind == .charge {
            body = try BodyText.ecommerce(body, source: source?.exposed ?? "")
        }
        var additions = [HTTPHeader(name: "Idempotency-Key", value: operation.idempotencyKey)]
        additions += deviceHeaders(operation.request)
        if let seconds = operation.request.timeout, operation.rail == .payDisplay {
            additions.append(HTTPHeader(name: "X-Clover-Timeout", value: "\(seconds)"))
        }
        if let address = operation.request.clientAddress {
            additions.append(HTTPHeader(name: "X-Forwarded-For", value: address))
        }
        var request = ServiceRequest(
            .post, base(operation) + operation.request.path, body: HTTPRequestBody(bytes: Array(body.utf8)),
            additions: additions, movesMoney: true)
        request.awaitsPerson = operation.rail == .payDisplay && operation.kind == .charge
        return request
    }

    /// The request that looks up the charge by the external ID that was sent.
    func lookUp(_ operation: PaymentOperation) -> ServiceRequest {
        let external = operation.externalID ?? ""
        switch operation.rail {
        case .payDisplay:
            return ServiceRequest(
                .get, base(operation) + "/v1/payments/external/" + external,
                additions: deviceHeaders(operation.request))
        // A hand-off is never looked up: it belongs to no Clover merchant.
        case .reader, .square:
            return ServiceRequest(
                .get,
                hosts.api + "/v3/merchants/\(operation.merchantID)/payments?filter=externalPaymentId%3D\(external)"
                    + "&expand=cardTransaction")
        case .ecommerce:
            return page(after: nil)
        }
    }

    /// The request for a page of ecommerce charges, newest first.
    func page(after id: String?) -> ServiceRequest {
        ServiceRequest(
            .get, (hosts.ecommerce ?? "") + "/v1/charges?limit=100" + (id.map { "&starting_after=\($0)" } ?? ""))
    }

    /// The request for the charge or payment as the service has it now.
    func present(_ operation: PaymentOperation, paymentID: String) -> ServiceRequest {
        switch operation.rail {
        case .ecommerce: ServiceRequest(.get, (hosts.ecommerce ?? "") + "/v1/charges/" + paymentID)
        case .payDisplay:
            ServiceRequest(
                .get, base(operation) + "/v1/payments/" + paymentID, additions: deviceHeaders(operation.request))
        case .reader, .square: record(operation, paymentID: paymentID)
        }
    }

    /// The request for the payment in the merchant's records, which have the payments of all devices.
    func record(_ operation: PaymentOperation, paymentID: String) -> ServiceRequest {
        ServiceRequest(
            .get, hosts.api + "/v3/merchants/\(operation.merchantID)/payments/\(paymentID)?expand=cardTransaction")
    }

    /// The request for a refund as the service has it now.
    func refund(_ operation: PaymentOperation, refundID: String) -> ServiceRequest {
        ServiceRequest(
            .get,
            operation.rail == .ecommerce
                ? (hosts.ecommerce ?? "") + "/v1/refunds/" + refundID
                : hosts.api + "/v3/merchants/\(operation.merchantID)/refunds/" + refundID)
    }

    /// A request that tells the device something or asks for its state.
    func device(_ method: HTTPMethod, _ path: String, _ operation: PaymentOperation) -> ServiceRequest {
        ServiceRequest(
            method, base(operation) + "/v1/device/" + path,
            body: method == .get ? nil : HTTPRequestBody(bytes: Array("{}".utf8)),
            additions: deviceHeaders(operation.request))
    }

    private func base(_ operation: PaymentOperation) -> String {
        switch operation.rail {
        case .ecommerce: hosts.ecommerce ?? ""
        case .payDisplay: operation.request.deviceAddress.map { $0 + "/connect" } ?? hosts.connect
        case .reader, .square: hosts.api
        }
    }

    private func deviceHeaders(_ request: OperationRequest) -> [HTTPHeader] {
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
        try OperationRequestBuilder(hosts: client.hosts).request(for: operation, source: Secret("(redacted)"))
    }
}
