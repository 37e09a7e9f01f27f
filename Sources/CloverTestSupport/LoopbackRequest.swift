/// A request as a ``LoopbackServer`` received it, nothing decoded.
package struct LoopbackRequest: Sendable {
    package let method: String
    /// The request target, percent-encoding and all; an absolute URL when the server is used as a proxy.
    package let target: String
    package let headers: [(name: String, value: String)]
    package var body: [UInt8] = []

    package init(method: String, target: String, headers: [(name: String, value: String)] = []) {
        self.method = method
        self.target = target
        self.headers = headers
    }

    /// Splits a request head. Nil when its first line is not a request line.
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

    /// The first header of that name, without regard to case.
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
