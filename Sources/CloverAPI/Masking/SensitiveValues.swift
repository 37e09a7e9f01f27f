package import CloverHTTP
import CloverJSON

/// The secrets of one request, which the service may repeat in its response under any name or none.
package struct SensitiveValues: Sendable {
    /// Longest first, because one may contain another.
    private let values: [String]
    private let secrets = SecretMask()

    /// Shorter values would hide harmless text.
    private static let minimumLength = 3
    private static let maximumCount = 1000

    package init() {
        values = []
    }

    /// - Parameter token: the bearer token of the request.
    package init(of request: ServiceRequest, token: Secret?) {
        self.init(url: request.url, headers: request.headers, body: request.body, token: token)
    }

    package init(of request: HTTPRequest) {
        self.init(url: request.url, headers: request.headers, body: request.body, token: request.bearer)
    }

    private init(url: String, headers: [HTTPHeader], body: HTTPRequestBody?, token: Secret?) {
        var values = Set(headers.filter { Redaction.isSecretHeader($0.name) }.map(\.value))
        values.formUnion(Redaction.secretValues(ofURL: url))
        if let body { values.formUnion(Self.values(in: body.bytes)) }
        self.values = values.filter { $0.utf8.count >= Self.minimumLength }
            .sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }.prefix(Self.maximumCount).map(\.self)
        if let token { secrets.hide(token) }
    }

    /// Replaces each of the values, and every longer part of the token, with `(redacted)`.
    package func hidden(in text: String) -> String {
        values.reduce(secrets.masked(text)) { text, value in
            guard text.contains(value) else { return text }
            return Self.hidden(value, in: text)
        }
    }

    /// Hides the value unless it is part of a longer word or number: a PIN is short.
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
            shown += isWhole || value.utf8.count > maximumWordLength ? TextRedaction.mark : value
            before = value.last
            rest = rest[found.upperBound...]
        }
        return shown + rest
    }

    private static let maximumWordLength = 7

    private static func isPart(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber } ?? false
    }

    /// The strings and numbers under sensitive names, including those nested below them.
    private static func values(in body: [UInt8]) -> Set<String> {
        body.withUnsafeBytes { bytes in
            guard SensitiveNames.all.mayOccur(in: bytes) else { return [] }
            var walk = FieldMasker(record: bytes)
            var rules = MaskRules()
            do throws(JSONScanner.Fault) {
                try walk.run(.unknown, rules: &rules)
            } catch {
                // The values found so far count. A body that is not JSON is refused before it is sent.
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
            // Unreachable: the walk has already read it as a string.
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}

extension PageError {
    /// The error with secrets redacted in its excerpt, including those that were sent and that the service may repeat.
    func hiding(_ values: SensitiveValues) -> PageError {
        guard case .notJSON(let offset, let excerpt) = self else { return self }
        return .notJSON(at: offset, excerpt: values.hidden(in: TextRedaction.redacted(excerpt)))
    }
}
