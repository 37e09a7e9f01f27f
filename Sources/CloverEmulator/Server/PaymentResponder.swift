import HTTPTypes
import Hummingbird
import NIOCore

/// Reads calls about money from HTTP, and decides their faults.
struct PaymentResponder: Sendable {
    /// Headers the calls look at.
    private static let headers = [
        "apikey", "idempotency-key", "x-forwarded-for", "content-type", "x-clover-device-id", "x-pos-id",
        "x-clover-timeout",
    ]

    let api: PaymentAPI
    let faults: CountedFaultPlan

    /// The fault that counts calls of this kind; nil for most.
    func fault(method: HTTPRequest.Method, path: String) -> FaultKind? {
        faults.next(path: path, kinds: PaymentFaults.kinds(method: method.rawValue, path: path))
    }

    /// - Throws: when the emulator ends while a card is slow.
    func answer(
        _ path: String, _ query: String, _ request: Request, body: ByteBuffer, isAuthorized: Bool, fault: FaultKind?
    ) async throws -> Answer {
        var headers: [String: String] = [:]
        for text in Self.headers {
            if let name = HTTPField.Name(text) { headers[text] = request.headers[name] }
        }
        let call = PaymentCall(
            method: request.method.rawValue, path: path.split(separator: "/").map { QueryString.decode($0) },
            query: QueryString(query), headers: headers, body: body, isAuthorized: isAuthorized, fault: fault)
        let answer = try await api.answer(to: call)
        return fault == .serverErrorAfter ? .message(500, "500 Internal Server Error") : answer
    }
}
