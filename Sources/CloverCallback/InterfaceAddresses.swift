import Glibc

/// The addresses by which other machines reach this one, as numbers.
package enum InterfaceAddresses {
    /// Those of interfaces that are up (getifaddrs(3)), in the system's order; without the loopback interface, and
    /// without IPv6 addresses of one link, which mean nothing in a URL. None when the system does not tell.
    ///
    /// - Parameter isIPv6: also those of IPv6.
    static func all(isIPv6: Bool) -> [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var texts: [String] = []
        for entry in sequence(first: first, next: { $0?.pointee.ifa_next }) {
            guard let entry, let address = entry.pointee.ifa_addr else { continue }
            let flags = Int32(bitPattern: entry.pointee.ifa_flags)
            guard flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK) == 0 else { continue }
            let family = Int32(address.pointee.sa_family)
            guard family == AF_INET || isIPv6 && family == AF_INET6 else { continue }
            if let text = text(address, family), !text.hasPrefix("fe80:") { texts.append(text) }
        }
        return texts
    }

    private static func text(_ address: UnsafePointer<sockaddr>, _ family: Int32) -> String? {
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let length = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        guard getnameinfo(address, socklen_t(length), &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
