/// The parts of a URL, exactly as written (RFC 3986, appendix B).
struct URLParts: Equatable {
    /// Without its colon; nil if the text before the first colon is not a scheme.
    let scheme: Substring?
    /// The text after `//`; nil without `//`, empty if nothing follows.
    let authority: Substring?
    let path: Substring
    /// Without its question mark; nil without one.
    let query: Substring?
    /// Without its number sign; nil without one.
    let fragment: Substring?

    init(_ url: String) {
        // Search scalars, not characters: a combining mark after a delimiter would hide it.
        var rest = url.unicodeScalars[...]
        var fragment: Substring?
        if let sign = rest.firstIndex(of: "#") {
            fragment = Substring(rest[rest.index(after: sign)...])
            rest = rest[..<sign]
        }
        self.fragment = fragment
        var query: Substring?
        if let mark = rest.firstIndex(of: "?") {
            query = Substring(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        self.query = query
        var scheme: Substring?
        if let colon = rest.firstIndex(of: ":"), Self.isScheme(rest[..<colon]) {
            scheme = Substring(rest[..<colon])
            rest = rest[rest.index(after: colon)...]
        }
        self.scheme = scheme
        var authority: Substring?
        if rest.starts(with: "//".unicodeScalars) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = Substring(rest[..<end])
            rest = rest[end...]
        }
        self.authority = authority
        path = Substring(rest)
    }

    /// The parts of the authority: user with `@`, host, port with `:`. Nil without an authority.
    var authorityParts: (user: Substring, host: Substring, port: Substring)? {
        guard let authority else { return nil }
        let scalars = authority.unicodeScalars
        let hostStart = scalars.lastIndex(of: "@").map(scalars.index(after:)) ?? scalars.startIndex
        let afterUser = scalars[hostStart...]
        // Skip the colons of an IPv6 address in brackets.
        let literalEnd = afterUser.firstIndex(of: "]") ?? hostStart
        let hostEnd = afterUser[literalEnd...].firstIndex(of: ":") ?? afterUser.endIndex
        return (authority[..<hostStart], authority[hostStart..<hostEnd], authority[hostEnd...])
    }

    /// The escaped components of a path that begins with a slash; empty for any other path, which `NSURL` does not split.
    var pathComponents: [Substring] {
        guard path.utf8.first == UInt8(ascii: "/") else { return [] }
        return path.unicodeScalars.split(separator: "/").map { Substring($0) }
    }

    /// The first byte that a URL must escape, or the first percent sign that begins no escape; nil if there is neither.
    /// `NSURL` refuses such a text.
    static func firstIllegalByte(in url: String) -> UInt8? {
        let bytes = Array(url.utf8)
        var fragmentBegan = false
        for (place, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "%"):
                let digits = bytes[(place + 1)...].prefix(2)
                guard digits.count == 2, digits.allSatisfy({ PercentEncoding.value(ofHexDigit: $0) != nil })
                else { return byte }
            case UInt8(ascii: "#"):
                if fragmentBegan { return byte }
                fragmentBegan = true
            case _ where PercentEncoding.isUnreserved(byte) || reserved.contains(byte): continue
            default: return byte
            }
        }
        return nil
    }

    private static let reserved = Array(":/?[]@!$&'()*+,;=".utf8)

    private static func isScheme(_ text: Substring.UnicodeScalarView) -> Bool {
        guard let first = text.first, first.isASCII, first.properties.isAlphabetic else { return false }
        return text.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || "0123456789+-.".unicodeScalars.contains($0))
        }
    }
}

/// The items of a URL's query, split like `NSURLComponents`: at `&` and at the first `=`, with each side percent-decoded
/// once.
enum QueryItems {
    /// The value of the last item with this name. Nil if there is none, or if that item has no value, an empty one, or one
    /// that is not UTF-8: an invalid last item hides a valid one before it.
    static func value(of name: SquareText, in query: Substring?) -> SquareText? {
        guard let query else { return nil }
        let items = query.unicodeScalars.split(separator: "&", omittingEmptySubsequences: false)
        let last = items.last { item in
            let itemName = item.prefix { $0 != "=" }
            return PercentEncoding.decoded(Substring(itemName)).map { SquareText($0) } == name
        }
        guard let last, let equals = last.firstIndex(of: "=") else { return nil }
        let value = PercentEncoding.decoded(Substring(last[last.index(after: equals)...]))
        return value.flatMap { $0.isEmpty ? nil : SquareText($0) }
    }
}

/// Percent-encoding as in the SDK: escapes all but the unreserved characters of RFC 3986, and decodes a plus as a plus.
package enum PercentEncoding {
    /// Encodes all UTF-8 bytes except `A-Z a-z 0-9 - . _ ~` as `%XX` in capitals.
    package static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes.append(contentsOf: [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 0xF)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes the escapes once; nil if one is malformed or the result is not UTF-8.
    package static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(value(ofHexDigit:)), let low = rest.next().flatMap(value(ofHexDigit:))
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    static func value(ofHexDigit byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

/// The mark that SDKs from 3.4.0 on add to the callback URL. Since iOS 13 an app does not learn which app opened it, so it
/// recognizes Square's response by this mark.
package enum CallbackMarker {
    static let text: SquareText = "square_request"

    /// The callback URL with the mark at the end of the path, or as the host if there is none. Everything else is unchanged.
    ///
    /// - Returns: nil if the result is not a URL: for a path without a leading slash and without a host (`my-app:paid`).
    static func marked(_ url: URLParts) -> String? {
        let start = url.scheme.map { "\($0)://" } ?? "//"
        let end = (url.query.map { "?\($0)" } ?? "") + (url.fragment.map { "#\($0)" } ?? "")
        guard let authority = url.authorityParts else {
            guard url.path.isEmpty || url.path.utf8.first == UInt8(ascii: "/") else { return nil }
            return "\(start)\(text)\(url.path)\(end)"
        }
        guard !authority.host.isEmpty else {
            return "\(start)\(authority.user)\(text)\(authority.port)\(url.path)\(end)"
        }
        let path = marked(path: String(url.path))
        return "\(start)\(authority.user)\(authority.host)\(authority.port)\(path)\(end)"
    }

    /// The path that ``marked(_:)`` makes for a URL with a host.
    package static func marked(path: String) -> String {
        "\(path)\(path.utf8.last == UInt8(ascii: "/") ? "" : "/")\(text)"
    }

    /// Whether the host or a component of the path is the mark: the SDK's `isSquareResponse:`.
    ///
    /// The mark does not prove who sent a URL: any program can add it, and URLs of web pages and of SDKs before 3.4.0 do not
    /// have it.
    package static func isPresent(in url: String) -> Bool {
        let parts = URLParts(url)
        let candidates = [parts.authorityParts?.host].compactMap { $0 } + parts.pathComponents
        return candidates.contains { PercentEncoding.decoded($0).map { SquareText($0) } == text }
    }
}
