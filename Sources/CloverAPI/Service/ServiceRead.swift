package import CloverHTTP
package import CloverJSON

/// The response to a read whose form is not known beforehand.
package struct ReadResponse: Sendable {
    package enum Content: Sendable {
        /// The whole body as one record; no record for an empty body, which a 204 has, and what need not be JSON.
        case json(RecordBatch)
        /// Not a JSON object or array: the first bytes, and the body with the rest.
        case other(start: [UInt8], any HTTPBody)
    }

    package let status: Int
    package let headers: [HTTPHeader]
    package let content: Content
}

extension ServiceClient {
    /// Sends a read and reads a JSON body completely. A body that is cut off is requested again.
    ///
    /// - Parameter isJSON: whether the service only has JSON there, so that anything else, such as the page of a proxy,
    ///   is an error.
    /// - Throws: `ServiceError`; `.unreadable` if the JSON cannot be read within the allowed retries.
    package func read(_ request: ServiceRequest, isJSON: Bool) async throws -> ReadResponse {
        var attempt = Attempt()
        while true {
            let response = try await send(request, attempt: &attempt)
            do {
                let content = try await Self.content(of: response, isJSON: isJSON)
                return ReadResponse(status: response.status, headers: response.headers, content: content)
            } catch let error as PageError {
                response.body.cancel()
                try await recover(from: error, url: request.url, attempt: &attempt)
            } catch let error as HTTPTransportError {
                try await recover(from: error, url: request.url, attempt: &attempt)
            }
        }
    }

    private static func content(of response: HTTPResponse, isJSON: Bool) async throws -> ReadResponse.Content {
        var batch = RecordBatch()
        var start: [UInt8] = []
        var first: UInt8?
        while first == nil, let chunk = try await response.body.next() {
            start += chunk
            first = start.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        }
        guard let first else {
            guard !isJSON || response.status == 204 else { throw PageError.cutOff(at: 0) }
            return .json(batch)
        }
        // A page of HTML is that of a proxy or portal in front of the service, wherever it comes.
        guard isJSON || [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<")].contains(first) else {
            return .other(start: start, response.body)
        }
        var scanner = PageScanner(expecting: .object)
        try scanner.scan(start, into: &batch)
        while let chunk = try await response.body.next() { try scanner.scan(chunk, into: &batch) }
        try scanner.finish(into: &batch)
        return .json(batch)
    }
}
