import CloverKit
import CloverTestSupport
import Foundation
import Testing

/// Responses that Clover was seen to send, from a server that is not the emulator.
@Suite("recorded responses in CloverKit")
struct RecordedTests {
    @Test("have typed values that equal their JSON", arguments: Recording.all)
    func typed(_ recording: Recording) async throws {
        let server = try LoopbackServer { request, _ in recording.response(to: request) }
        let directory = try TemporaryDirectory()
        var options = Shop.Options()
        options.stateDirectory = directory["state"]
        let shop = try Shop(token: "T", merchantID: Recording.merchantID, environment: server.url, options: options)
        let records = try await recording.read.read(shop, recording.ids)
        let body = try Coding.value(Array(recording.body.utf8))
        let expected = recording.read.isList ? body.elements : [body]
        #expect(Set(records) == Set(expected))
        let model = try #require(ModelCase.all.first { $0.name == recording.read.model })
        for record in expected { model.check(record, "\(recording.name)") }
    }

    @Test("are all tried")
    func count() { #expect(Recording.all.count >= 15) }
}

/// A recorded response to one of the reads.
struct Recording: Sendable, CustomTestStringConvertible {
    static let merchantID = "R7W4M2K9T1XQ6"

    let name: String
    let read: ReadCase
    let ids: [String]
    let path: String
    let body: String

    var testDescription: String { name }

    static let all: [Recording] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("CLITests/Recorded/Cases")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.compactMap(Recording.init).sorted { $0.name < $1.name }
    }()

    /// Nil for a response that is none to a read of the library.
    init?(_ file: URL) {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        let parts = text.split(separator: "\n\n", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts[1].hasPrefix("HTTP/1.1 200"),
            let line = parts[0].split(separator: "\n").last, line.hasPrefix("GET ")
        else { return nil }
        let path = String(line.dropFirst(4).prefix { $0 != "?" })
        let segments = path.split(separator: "/")
        for read in ReadCase.all {
            let pattern = read.path.split(separator: "/")
            let pairs = zip(pattern, segments)
            guard pattern.count == segments.count, pairs.allSatisfy({ $0.first == "{" || $0 == $1 }) else { continue }
            self.read = read
            ids = pairs.filter { $0.0.first == "{" && $0.0 != "{mId}" }.map { String($0.1) }
            name = file.deletingPathExtension().lastPathComponent
            self.path = path
            body = parts[2]
            return
        }
        return nil
    }

    /// The response; of a list, only the records that the request asks for.
    func response(to request: LoopbackRequest) -> LoopbackResponse {
        guard request.path == path else {
            return LoopbackResponse(status: "404 Not Found", #"{"message":"Not Found"}"#)
        }
        guard read.isList, let offset = request.values(of: "offset").first.flatMap({ Int($0) }), offset > 0 else {
            return LoopbackResponse(body)
        }
        return .page([])
    }
}
