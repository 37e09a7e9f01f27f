import Foundation

/// A plain HTTP/1.1 connection that shows what arrives on the wire: resets, truncated bodies, parts.
final class LoopbackConnection {
    enum Failure: Error, Equatable {
        case system(String, errno: Int32)
        /// The connection was reset before a response.
        case reset
        /// The connection ended before a response.
        case closed
    }

    private let descriptor: Int32
    private var waiting: [UInt8] = []

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure.system("socket", errno: errno) }
        // A response that never arrives fails the test instead of blocking it.
        var limit = timeval(tv_sec: 300, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure.system("connect", errno: errno) }
    }

    deinit {
        close(descriptor)
    }

    func send(
        _ target: String, token: String?, method: String = "GET", body: String? = nil,
        contentType: String = "application/json", headers: [String: String] = [:], host: String? = "localhost"
    ) throws {
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        let length = body.map { "Content-Type: \(contentType)\r\nContent-Length: \($0.utf8.count)\r\n" } ?? ""
        let others = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        let head =
            "\(method) \(target) HTTP/1.1\r\n\(host.map { "Host: \($0)\r\n" } ?? "")\(authorization)\(others)\(length)\r\n"
        try send(head + (body ?? ""))
    }

    /// Sends raw bytes.
    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Failure.system("send", errno: errno)
        }
    }

    /// Closes the sending side; pending data can still be read.
    func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Whether the other side closes the connection without another byte.
    func isAtEnd() throws -> Bool { try waiting.isEmpty && !read() }

    /// Reads one response; after a complete one the connection can be reused.
    func receive(isHead: Bool = false) throws -> HTTPAnswer {
        let mark = Array("\r\n\r\n".utf8)
        var end: Int?
        while end == nil {
            end = waiting.firstRange(of: mark)?.lowerBound
            if end == nil, try !read() { throw Failure.closed }
        }
        let lines = String(decoding: waiting[..<(end ?? 0)], as: UTF8.self).components(separatedBy: "\r\n")
        waiting.removeFirst((end ?? 0) + 4)
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let halves = line.split(separator: ":", maxSplits: 1)
            headers[halves[0].lowercased()] = halves.count > 1 ? halves[1].trimmingCharacters(in: .whitespaces) : ""
        }
        let status = Int(lines[0].split(separator: " ")[1]) ?? 0
        let length = isHead ? 0 : Int(headers["content-length"] ?? "") ?? 0
        var isWhole = true
        while waiting.count < length, isWhole { isWhole = try read() }
        let body = Array(waiting.prefix(length))
        waiting.removeFirst(body.count)
        return HTTPAnswer(status: status, headers: headers, body: body, isWhole: isWhole)
    }

    /// False at the end of the stream.
    private func read() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var count = recv(descriptor, &buffer, buffer.count, 0)
        // With a timeout the call is not restarted automatically after the process was stopped: see signal(7).
        while count < 0, errno == EINTR { count = recv(descriptor, &buffer, buffer.count, 0) }
        if count < 0 {
            if errno == ECONNRESET { throw Failure.reset }
            throw Failure.system("recv", errno: errno)
        }
        waiting += buffer[..<count]
        return count > 0
    }
}
