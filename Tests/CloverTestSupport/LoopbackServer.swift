import Dispatch
import Foundation
import Glibc
import Synchronization

/// A small HTTP/1.1 server in the test process, for responses that no proper server sends.
///
/// Every request is recorded, with the body that its `Content-Length` announces. The server stops on release.
package final class LoopbackServer: Sendable {
    package typealias Answering = @Sendable (_ request: LoopbackRequest, _ number: Int) -> LoopbackResponse

    package let host: String
    package let port: Int
    private let listener: Int32
    private let log: RequestLog

    /// Listens on a free port. `answer` is called with each request and its number, from 1, on the connection's thread.
    package init(host: String = "127.0.0.1", answer: @escaping Answering) throws {
        self.host = host
        let listener = try SpawnPlan.descriptors.withLock { _ in
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
            guard listener >= 0 else { throw CommandError.notStarted(program: "a server", errorNumber: errno) }
            return listener
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr(host)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return bind(listener, pointer, length) == 0 && listen(listener, 64) == 0
                && getsockname(listener, pointer, &length) == 0
        }
        guard bound else {
            let errorNumber = errno
            close(listener)
            throw CommandError.notStarted(program: "a server on \(host)", errorNumber: errorNumber)
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        self.listener = listener
        let log = RequestLog()
        self.log = log
        Thread.detachNewThread { Self.accept(from: listener, log, answer) }
    }

    /// Wakes the accepting thread, which then closes the socket; connections end with their clients.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    package var url: String { "http://\(host):\(port)" }

    package var requests: [LoopbackRequest] { log.requests }

    package var connectionCount: Int { log.connectionCount }

    /// Waits until this number of requests has been received in total.
    package func waitForRequests(_ count: Int, limit: Duration = .seconds(120)) async throws {
        guard await log.wait(for: count, limit: limit) else {
            throw CommandError.notSeen(awaited: "\(count) requests", output: "\(requests.map(\.target))", errors: "")
        }
    }

    private static func accept(from listener: Int32, _ log: RequestLog, _ answer: @escaping Answering) {
        while true {
            var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, -1) > 0, waiting.revents & Int16(POLLHUP | POLLERR | POLLNVAL) == 0 else { break }
            let connection = SpawnPlan.descriptors.withLock { _ in
                let connection = Glibc.accept(listener, nil, nil)
                if connection >= 0 { _ = fcntl(connection, F_SETFD, FD_CLOEXEC) }
                return connection
            }
            guard connection >= 0 else { break }
            log.addConnection()
            Thread.detachNewThread { serve(connection, log, answer) }
        }
        close(listener)
    }

    private static func serve(_ connection: Int32, _ log: RequestLog, _ answer: Answering) {
        defer { close(connection) }
        var received: [UInt8] = []
        while let request = nextRequest(connection, &received) {
            let number = log.add(request)
            let reply = answer(request, number)
            send(reply.bytes, to: connection)
            switch reply.ending {
            case .keepOpen: continue
            case .close:
                shutdown(connection, Int32(SHUT_WR))
                drain(connection)
            case .hold: drain(connection)
            case .reset:
                var now = linger(l_onoff: 1, l_linger: 0)
                setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
            }
            return
        }
    }

    private static func nextRequest(_ connection: Int32, _ received: inout [UInt8]) -> LoopbackRequest? {
        let blank = Array("\r\n\r\n".utf8)
        var chunk = [UInt8](repeating: 0, count: 16384)
        while true {
            if let end = received.firstRange(of: blank) {
                let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                guard var request = LoopbackRequest(head: head) else { return nil }
                let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
                if received.count - end.upperBound >= length {
                    request.body = Array(received[end.upperBound..<end.upperBound + length])
                    received.removeSubrange(..<(end.upperBound + length))
                    return request
                }
            }
            let count = recv(connection, &chunk, chunk.count, 0)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return nil }
            received.append(contentsOf: chunk[0..<count])
        }
    }

    private static func send(_ bytes: [UInt8], to connection: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads until the client goes away.
    private static func drain(_ connection: Int32) {
        var chunk = [UInt8](repeating: 0, count: 4096)
        while recv(connection, &chunk, chunk.count, 0) > 0 {}
    }
}

/// The requests of one server; separate, so that the server's threads do not retain the server.
private final class RequestLog: Sendable {
    private struct State {
        var requests: [LoopbackRequest] = []
        var waiters: [Int: (count: Int, continuation: CheckedContinuation<Bool, Never>)] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())
    private let connections = Atomic(0)

    var requests: [LoopbackRequest] { state.withLock { $0.requests } }

    var connectionCount: Int { connections.load(ordering: .relaxed) }

    func addConnection() { connections.add(1, ordering: .relaxed) }

    /// Records a request and returns its number, from 1.
    func add(_ request: LoopbackRequest) -> Int {
        let (number, met) = state.withLock { state in
            state.requests.append(request)
            let met = state.waiters.filter { $0.value.count <= state.requests.count }
            for key in met.keys { state.waiters[key] = nil }
            return (state.requests.count, met.values.map(\.continuation))
        }
        for continuation in met { continuation.resume(returning: true) }
        return number
    }

    func wait(for count: Int, limit: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            let key: Int? = state.withLock { state in
                guard state.requests.count < count else { return nil }
                state.nextWaiter += 1
                state.waiters[state.nextWaiter] = (count, continuation)
                return state.nextWaiter
            }
            guard let key else {
                continuation.resume(returning: true)
                return
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + limit.inSeconds) { [self] in
                state.withLock { $0.waiters.removeValue(forKey: key) }?.continuation.resume(returning: false)
            }
        }
    }
}

/// A request as received by a ``LoopbackServer``, undecoded.
package struct LoopbackRequest: Sendable {
    package let method: String
    /// The request target, still percent-encoded; an absolute URL when the server is used as a proxy.
    package let target: String
    package let headers: [(name: String, value: String)]
    package var body: [UInt8] = []

    package init(method: String, target: String, headers: [(name: String, value: String)] = []) {
        self.method = method
        self.target = target
        self.headers = headers
    }

    /// Parses a request head; fails if its first line is not a request line.
    init?(head: String) {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines.removeFirst().split(separator: " ")
        guard words.count == 3 else { return nil }
        method = String(words[0])
        target = String(words[1])
        headers = lines.compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return (String(line[..<colon]), String(value))
        }
    }

    /// The first header with this name, ignoring case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The target up to the question mark.
    package var path: String { String(target.prefix { $0 != "?" }) }

    /// The items of the query in order, still encoded.
    package var query: [String] {
        guard let mark = target.firstIndex(of: "?") else { return [] }
        return target[target.index(after: mark)...].split(separator: "&").map(String.init)
    }

    /// The encoded values of a query item, in order.
    package func values(of name: String) -> [String] {
        query.filter { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    package var bodyText: String { String(decoding: body, as: UTF8.self) }
}

/// The exact bytes that a ``LoopbackServer`` sends, and what it does with the connection afterwards.
package struct LoopbackResponse: Sendable {
    package enum Ending: Sendable {
        /// Waits for the next request on the same connection.
        case keepOpen
        case close
        case reset
        /// Sends nothing more until the client disconnects.
        case hold
    }

    package var bytes: [UInt8]
    package var ending: Ending

    package init(bytes: [UInt8], ending: Ending) {
        self.bytes = bytes
        self.ending = ending
    }

    /// A complete response. `declaredLength` replaces the true length in `Content-Length`.
    package init(
        status: String = "200 OK", headers: [String] = ["Content-Type: application/json"], body: some Sequence<UInt8>,
        declaredLength: Int? = nil, ending: Ending = .keepOpen
    ) {
        let body = Array(body)
        var head = ["HTTP/1.1 \(status)"] + headers
        head.append("Content-Length: \(declaredLength ?? body.count)")
        bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
        self.ending = ending
    }

    package init(status: String = "200 OK", _ body: String, ending: Ending = .keepOpen) {
        self.init(status: status, body: body.utf8, ending: ending)
    }

    /// A page of the service's lists.
    package static func page(_ records: [String]) -> LoopbackResponse {
        LoopbackResponse(body: envelope(records))
    }

    package static func envelope(_ records: [String]) -> [UInt8] {
        Array(#"{"elements":[\#(records.joined(separator: ","))],"href":"http://api.clover.com/v3"}"#.utf8)
    }

    package static func redirect(to location: String, status: String = "302 Found") -> LoopbackResponse {
        LoopbackResponse(status: status, headers: ["Location: \(location)"], body: [])
    }

    /// The connection is reset before any byte of a response.
    package static let reset = LoopbackResponse(bytes: [], ending: .reset)
}

/// A TLS relay to a plain loopback server, with a self-signed certificate.
package final class TLSRelay: Sendable {
    /// The base URL, with the address that the certificate names.
    package let url: String
    /// The certificate in PEM, which a client must be configured to trust.
    package let certificate: String
    private let process: RunningCommand

    /// Creates a key and a certificate for 127.0.0.1 in `directory`, and relays a free port to `port`.
    package init(to port: Int, in directory: TemporaryDirectory) async throws {
        certificate = directory["certificate.pem"]
        let openssl = CommandRunner(executable: "/usr/bin/openssl", environment: [:])
        let made = try await openssl.run([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=clover test", "-addext", "subjectAltName=IP:127.0.0.1",
            "-keyout", directory["key.pem"], "-out", certificate,
        ])
        guard made.status == 0 else { throw CommandError.unreadable(made.description) }
        let script = try directory.write("relay.py", Self.script.utf8)
        var python = CommandRunner(executable: "/usr/bin/python3", environment: [:])
        python.limit = .seconds(600)
        process = try python.start([script, certificate, directory["key.pem"], String(port)])
        url = "https://127.0.0.1:\(try await process.firstLine())"
    }

    deinit { process.send(9) }

    private static let script = """
        import asyncio, ssl, sys

        certificate, key, port = sys.argv[1], sys.argv[2], int(sys.argv[3])

        async def copy(reader, writer):
            try:
                while data := await reader.read(65536):
                    writer.write(data)
                    await writer.drain()
            except OSError:
                pass
            writer.close()

        async def relay(reader, writer):
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)
            await asyncio.gather(copy(reader, inner_writer), copy(inner_reader, writer))

        async def main():
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            server = await asyncio.start_server(relay, "127.0.0.1", 0, ssl=context)
            print(server.sockets[0].getsockname()[1], flush=True)
            await server.serve_forever()

        asyncio.run(main())

        """
}
