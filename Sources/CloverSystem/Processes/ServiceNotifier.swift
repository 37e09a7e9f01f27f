import Glibc

/// Tells the service manager how this process is doing (sd_notify(3)): a datagram to the socket that it names in
/// `NOTIFY_SOCKET`. Without one, nothing is sent.
package struct ServiceNotifier: Sendable {
    /// A path, or an abstract name that begins with `@`; nil without a service manager.
    private let address: String?
    /// The manager restarts the process if it is silent for this long, in seconds; nil if it does not watch it
    /// (sd_watchdog_enabled(3)).
    package let watchdogSeconds: Double?

    package init(variables: [String: String]) {
        let name = variables["NOTIFY_SOCKET"] ?? ""
        address = name.hasPrefix("/") || name.hasPrefix("@") ? name : nil
        let isOwn = variables["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
        let microseconds = variables["WATCHDOG_USEC"].flatMap { Double($0) } ?? 0
        watchdogSeconds = address != nil && isOwn && microseconds > 0 ? microseconds / 1_000_000 : nil
    }

    /// Sends assignments, such as `READY=1`, one a line. A manager that does not listen is no reason to stop.
    package func send(_ lines: String...) {
        guard let address, var target = Self.socketAddress(address) else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let text = Array(lines.joined(separator: "\n").utf8)
        // An abstract name has no terminating zero, so the length says where it ends.
        let length = MemoryLayout<sa_family_t>.size + address.utf8.count
        _ = withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(
                    descriptor, text, text.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), $0,
                    socklen_t(length))
            }
        }
    }

    private static func socketAddress(_ name: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return address
    }
}
