import HTTPTypes
import HummingbirdCore
package import NIOCore

/// The response to a request: status, body, and the filter fields to announce.
package struct EmulatorResponse: Sendable {
    package var status: Int
    package var contentType = "application/json"
    package var body: ByteBuffer
    /// Value of `X-Clover-Allowed-Filter-Fields`; nil where the service does not send the header.
    package var filterFields: String?
    /// Further headers.
    package var headers: [(name: String, value: String)] = []

    package init(status: Int, body: ByteBuffer, filterFields: String? = nil) {
        self.status = status
        self.body = body
        self.filterFields = filterFields
    }

    package init(status: Int = 200, json: JSONValue) {
        var writer = JSONWriter(capacity: 256)
        json.write(to: &writer)
        self.init(status: status, body: writer.buffer())
    }

    package init(_ error: APIError) {
        self.init(status: error.status, json: error.body)
        if case .methodNotAllowed(let methods) = error {
            headers.append(("Allow", methods.joined(separator: ", ")))
        }
    }
}

extension JSONWriter {
    /// A copy of the bytes for the network.
    package func buffer() -> ByteBuffer {
        withBytes { ByteBuffer(bytes: $0) }
    }
}

/// The parts of a V3 request that the shop needs.
package struct APIRequest: Sendable {
    package var method: String
    /// Path segments after `/v3`, percent-decoded.
    package var path: [String]
    package var query: QueryString
    package var body: ByteBuffer
    /// Value of the `Content-Type` header; nil without one.
    package var contentType: String?
    /// Value of the `X-Clover-Account-Id` header, which names the employee who acts; nil without one.
    package var accountID: String?

    package init(
        method: String = "GET", path: [String], query: QueryString = QueryString(""), body: ByteBuffer = ByteBuffer(),
        contentType: String? = nil, accountID: String? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.contentType = contentType
        self.accountID = accountID
    }
}

/// A request that the emulator refuses, with the body that the service sends.
package enum APIError: Error, Sendable, Equatable {
    /// 400. Response bodies for refused filters were never recorded; this is the plain form seen elsewhere.
    case badRequest(String)
    /// 401: no token, an unknown token, or another merchant's path. The service does not say which.
    case unauthorized
    /// 404 with details that name the record type.
    case notFound(details: String)
    /// 404 of the inventory endpoints (live sandbox notes).
    case invalidID
    /// 404 for a path that does not exist.
    case unknownPath
    /// 405 with the methods that the path supports; its body was never recorded.
    case methodNotAllowed([String])
    /// 413: a body larger than any call needs.
    case contentTooLarge
    /// 415: the body is not declared as JSON.
    case unsupportedMediaType
    /// 500, on purpose.
    case serverError

    /// HTTP status.
    package var status: Int {
        switch self {
        case .badRequest: 400
        case .unauthorized: 401
        case .notFound, .invalidID, .unknownPath: 404
        case .methodNotAllowed: 405
        case .contentTooLarge: 413
        case .unsupportedMediaType: 415
        case .serverError: 500
        }
    }

    /// The JSON body.
    package var body: JSONValue {
        switch self {
        case .badRequest(let message): .object([("message", .string(message))])
        case .unauthorized: .object([("message", .string("401 Unauthorized"))])
        case .notFound(let details): .object([("message", .string("Not Found")), ("details", .string(details))])
        case .invalidID: .object([("message", .string("invalid ID"))])
        case .unknownPath: .object([("message", .string("Not Found"))])
        case .methodNotAllowed: .object([("message", .string("405 Method Not Allowed"))])
        case .contentTooLarge: .object([("message", .string("413 Content Too Large"))])
        case .unsupportedMediaType: .object([("message", .string("415 Unsupported Media Type"))])
        case .serverError: .object([("message", .string("500 Internal Server Error"))])
        }
    }
}

/// Conversion of responses to HTTP.
extension EmulatorResponse {
    /// Number of parts of a slow response, and the pause between them.
    private static let slowParts = 16
    private static let slowPause = Duration.milliseconds(100)

    /// An HTML page such as a proxy in front of the service sends.
    static func proxyPage(_ status: Int, _ title: String) -> EmulatorResponse {
        let text =
            "<html>\r\n<head><title>\(title)</title></head>\r\n<body><center><h1>\(title)</h1></center></body>\r\n</html>\r\n"
        var answer = EmulatorResponse(status: status, body: ByteBuffer(string: text))
        answer.contentType = "text/html"
        return answer
    }

    /// A JSON body with only a message.
    static func message(_ status: Int, _ text: String) -> EmulatorResponse {
        EmulatorResponse(status: status, json: .object([("message", .string(text))]))
    }

    /// Tells the connection to announce the whole body, send this many bytes of it, and close.
    mutating func cut(after length: Int) {
        guard let name = InternalHeader.cut else { return }
        headers.append((name.rawName, String(length)))
    }

    func response(isHead: Bool) -> Response {
        var fields = fields
        fields[.contentLength] = String(body.readableBytes)
        return Response(
            status: .init(code: status), headers: fields, body: isHead ? ResponseBody() : ResponseBody(byteBuffer: body)
        )
    }

    /// The response in parts, with pauses between them.
    func slowResponse() -> Response {
        let body = body
        let writing = ResponseBody(contentLength: body.readableBytes) { writer in
            var rest = body
            let size = max(1, (rest.readableBytes + Self.slowParts - 1) / Self.slowParts)
            while let part = rest.readSlice(length: min(size, rest.readableBytes)), part.readableBytes > 0 {
                try await writer.write(part)
                if rest.readableBytes > 0 { try await Task.sleep(for: Self.slowPause) }
            }
            try await writer.finish(nil)
        }
        return Response(status: .init(code: status), headers: fields, body: writing)
    }

    private var fields: HTTPFields {
        var fields = HTTPFields()
        fields[.contentType] = contentType
        if let filterFields, let name = HTTPField.Name("X-Clover-Allowed-Filter-Fields") {
            fields[name] = filterFields
        }
        for header in headers {
            if let name = HTTPField.Name(header.name) { fields[name] = header.value }
        }
        return fields
    }
}
