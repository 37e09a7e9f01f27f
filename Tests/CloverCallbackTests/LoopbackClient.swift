import CloverSystem
import Glibc

/// A plain connection to a listener, which shows what really comes over the wire. Its calls block a thread of their own.
final class LoopbackClient: Sendable {
    enum Failure: Error, Equatable {
        case system(String, errno: Int32)
        /// The connection ended, or was reset, before a whole response.
        case noAnswer([UInt8])
    }

    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Connects to 127.0.0.1 or another address, given as a number.
    static func connect(port: Int, address: UInt32 = 0x7F00_0001) async throws -> LoopbackClient {
        try await DedicatedThread.run { () throws(Failure) -> LoopbackClient in
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { throw .system("socket", errno: errno) }
            let client = LoopbackClient(descriptor)
            // A response that never arrives fails the test instead of blocking it.
            var limit = timeval(tv_sec: 300, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = in_port_t(port).bigEndian
            name.sin_addr.s_addr = address.bigEndian
            let result = withUnsafePointer(to: &name) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard result == 0 else { throw .system("connect", errno: errno) }
            return client
        }
    }

    /// Connects many times.
    static func crowd(of count: Int, port: Int) async throws -> [LoopbackClient] {
        var clients: [LoopbackClient] = []
        for _ in 0..<count { clients.append(try await connect(port: port)) }
        return clients
    }

    deinit {
        close(descriptor)
    }

    /// Asks for a page as a browser does, and reads the response.
    static func get(_ target: String, port: Int, headers: String = "") async throws -> LoopbackAnswer {
        try await ask("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(headers)\r\n", port: port)
    }

    /// Sends a request and reads the response until the listener closes.
    static func ask(_ request: String, port: Int) async throws -> LoopbackAnswer {
        let client = try await connect(port: port)
        try await client.send(request)
        return try await client.answer()
    }

    func send(_ text: String) async throws {
        try await DedicatedThread.run { [self] () throws(Failure) -> Void in
            let bytes = Array(text.utf8)
            guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
                throw .system("send", errno: errno)
            }
        }
    }

    /// Says that nothing more will be sent.
    func finishSending() throws {
        guard shutdown(descriptor, Int32(SHUT_WR)) == 0 else { throw Failure.system("shutdown", errno: errno) }
    }

    /// Makes the close that follows a reset instead of an orderly end (socket(7), SO_LINGER).
    func closeByReset() throws {
        var none = linger(l_onoff: 1, l_linger: 0)
        guard setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &none, socklen_t(MemoryLayout<linger>.size)) == 0 else {
            throw Failure.system("setsockopt", errno: errno)
        }
    }

    /// Reads until the listener closes, closes too, and returns what came.
    func answer() async throws -> LoopbackAnswer {
        let bytes = try await rest()
        guard let answer = LoopbackAnswer(bytes) else { throw Failure.noAnswer(bytes) }
        return answer
    }

    /// Everything until the listener closes, or resets. Then this end is closed for writing too.
    func rest() async throws -> [UInt8] {
        try await DedicatedThread.run { [self] () throws(Failure) -> [UInt8] in
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count < 0, errno == EINTR { continue }
                if count < 0, errno != ECONNRESET { throw .system("recv", errno: errno) }
                if count <= 0 { break }
                bytes += buffer[..<count]
            }
            shutdown(descriptor, Int32(SHUT_WR))
            return bytes
        }
    }

    /// Whether the listener has closed this connection; false while it is open and silent.
    var isClosed: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN)
    }
}
