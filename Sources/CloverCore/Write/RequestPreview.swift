import CloverAPI
import CloverHTTP

/// A request that is shown and not sent.
struct RequestPreview {
    let request: ServiceRequest
    /// The line that it was made from; nil for a single request.
    let line: Int?

    private static let authorization = "Bearer [redacted]"

    private var headers: [(name: String, value: String)] {
        request.headers.map { ($0.name, $0.value) } + [("Authorization", Self.authorization)]
            + (request.body.map { [("Content-Type", $0.contentType)] } ?? [])
    }

    /// A merchant that is not known stays as it was written.
    private var url: String { request.url.replacing("%7BmId%7D", with: "{mId}") }

    private var body: String? { request.body.map { String(decoding: $0.bytes, as: UTF8.self) } }

    /// One JSON object, with the body as it would be sent.
    var json: String {
        var fields = JSONLine()
        for header in headers { fields.add(header.name, header.value) }
        var result = JSONLine()
        if let line { result.add("line", Int64(line)) }
        result.add("method", request.method.rawValue)
        result.add("url", url)
        result.add("headers", json: fields.text)
        // Line breaks of JSON mean nothing outside of strings, and inside there are none.
        result.add("body", json: body.map { $0.filter { !$0.isNewline } } ?? "null")
        return result.text
    }

    /// For a person.
    var text: String {
        let head = ["\(request.method.rawValue) \(url)"] + headers.map { "\($0.name): \($0.value)" }
        return head.joined(separator: "\n") + "\n" + (body.map { "\n\($0)\n" } ?? "") + (line == nil ? "" : "\n")
    }
}
