import CloverSystem
import Glibc

/// A plain connection to a listener on 127.0.0.1. Its calls block a thread of their own.
final class SocketClient: Sendable {
    struct Failure: Error {
        let call: String
        let errno: Int32
    }

    private let descriptor: Int32

    init(port: Int) async throws {
        descriptor = try await DedicatedThread.run { () throws(Failure) -> Int32 in
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { throw Failure(call: "socket", errno: errno) }
            // A response that never arrives fails the test instead of blocking it.
            var limit = timeval(tv_sec: 300, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = in_port_t(port).bigEndian
            name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let result = withUnsafePointer(to: &name) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard result == 0 else {
                let number = errno
                close(descriptor)
                throw Failure(call: "connect", errno: number)
            }
            return descriptor
        }
    }

    deinit {
        close(descriptor)
    }

    /// Sends a webhook request on a new connection, and returns the status of the response.
    static func post(
        _ body: String, port: Int, headers: [String] = [], method: String = "POST"
    ) async throws -> Int? {
        let client = try await SocketClient(port: port)
        try await client.send(request(body, headers: headers, method: method))
        return try await client.status()
    }

    static func request(_ body: String, headers: [String] = [], method: String = "POST") -> String {
        let lines = ["\(method) / HTTP/1.1", "Host: hooks", "Content-Length: \(body.utf8.count)"] + headers
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    func send(_ text: String) async throws {
        try await DedicatedThread.run { [descriptor] () throws(Failure) -> Void in
            var bytes = Array(text.utf8)[...]
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Failure(call: "send", errno: errno) }
                bytes = bytes.dropFirst(count)
            }
        }
    }

    /// The status of the next response; nil if the listener closes the connection without one.
    func status() async throws -> Int? {
        try await DedicatedThread.run { [descriptor] () throws(Failure) -> Int? in
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count < 0, errno != ECONNRESET { throw Failure(call: "recv", errno: errno) }
                if count <= 0 { return nil }
                bytes += buffer[..<count]
            }
            return String(decoding: bytes, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int($0) }
        }
    }
}
