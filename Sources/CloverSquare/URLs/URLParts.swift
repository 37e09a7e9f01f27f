/// The parts of a URL, each exactly as it was written (RFC 3986, appendix B).
struct URLParts: Equatable {
    /// Without its colon; nil when what stands before the first colon is no scheme.
    let scheme: Substring?
    /// What follows `//`; nil without `//`, empty when nothing follows.
    let authority: Substring?
    let path: Substring
    /// Without its question mark; nil without one.
    let query: Substring?
    /// Without its number sign; nil without one.
    let fragment: Substring?

    init(_ url: String) {
        // On scalars: a combining mark behind a delimiter would hide it from a search by characters.
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

    /// The authority in three: user with `@`, host, port with `:`. nil without an authority.
    var authorityParts: (user: Substring, host: Substring, port: Substring)? {
        guard let authority else { return nil }
        let scalars = authority.unicodeScalars
        let hostStart = scalars.lastIndex(of: "@").map(scalars.index(after:)) ?? scalars.startIndex
        let afterUser = scalars[hostStart...]
        // The colons of an address in brackets are none of the port's.
        let literalEnd = afterUser.firstIndex(of: "]") ?? hostStart
        let hostEnd = afterUser[literalEnd...].firstIndex(of: ":") ?? afterUser.endIndex
        return (authority[..<hostStart], authority[hostStart..<hostEnd], authority[hostEnd...])
    }

    /// The components of a path that begins with a slash, or that is empty behind an authority, still escaped. None for
    /// any other path, which an `NSURL` does not take apart.
    var pathComponents: [Substring] {
        guard path.utf8.first == UInt8(ascii: "/") else { return [] }
        return path.unicodeScalars.split(separator: "/").map { Substring($0) }
    }

    /// The first byte that no URL may hold as it stands, or the first percent sign that begins no escape; nil when
    /// there is neither. `NSURL` makes no object of such a text.
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
