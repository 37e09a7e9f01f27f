import CloverHTTP
import CloverJSON

// Small responses that are read as a whole.

extension ServiceClient {
    /// The number of bytes needed to tell JSON from other text.
    static let startOfAnswer = 256
    /// The number of bytes needed to recognize a web page.
    static let startOfPage = 512

    /// Why a body with this start cannot be a JSON object; nil if it can.
    static func fault(atStartOf body: [UInt8]) -> PageError? {
        var scanner = PageScanner(expecting: .oneObject)
        var batch = RecordBatch()
        do throws(PageError) {
            try scanner.scan(body, into: &batch)
        } catch {
            return error
        }
        return body.isEmpty ? .cutOff(at: 0) : nil
    }

    /// The body of a small response, requested again if the connection is lost while reading it.
    ///
    /// - Parameter limit: the maximum number of bytes; the rest is not read.
    /// - Throws: `ServiceError.unreachable` if it did not arrive completely within the allowed retries, and what `get`
    ///   throws.
    package func body(of url: String, limit: Int, attempt: inout Attempt) async throws -> [UInt8] {
        while true {
            let response = try await get(url, attempt: &attempt)
            do throws(HTTPTransportError) {
                return try await response.body.prefix(limit)
            } catch {
                try await recover(from: error, url: url, attempt: &attempt)
            }
        }
    }

    /// The body of a small response that must be a JSON object: a page from a proxy says nothing about the resource.
    ///
    /// - Throws: `ServiceError.unreadable` if it still is not one after the allowed retries.
    package func object(of url: String, limit: Int, attempt: inout Attempt) async throws -> [UInt8] {
        while true {
            let body = try await body(of: url, limit: limit, attempt: &attempt)
            guard let fault = Self.fault(atStartOf: Array(body.prefix(Self.startOfAnswer))) else { return body }
            try await recover(from: fault, url: url, attempt: &attempt)
        }
    }
}
