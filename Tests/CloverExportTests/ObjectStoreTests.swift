import CloverExport
import CloverHTTP
import CloverSystem
import Synchronization
import Testing

@Suite("export: the list of an object store")
struct ObjectStoreTests {
    /// Responds to each request with the next text.
    private final class Replies: HTTPTransport {
        private let texts: Mutex<[String]>
        let urls = Mutex<[String]>([])

        init(_ texts: [String]) { self.texts = Mutex(texts) }

        func send(
            _ request: HTTPRequest, departure: SendGate, onEnd: @escaping @Sendable () -> Void
        ) async throws(HTTPTransportError) -> HTTPResponse {
            urls.withLock { $0.append(request.url) }
            let text = texts.withLock { $0.isEmpty ? "" : $0.removeFirst() }
            onEnd()
            return HTTPResponse(status: 200, headers: [], body: Body(text))
        }
    }

    private final class Body: HTTPBody {
        private let bytes: Mutex<[UInt8]?>

        init(_ text: String) { bytes = Mutex(Array(text.utf8)) }

        func next() async throws(HTTPTransportError) -> [UInt8]? { bytes.withLock { $0.take() } }

        func readAhead() {}

        func cancel() {}
    }

    private static func page(_ key: String, isTruncated: String, token: String = "") -> String {
        "<ListBucketResult xmlns=\"x\">\(isTruncated)<Contents><Key>\(key)</Key><Size>3</Size><ETag>\"e\"</ETag></Contents>"
            + "\(token)</ListBucketResult>"
    }

    private static let truncated = "<IsTruncated>true</IsTruncated>"
    private static let token = "<NextContinuationToken>t</NextContinuationToken>"

    private func list(_ texts: [String]) async throws -> (names: [String], requests: Int) {
        let replies = Replies(texts)
        let address = try #require(try ObjectAddress(parsing: "s3://shop?endpoint-url=http://127.0.0.1:9"))
        let store = ObjectStore(
            address, AWSSignature(accessKeyID: "A", secretAccessKey: Secret("s"), region: "us-east-1"), replies,
            ObjectStore.Waiting(now: { 0 }, end: 10, sleep: { _ in }, notice: { _ in }))
        let names = try await store.list().map(\.name)
        return (names, replies.urls.withLock(\.count))
    }

    @Test("goes on to its last page")
    func pages() async throws {
        let found = try await list([
            Self.page("a", isTruncated: Self.truncated, token: Self.token),
            Self.page("b", isTruncated: "<IsTruncated>false</IsTruncated>"),
        ])
        #expect(found.names == ["a", "b"] && found.requests == 2)
    }

    @Test(
        "what does not show its end is no list",
        arguments: [
            Self.page("a", isTruncated: Self.truncated), Self.page("a", isTruncated: ""), "<html>sign in</html>", "",
        ])
    func noList(text: String) async throws {
        await #expect(throws: ObjectStoreError.self) { try await list([text]) }
    }
}
