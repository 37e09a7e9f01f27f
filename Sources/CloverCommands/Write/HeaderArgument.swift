import ArgumentParser
import CloverHTTP

/// A header field as typed: `Name: value`.
enum HeaderArgument {
    /// Fields that clover sets itself, or that could corrupt the request (RFC 9110).
    private static let reserved: Set<String> = [
        "accept", "accept-encoding", "authorization", "connection", "content-length", "content-type", "cookie",
        "expect",
        "host", "proxy-authorization", "te", "transfer-encoding", "upgrade", "user-agent",
    ]

    /// - Throws: `ValidationError`, which does not repeat the value.
    static func parse(_ text: String) throws -> HTTPHeader {
        guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
            throw ValidationError("--header takes 'Name: value'")
        }
        let name = String(text[..<colon])
        guard name.utf8.allSatisfy(isTokenByte) else {
            throw ValidationError("--header takes 'Name: value', where the name is letters, digits and hyphens")
        }
        guard !reserved.contains(name.lowercased()) else {
            throw ValidationError("the header field \(name) is set by clover itself")
        }
        var value = text[text.index(after: colon)...]
        while value.first == " " { value.removeFirst() }
        guard !value.isEmpty, value.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            throw ValidationError("--header \(name) needs a value, in plain ASCII characters")
        }
        return HTTPHeader(name: name, value: String(value))
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
