package import CloverAPI
import CloverHTTP

/// The request that would be sent.
package enum OperationPreview {
    /// Of an ecommerce charge with the word for what is never shown in place of its source.
    package static func request(_ operation: PaymentOperation, _ client: PaymentClient) throws -> ServiceRequest {
        try OperationCall(hosts: client.hosts).request(for: operation, source: Secret("(redacted)"))
    }
}
