import Dispatch
import Foundation
import Glibc
import Synchronization

/// A small HTTP/1.1 server in the test's own process, for answers that no proper server gives.
///
/// Every request is recorded, with the body that its `Content-Length` announces. It stops when it goes away.
package final class LoopbackServer: Sendable {
    package typealias Answering = @Sendable (_ request: LoopbackRequest, _ number: Int) -> LoopbackAnswer

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

    /// The accepting thread wakes, fails and closes the socket; connections end with their clients.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// The address as a base URL.
    package var url: String { "http://\(host):\(port)" }

    /// Everything received so far.
    package var requests: [LoopbackRequest] { log.requests }

    /// Connections accepted so far.
    package var connectionCount: Int { log.connectionCount }

    /// Waits until so many requests have been received in all.
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

/// The requests of one server; apart, so that the server's threads do not keep the server itself.
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

    /// Gives the request's number, from 1.
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
