import Foundation
import Glibc

/// Pages of local services, read without starting a program, each on its own thread.
package enum LoopbackPage {
    /// The body of a response with status 200.
    static func body(of address: String) async throws -> [UInt8] {
        let (head, body) = try await response(of: address)
        guard status(head) == "200" else { throw CommandError.unreadable("\(address): \(head)") }
        return body
    }

    /// Where an address redirects to; nil when it does not.
    package static func redirect(of address: String) async throws -> String? {
        let (head, _) = try await response(of: address)
        guard status(head).hasPrefix("3") else { return nil }
        return head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("location: ") }.map {
            String($0.dropFirst("location: ".count))
        }
    }

    private static func status(_ head: String) -> String {
        head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    }

    /// What the service at an address such as `http://127.0.0.1:8080/page` responds before it closes the connection.
    private static func response(of address: String) async throws -> (head: String, body: [UInt8]) {
        guard let match = address.wholeMatch(of: /http:\/\/127\.0\.0\.1:([0-9]+)(\/.*)/), let port = UInt16(match.1)
        else { throw CommandError.unreadable("not an address of this machine: \(address)") }
        let target = String(match.2)
        let response: [UInt8] = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do {
                    continuation.resume(returning: try exchange(target, port))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
        guard let end = response.firstRange(of: Array("\r\n\r\n".utf8)) else {
            throw CommandError.unreadable("\(address): \(String(decoding: response, as: UTF8.self))")
        }
        return (String(decoding: response[..<end.lowerBound], as: UTF8.self), Array(response[end.upperBound...]))
    }

    private static func exchange(_ target: String, _ port: UInt16) throws -> [UInt8] {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard connection >= 0 else { throw CommandError.unreadable("\(target): no socket, error \(errno)") }
        defer { close(connection) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw CommandError.unreadable("\(target): no connection, error \(errno)") }
        let request = Array("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".utf8)
        let sent = request.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard sent == request.count else { throw CommandError.unreadable("\(target): not sent, error \(errno)") }
        var response: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(connection, &chunk, chunk.count, 0)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw CommandError.unreadable("\(target): broken off, error \(errno)") }
            if count == 0 { return response }
            response += chunk[..<count]
        }
    }
}
