package import CloverHTTP

/// The secrets of one request: the service may repeat them in its answer, under any name or none.
package struct SensitiveValues: Sendable {
    /// The longest first: one may be a part of another.
    private let values: [String]
    private let secrets = SecretMask()

    /// Shorter ones would hide harmless text.
    private static let shortest = 3
    private static let most = 1000

    /// None.
    package init() {
        values = []
    }

    /// - Parameter token: the bearer that it is sent with.
    package init(of request: ServiceRequest, token: Secret?) {
        self.init(url: request.url, headers: request.headers, body: request.body, token: token)
    }

    /// Those of a request as it leaves.
    package init(of request: HTTPRequest) {
        self.init(url: request.url, headers: request.headers, body: request.body, token: request.bearer)
    }

    private init(url: String, headers: [HTTPHeader], body: HTTPRequestBody?, token: Secret?) {
        var values = Set(headers.filter { Redaction.isSecretHeader($0.name) }.map(\.value))
        values.formUnion(Redaction.secretValues(ofURL: url))
        if let body { values.formUnion(Self.values(in: body.bytes)) }
        self.values = values.filter { $0.utf8.count >= Self.shortest }
            .sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }.prefix(Self.most).map(\.self)
        if let token { secrets.hide(token) }
    }

    /// The text with `(redacted)` in place of each of them, and of every longer piece of the token.
    package func hidden(in text: String) -> String {
        values.reduce(secrets.masked(text)) { text, value in
            guard text.contains(value) else { return text }
            return Self.hidden(value, in: text)
        }
    }

    /// Hides the value where it is no part of a longer word or number: a PIN is short.
    private static func hidden(_ value: String, in text: String) -> String {
        var shown = ""
        var rest = text[...]
        var before: Character?
        while let found = rest.firstRange(of: value) {
            let lead = rest[..<found.lowerBound]
            let previous = lead.last ?? before
            let next = rest[found.upperBound...].first
            let isWhole = !isPart(previous) && !isPart(next)
            shown += lead
            shown += isWhole || value.utf8.count > longestOfWords ? TextRedaction.mark : value
            before = value.last
            rest = rest[found.upperBound...]
        }
        return shown + rest
    }

    private static let longestOfWords = 7

    private static func isPart(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber } ?? false
    }

    /// Strings and numbers under sensitive names, in lists and objects below them too.
    private static func values(in body: [UInt8]) -> Set<String> {
        body.withUnsafeBytes { bytes in
            guard SensitiveNames.all.mayStand(in: bytes) else { return [] }
            var walk = MaskWalk(record: bytes)
            var rules = MaskRules()
            do throws(JSONScanner.Fault) {
                try walk.run(.unknown, rules: &rules)
            } catch {
                // What was found up to there counts; a body that is no JSON is refused before it is sent.
            }
            return Set(walk.found.map { Self.text(of: bytes[$0]) })
        }
    }

    private static func text(of value: Slice<UnsafeRawBufferPointer>) -> String {
        let bytes = UnsafeRawBufferPointer(rebasing: value)
        guard bytes.first == UInt8(ascii: "\"") else { return String(decoding: bytes, as: UTF8.self) }
        var scanner = JSONScanner(bytes: bytes)
        do throws(JSONScanner.Fault) {
            return scanner.decoded(try scanner.string())
        } catch {
            // Not met: the walk has read it as a string.
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
