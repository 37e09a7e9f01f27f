import CloverTestSupport
import Foundation
import Testing

/// One response that Clover was seen to send, with every value replaced by an invented one of the same shape. A file of
/// `Cases` has comments (the evidence, and what the response shows), the request line, and the response with its body.
struct RecordedCase: Sendable, CustomTestStringConvertible {
    /// The merchant in the paths of the cases.
    static let merchantID = "R7W4M2K9T1XQ6"

    /// The file's name without its extension.
    let name: String
    /// How sure it is that Clover sends this, such as `recorded` or `documented`, and when it was seen.
    let evidence: String
    let shows: [String]
    let method: String
    let path: String
    let query: String
    /// 0 for a webhook, whose body is what Clover posts.
    let status: Int
    let headers: [String]
    let body: String

    var testDescription: String { name }
    var json: JSONValue? { try? JSONValue(body) }
    /// The records of a list, in any of the three forms of its envelope; nil for any other body.
    var records: [JSONValue]? { json.flatMap { $0["elements"]?.elements ?? $0["data"]?.elements ?? $0.elements } }
    /// The path as a user types it.
    var typedPath: String {
        let prefix = "/v3/merchants/\(Self.merchantID)"
        guard path.hasPrefix(prefix) else { return path }
        return path == prefix ? "merchant" : String(path.dropFirst(prefix.count + 1))
    }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Cases")

    static let all: [RecordedCase] = {
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.compactMap(RecordedCase.init).sorted { $0.name < $1.name }
    }()

    static func named(_ name: String) throws -> RecordedCase {
        try #require(all.first { $0.name == name }, "no case \(name)")
    }

    init?(_ file: URL) {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        let parts = text.split(separator: "\n\n", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let request = parts[0].split(separator: "\n").map(String.init)
        let response = parts[1].split(separator: "\n").map(String.init)
        func comments(_ key: String) -> [String] {
            request.filter { $0.hasPrefix("# \(key): ") }.map { String($0.dropFirst(key.count + 4)) }
        }
        let line = (request.last ?? "").split(separator: " ", maxSplits: 1)
        guard line.count == 2, let evidence = comments("evidence").first,
            let status = response.first.flatMap({ Int($0.dropFirst("HTTP/1.1 ".count)) })
        else { return nil }
        let target = line[1].split(separator: "?", maxSplits: 1)
        name = file.deletingPathExtension().lastPathComponent
        self.evidence = evidence
        shows = comments("shows")
        method = String(line[0])
        path = String(target[0])
        query = target.count > 1 ? String(target[1]) : ""
        self.status = status
        headers = Array(response.dropFirst())
        body = String(parts[2])
    }
}

extension RecordedCase {
    /// The response. Of a list only the records that the request asks for are sent; nothing else is changed.
    func response(to request: LoopbackRequest) -> LoopbackResponse {
        LoopbackResponse(status: "\(status) -", headers: headers, body: page(request).utf8)
    }

    private func page(_ request: LoopbackRequest) -> String {
        guard let count = records?.count, json?["elements"] != nil else { return body }
        let offset = request.values(of: "offset").first.flatMap { Int($0) } ?? 0
        let limit = request.values(of: "limit").first.flatMap { Int($0) } ?? 100
        guard offset > 0 || limit < count else { return body }
        var members = (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
        let elements = members["elements"] as? [Any] ?? []
        members["elements"] = Array(elements.dropFirst(offset).prefix(limit))
        return (try? JSONSerialization.data(withJSONObject: members)).map { String(decoding: $0, as: UTF8.self) }
            ?? body
    }

    /// Runs `body` with a server that knows nothing but these cases: it is not the emulator, which believes what the
    /// program believes.
    static func serve(
        _ cases: [RecordedCase], _ body: (Sandbox, LoopbackServer) async throws -> Void
    ) async throws {
        try await Sandbox.run(server: { request, _ in
            // Some of Clover's paths end with a slash in the catalogue.
            let found = cases.first {
                $0.method == request.method && (request.path == $0.path || request.path == $0.path + "/")
            }
            return found?.response(to: request)
                ?? LoopbackResponse(status: "404 Not Found", #"{"message":"Not Found"}"#)
        }) { sandbox, server in
            try await body(sandbox.with(["CLOVER_MERCHANT_ID": merchantID, "CLOVER_RETRY": "0"]), server)
        }
    }
}
