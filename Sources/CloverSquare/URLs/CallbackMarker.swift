/// The mark that SDKs from 3.4.0 on put into the callback URL they send: since iOS 13 the app that is opened does not
/// learn by whom, so it recognises Square's answer by its own mark.
package enum CallbackMarker {
    static let text: SquareText = "square_request"

    /// The callback URL as it is sent: the mark behind the path, or as the host where there is none. Everything else
    /// keeps its place and spelling.
    ///
    /// - Returns: nil when no URL results, for a path without a leading slash and without a host (`my-app:paid`).
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

    /// What ``marked(_:)`` makes of the path of a URL with a host.
    package static func marked(path: String) -> String {
        "\(path)\(path.utf8.last == UInt8(ascii: "/") ? "" : "/")\(text)"
    }

    /// Whether the host or a component of the path is the mark: the SDK's `isSquareResponse:`.
    ///
    /// This tells whom a URL is for, not who sent it: anybody can write the mark, and URLs that were never marked (of
    /// web pages and of SDKs before 3.4.0) do not have it.
    package static func isPresent(in url: String) -> Bool {
        let parts = URLParts(url)
        let candidates = [parts.authorityParts?.host].compactMap { $0 } + parts.pathComponents
        return candidates.contains { PercentEncoding.decoded($0).map { SquareText($0) } == text }
    }
}
