import HTTPTypes
import HummingbirdCore
package import NIOCore

/// The response to a request: status, body, and the filter fields to announce.
package struct EmulatorResponse: Sendable {
    package var status = 200
    /// Nil where the service sends none.
    package var contentType: String? = "application/json"
    package var body: ByteBuffer
    /// Value of `X-Clover-Allowed-Filter-Fields`; nil where the service does not send the header.
    package var filterFields: String?
    package var headers: [(name: String, value: String)] = []

}

extension EmulatorResponse {
    package init(status: Int = 200, json: JSONValue) {
        self.init(status: status, body: ByteBuffer(bytes: json.encoded))
    }

    /// The response that the work returns, or that of the error that it throws.
    init(_ work: () throws(APIError) -> EmulatorResponse) {
        do throws(APIError) {
            self = try work()
        } catch {
            self.init(error)
        }
    }

    package init(_ error: APIError) {
        guard error != .unknownPath else {
            self = .text(404, "404 Not Found")
            return
        }
        self.init(status: error.status, json: error.body)
        if let methods = error.allowed { headers.append(("Allow", methods.joined(separator: ", "))) }
    }
}

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

/// A request that the emulator refuses, with the response that the service sends.
package struct APIError: Error, Sendable, Equatable {
    package let status: Int
    let message: String
    var details: String?
    /// The methods that a path supports, for 405.
    var allowed: [String]?
    /// Whether the message is inside an `error` with its type and the status.
    var isLong = false

    static func badRequest(_ message: String) -> APIError { APIError(status: 400, message: message) }
    /// In the long form, of which there is a test fixture.
    static func badFilter(_ message: String) -> APIError {
        APIError(status: 400, message: message, isLong: true)
    }
    /// No token, an unknown token, or another merchant's path. The service does not say which.
    static let unauthorized = APIError(status: 401, message: "401 Unauthorized")
    /// With details that name the record type.
    static func notFound(details: String) -> APIError {
        APIError(status: 404, message: "Not Found", details: details)
    }
    /// Of the inventory endpoints (live sandbox notes).
    static let invalidID = APIError(status: 404, message: "invalid ID")
    static let unknownPath = APIError(status: 404, message: "Not Found")
    static func methodNotAllowed(_ methods: [String]) -> APIError {
        APIError(status: 405, message: "405 Method Not Allowed", allowed: methods)
    }
    /// A body larger than any call needs.
    static let contentTooLarge = APIError(status: 413, message: "413 Content Too Large")
    /// The body is not declared as JSON.
    static let unsupportedMediaType = APIError(status: 415, message: "415 Unsupported Media Type")
    /// On purpose.
    static let serverError = APIError(status: 500, message: "500 Internal Server Error")

    var body: JSONValue {
        guard isLong else { return ["message": .string(message), "details": details.map { .string($0) }] }
        let error: JSONValue = [
            "type": "invalid_request_error", "code": .integer(status), "message": .string(message),
        ]
        return ["message": .string("\(status) Bad Request"), "error": error]
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
        return EmulatorResponse(status: status, contentType: "text/html", body: ByteBuffer(string: text))
    }

    /// A page of the content delivery network in front of the service.
    static var cloudflarePage: EmulatorResponse {
        var answer = proxyPage(403, "Attention Required! | Cloudflare")
        answer.headers = [("Server", "cloudflare"), ("CF-RAY", "8f2c1d4e5a6b7c80-EWR")]
        return answer
    }

    /// Plain text without a content type, as recorded for an unknown path and a refused method.
    static func text(_ status: Int, _ text: String) -> EmulatorResponse {
        EmulatorResponse(status: status, contentType: nil, body: ByteBuffer(string: text))
    }

    static func textRefusal(_ method: String, allowed: [String] = ["OPTIONS"]) -> EmulatorResponse {
        var answer = text(405, "405 \(method) not allowed.")
        answer.headers = [("Allow", allowed.joined(separator: ", "))]
        return answer
    }

    static let requestID = "X-Clover-Request-Id"
    private static let protection = [
        (name: "X-Robots-Tag", value: "noindex"), (name: "X-Xss-Protection", value: "1; mode=block"),
        (name: "X-Content-Type-Options", value: "nosniff"), (name: "Strict-Transport-Security", value: "max-age=600"),
    ]
    private static let caching = [
        (name: "Cache-Control", value: "no-cache"), (name: "Pragma", value: "no-cache"),
        (name: "Expires", value: "Thu, 01 Jan 1970 00:00:00 GMT"),
    ]

    /// Adds the headers of V3's responses (recorded in 2026); those in plain text have fewer.
    mutating func addHeaders(requestID: String) {
        headers += Self.protection
        guard contentType != nil else { return }
        if contentType == "application/json" { contentType = "application/json; charset=utf-8" }
        headers += Self.caching + [(name: Self.requestID, value: requestID)]
        if status < 400 { headers.append((name: "Vary", value: "Origin")) }
    }

    static func message(_ status: Int, _ text: String) -> EmulatorResponse {
        EmulatorResponse(status: status, json: ["message": .string(text)])
    }

    /// Tells the connection to announce the whole body, send this many bytes of it, and close.
    mutating func cut(after length: Int) {
        guard let name = InternalHeader.cut else { return }
        headers.append((name.rawName, String(length)))
    }

    /// Leaves out the first record of a list; other responses stay as they are.
    mutating func hideRow() {
        guard var value = JSONParser.value(of: Array(body.readableBytesView)) else { return }
        if case .array(let list) = value {
            value = .array(Array(list.dropFirst()))
        } else if let name = ["elements", "data"].first(where: { value[$0]?.list != nil }) {
            value.set(name, .array(Array((value[name]?.list ?? []).dropFirst())))
        } else {
            return
        }
        body = ByteBuffer(bytes: value.encoded)
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
