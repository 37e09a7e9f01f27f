import HTTPTypes
import Hummingbird
import NIOCore

/// How answers go out over HTTP.
extension Answer {
    /// Parts of a slow answer and the pause between them.
    private static let slowParts = 16
    private static let slowPause = Duration.milliseconds(100)

    /// An HTML page as a proxy in front of the service gives.
    static func proxyPage(_ status: Int, _ title: String) -> Answer {
        let text =
            "<html>\r\n<head><title>\(title)</title></head>\r\n<body><center><h1>\(title)</h1></center></body>\r\n</html>\r\n"
        var answer = Answer(status: status, body: ByteBuffer(string: text))
        answer.contentType = "text/html"
        return answer
    }

    /// A JSON body with a message alone.
    static func message(_ status: Int, _ text: String) -> Answer {
        Answer(status: status, json: .object([("message", .string(text))]))
    }

    /// Asks the connection to announce the whole body, send this many bytes of it and close.
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

    /// The answer in parts with pauses between them.
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
