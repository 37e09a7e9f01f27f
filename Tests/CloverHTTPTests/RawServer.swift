import CloverSystem
import Foundation
import Glibc
import Synchronization

/// A server of raw sockets in the test's own process. It counts a request when its first line is here, so that also one
/// that was broken off counts.
final class RawServer: Sendable {
    /// What becomes of a connection after a request.
    enum Manner: Sendable {
        case answer
        /// The same in two parts, of which the second comes when the client has had time to see the first.
        case answerInParts
        case answerAndClose
        case closeWithoutAnswer
        case reset
        /// No response until the client disconnects.
        case hold
        /// These bytes, whatever they are, and the connection stays open.
        case send([UInt8])
        /// A head, and then one blank after the other until the client disconnects.
        case drip
    }

    struct NoServer: Error {
        let errno: Int32
    }

    private struct State {
        /// How often each path was asked for.
        var arrived: [String: Int] = [:]
        var connections = 0
    }

    let url: String
    private let listener: Int32
    private let state = Monitor(State())

    /// - Parameter manner: called with the number of the request, from 1, on the connection's thread.
    init(_ manner: @escaping @Sendable (Int) -> Manner) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutableBytes(of: &address) { [listener] bytes in
            let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return bind(listener, pointer, length) == 0 && listen(listener, 128) == 0
                && getsockname(listener, pointer, &length) == 0
        }
        guard isBound else { throw NoServer(errno: errno) }
        url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        Thread.detachNewThread { [listener, state] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { break }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                state.update { $0.connections += 1 }
                Thread.detachNewThread { Self.serve(connection, state, manner) }
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// How often each path was asked for, when all clients have gone.
    func arrivals() async -> [String: Int] {
        let state = state
        return await DedicatedThread.run { state.wait { $0.connections == 0 ? $0.arrived : nil } }
    }

    private static func serve(_ connection: Int32, _ state: Monitor<State>, _ manner: (Int) -> Manner) {
        defer {
            close(connection)
            state.update { $0.connections -= 1 }
        }
        var (received, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 16384))
        var isCounted = false
        var number = 0
        while true {
            if !isCounted, let end = received.firstIndex(of: 13) {
                let words = String(decoding: received[..<end], as: UTF8.self).split(separator: " ")
                let path = words.count > 1 ? String(words[1]) : "?"
                number = state.update { state in
                    state.arrived[path, default: 0] += 1
                    return state.arrived.values.reduce(0, +)
                }
                isCounted = true
            }
            if isCounted, let request = whole(received) {
                received.removeFirst(request)
                isCounted = false
                guard answer(connection, manner(number)) else { return }
                continue
            }
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return }
            received.append(contentsOf: chunk[..<count])
        }
    }

    /// The length of the first request; nil when not all of it is here.
    private static func whole(_ received: [UInt8]) -> Int? {
        guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: received[..<end.lowerBound], as: UTF8.self).lowercased()
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.drop { !$0.isNumber }) }
        let size = end.upperBound + (length ?? 0)
        return received.count >= size ? size : nil
    }

    /// Whether the connection goes on.
    private static func answer(_ connection: Int32, _ manner: Manner) -> Bool {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
        switch manner {
        case .answer: send(connection, Array("\(head)\r\n{}".utf8))
        case .answerInParts:
            send(connection, Array("\(head)\r\n{".utf8))
            sched_yield()
            send(connection, Array("}".utf8))
        case .answerAndClose:
            send(connection, Array("\(head)Connection: close\r\n\r\n{}".utf8))
            return false
        case .closeWithoutAnswer: return false
        case .reset:
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
            return false
        case .hold:
            var byte: UInt8 = 0
            while recv(connection, &byte, 1, 0) > 0 {}
            return false
        case .send(let bytes): send(connection, bytes)
        case .drip:
            send(connection, Array("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".utf8))
            while Glibc.send(connection, " ", 1, Int32(MSG_NOSIGNAL)) == 1 { usleep(50_000) }
            return false
        }
        return true
    }

    private static func send(_ connection: Int32, _ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
