package import CloverAPI
import CloverHTTP
package import CloverJSON

extension RecordBatch {
    /// Makes a batch of records from lines of JSON.
    package init(lines: [String]) {
        self.init()
        for line in lines {
            var line = line
            line.withUTF8 { append(UnsafeRawBufferPointer($0)) }
        }
    }
}

/// A request that is printed and not sent.
package struct RequestPreview {
    package let request: ServiceRequest
    package let line: Int?

    package init(request: ServiceRequest, line: Int?) {
        self.request = request
        self.line = line
    }

    private static let authorization = "Bearer [redacted]"

    private var headers: [(name: String, value: String)] {
        request.headers.map { ($0.name, $0.value) }
            + (request.isAuthorized ? [("Authorization", Self.authorization)] : [])
            + (request.body.map { [("Content-Type", $0.contentType)] } ?? [])
    }

    /// The URL, in which an unknown merchant stays `{mId}`.
    private var url: String { request.url.replacing("%7BmId%7D", with: "{mId}") }

    private var body: String? { request.body.map { String(decoding: $0.bytes, as: UTF8.self) } }

    /// A JSON object with the body as it would be sent.
    package var json: String {
        var fields = JSONLine()
        for header in headers { fields.add(header.name, header.value) }
        var result = JSONLine()
        if let line { result.add("line", Int64(line)) }
        result.add("method", request.method.rawValue)
        result.add("url", url)
        result.add("headers", json: fields.text)
        // JSON strings have no literal newlines, so any newline is insignificant.
        result.add("body", json: body.map { $0.filter { !$0.isNewline } } ?? "null")
        return result.text
    }

    package var text: String {
        let head = ["\(request.method.rawValue) \(url)"] + headers.map { "\($0.name): \($0.value)" }
        return head.joined(separator: "\n") + "\n" + (body.map { "\n\($0)\n" } ?? "") + (line == nil ? "" : "\n")
    }
}
