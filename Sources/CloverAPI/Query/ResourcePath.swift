package import CloverHTTP
import CloverSystem

/// A path given by the user, resolved to a path of the service.
package struct ResourcePath: Sendable, Equatable {
    /// The decoded segments of the absolute path: `["v3", "merchants", "M", "orders"]`.
    package let segments: [String]
    /// The catalogue's entry; nil for a path outside V3, or an unchecked one.
    package let endpoint: Endpoint?
    /// The path as messages show it: relative to the merchant if possible.
    package let display: String
    /// Whether the path is served by the host of the ecommerce API.
    package let isEcommerce: Bool
    private let merchantID: String

    /// Resolves `orders`, `orders/ID/line_items`, `merchant`, `/v3/merchants/{mId}/orders`, `/v2/...`, an alias of the
    /// iOS SDK (`merchant-order-line-items ID` for `orders/ID/line_items`), or a name of the ecommerce API: `charges`,
    /// `ecommerce/refunds` and `ecommerce/orders` for `/v1/...`.
    ///
    /// - Parameters:
    ///   - identifier: a separate `[ID]` argument, appended as one more segment.
    ///   - merchantID: replaces `{mId}`.
    ///   - isChecked: refuses paths that the catalogue does not have, or not with this method.
    package init(
        parsing text: String, identifier: String?, merchantID: String, isChecked: Bool, method: Endpoint.Method = .get
    ) throws(QueryError) {
        var typed = try Self.split(text)
        if let identifier {
            guard !identifier.isEmpty, !identifier.contains("/") else {
                throw .malformedPath(identifier, reason: .identifierTwice)
            }
            typed += try Self.split(identifier)
        }
        self.merchantID = merchantID
        var segments = try Self.absolute(
            typed, merchantID: merchantID, method: method, isRooted: text.first == "/", isChecked: isChecked)
        if let known = Self.known(method, at: segments) {
            endpoint = known
        } else if let plural = Self.plural(of: segments), let known = Self.known(method, at: plural) {
            endpoint = known
            segments = plural
        } else {
            let others = isChecked ? Self.operations(atOrAbove: segments) : []
            if let other = others.first(where: { ![.v3, .platform].contains($0.api) }) {
                throw .otherService(other.api, path: "/" + segments.joined(separator: "/"))
            }
            // The catalogue only covers V3 and the ecommerce API; an unknown path of an earlier version may be valid.
            if isChecked, segments.first == "v3" || method == .get && segments.first == "v1" {
                throw Self.unknown(typed, method: method, segments: segments)
            }
            endpoint = nil
        }
        self.segments = segments
        isEcommerce =
            endpoint.map { $0.api == .ecommerce }
            ?? (method == .get && segments.first == "v1" && EndpointCatalogue.operations(at: segments).isEmpty)
        display = Self.display(segments, endpoint, merchantID: merchantID)
    }

    func replacingSegments(_ segments: [String]) -> ResourcePath {
        ResourcePath(segments, endpoint, isEcommerce: isEcommerce, merchantID: merchantID)
    }

    private init(_ segments: [String], _ endpoint: Endpoint?, isEcommerce: Bool, merchantID: String) {
        self.segments = segments
        self.endpoint = endpoint
        self.isEcommerce = isEcommerce
        self.merchantID = merchantID
        display = Self.display(segments, endpoint, merchantID: merchantID)
    }

    /// Header fields of each request to the path: plans, subscriptions and Hosted Checkout know the merchant only by one.
    package var headers: [HTTPHeader] {
        ["recurring", "invoicingcheckoutservice"].contains(segments.first)
            ? [HTTPHeader(name: "X-Clover-Merchant-Id", value: merchantID)] : []
    }

    /// The number of records to request a page.
    package var pageSize: Int { endpoint?.maximumPage ?? Endpoint.usualPage }

    /// Whether each page is requested by the last record of the one before.
    package var isPagedByCursor: Bool { endpoint?.isPagedByCursor ?? false }

    /// Whether each record at the path has an ID, as far as the catalogue knows.
    var recordsHaveID: Bool {
        endpoint?.model.flatMap { ModelCatalogue.model(named: $0) }?.field(named: "id") != nil
    }

    /// Whether a record with this ID may be the one at the path. Hyphens and case do not count: the ID of a
    /// device comes with hyphens or without.
    func mayName(_ id: String) -> Bool {
        guard let endpoint, endpoint.path.hasSuffix("}"), let asked = segments.last, recordsHaveID else { return true }
        return Self.isSame(id, asked)
    }

    static func isSame(_ id: String, _ other: String) -> Bool {
        func compared(_ id: String) -> String { id.lowercased().filter { $0 != "-" } }
        return compared(id) == compared(other)
    }

    private static func display(_ segments: [String], _ endpoint: Endpoint?, merchantID: String) -> String {
        if endpoint?.api == .ecommerce { return EndpointCatalogue.ecommerceName(of: segments) }
        let relative = segments.dropFirst(3)
        guard segments.starts(with: ["v3", "merchants", merchantID]) else {
            return "/" + segments.joined(separator: "/")
        }
        return relative.isEmpty ? "merchant" : relative.joined(separator: "/")
    }

    private static func absolute(
        _ typed: [String], merchantID: String, method: Endpoint.Method, isRooted: Bool, isChecked: Bool
    ) throws(QueryError) -> [String] {
        // SDK aliases only apply to reads.
        if method == .get, let alias = typed.first, let endpoint = EndpointCatalogue.operation(alias: alias) {
            var identifiers = typed.dropFirst()
            guard endpoint.placeholders.count == identifiers.count else {
                throw .aliasIdentifiers(
                    alias, path: EndpointCatalogue.displayPath(endpoint), given: identifiers.count)
            }
            return endpoint.segments.map { segment in
                segment == "{mId}" ? merchantID : segment.first == "{" ? identifiers.removeFirst() : String(segment)
            }
        }
        if let segments = EndpointCatalogue.ecommerceSegments(typed) { return segments }
        let relative = ["v3", "merchants", merchantID] + (typed == ["merchant"] ? [] : typed)
        // A merchant's path is often typed with a leading slash. `/oauth/token` and unknown paths are taken literally.
        let isAbsolute =
            typed.first.map(isVersion) ?? false
            || isRooted
                && (!EndpointCatalogue.operations(at: typed).isEmpty
                    || !isChecked && EndpointCatalogue.operations(at: relative).isEmpty)
        return (isAbsolute ? typed : relative).map { $0 == "{mId}" ? merchantID : $0 }
    }

    /// Services other than V3 have separate hosts. Of the ecommerce API only reads are sent: a charge or refund needs a
    /// key and the journal, which `clover charge` has.
    private static func known(_ method: Endpoint.Method, at segments: [String]) -> Endpoint? {
        EndpointCatalogue.operation(method, at: segments).flatMap { endpoint in
            endpoint.api == .v3 || endpoint.api == .ecommerce && method == .get ? endpoint : nil
        }
    }

    /// The operations of a path. Of a path of the ecommerce API without any, those of the path above it, if that is not read.
    private static func operations(atOrAbove segments: [String]) -> [Endpoint] {
        let here = EndpointCatalogue.operations(at: segments)
        guard here.isEmpty, segments.first == "v1", segments.count > 3 else { return here }
        let above = EndpointCatalogue.operations(at: Array(segments.dropLast()))
        return above.contains { $0.method == .get } ? [] : above
    }

    private static func unknown(_ typed: [String], method: Endpoint.Method, segments: [String]) -> QueryError {
        let shown = (typed.first.map(isVersion) ?? false ? "/" : "") + typed.joined(separator: "/")
        if segments.first == "v1" {
            return .unknownPath(shown, suggestions: EndpointCatalogue.ecommerceNames(like: segments), method: method)
        }
        let others = EndpointCatalogue.operations(at: segments).filter { $0.api == .v3 }.map(\.method)
        guard others.isEmpty else { return .methodNotTaken(method, path: shown, takes: others) }
        if method != .get, let alias = typed.first, let endpoint = EndpointCatalogue.operation(alias: alias) {
            return .unknownPath(shown, suggestions: [EndpointCatalogue.displayPath(endpoint)], method: method)
        }
        let aliases = method == .get ? typed.first.map { EndpointCatalogue.aliasSuggestions(for: $0) } ?? [] : []
        guard aliases.isEmpty else { return .unknownPath(shown, suggestions: aliases, method: method) }
        let near = EndpointCatalogue.suggestions(for: segments, method: method)
        return .unknownPath(
            shown,
            suggestions: near.isEmpty ? EndpointCatalogue.continuations(of: segments, method: method) : near,
            method: method)
    }

    package var encoded: String {
        // Some of Clover's paths end with a slash.
        segments.map { "/" + PercentCoding.encode($0) }.joined() + (endpoint?.path.last == "/" ? "/" : "")
    }

    static func split(_ text: String) throws(QueryError) -> [String] {
        guard !text.contains("://") else { throw .malformedPath(text, reason: .wholeURL) }
        guard !text.contains("?"), !text.contains("#") else { throw .malformedPath(text, reason: .query) }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .malformedPath(text, reason: .controlCharacter)
        }
        var trimmed = text[...]
        if trimmed.first == "/" { trimmed.removeFirst() }
        if trimmed.last == "/" { trimmed.removeLast() }
        guard !trimmed.isEmpty else { throw .malformedPath(text, reason: .empty) }
        let segments = trimmed.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard !segments.contains("") else { throw .malformedPath(text, reason: .emptySegment) }
        guard !segments.contains("."), !segments.contains("..") else {
            throw .malformedPath(text, reason: .dotSegment)
        }
        return segments
    }

    private static func isVersion(_ segment: String) -> Bool {
        segment.first == "v" && segment.count == 2 && segment.last?.isNumber == true
    }

    /// `orders/X` for `order/X`, because the singular is often typed.
    static func plural(of segments: [String]) -> [String]? {
        guard segments.count > 3 else { return nil }
        var plural = segments
        let word = plural[3]
        plural[3] = word.hasSuffix("y") ? word.dropLast() + "ies" : word + "s"
        return plural
    }
}

extension ResourcePath {
    /// The path of something below this one, to read it; nil if a segment, such as an ID from a response, cannot be one.
    package func appending(_ more: [String]) -> ResourcePath? {
        guard more.allSatisfy({ PercentCoding.isSegment($0) }) else { return nil }
        let segments = segments + more
        return ResourcePath(
            segments, Self.known(.get, at: segments), isEcommerce: isEcommerce, merchantID: merchantID)
    }

    /// The names in braces that are not filled in yet, in order.
    package var placeholders: [String] { segments.compactMap(Self.placeholder) }

    /// The path with the names in braces replaced by values.
    package func filled<Failure: Error>(
        _ value: (_ name: String) throws(Failure) -> String
    ) throws(Failure) -> ResourcePath {
        var filled: [String] = []
        for segment in segments {
            if let name = Self.placeholder(segment) { filled.append(try value(name)) } else { filled.append(segment) }
        }
        return replacingSegments(filled)
    }

    private static func placeholder(_ segment: String) -> String? {
        // An unknown merchant remains `{mId}`; it is never filled by this.
        guard segment.count > 2, segment.first == "{", segment.last == "}", segment != "{mId}" else { return nil }
        return String(segment.dropFirst().dropLast())
    }

    /// Path segments of operations that take, refund or void money, or record that it happened.
    private static let moneyWords: Set<String> = [
        "payments", "refunds", "refund", "credits", "authorizations", "pay", "voids", "charges", "capture", "returns",
        "metereds",
    ]

    /// Whether a write to this path moves money or records that it moved.
    package var movesMoney: Bool { segments.contains { Self.moneyWords.contains($0) } }

    /// Whether a deletion at this path removes more than one record, or may do so: the path ends with a name instead of
    /// an id.
    package var isCollection: Bool {
        if let endpoint { return endpoint.segments.last?.first != "{" }
        let last = segments.last ?? ""
        return last.allSatisfy { $0.isASCII && ($0.isLowercase || $0 == "_") }
    }

    /// The nearest readable path that shows the effect of a write: this one, or the collection of the record. Nil if
    /// none can be read.
    ///
    /// - Parameter isGone: the record no longer exists, so that only the collection can be read.
    package func readable(isGone: Bool) -> (path: String, endpoint: Endpoint)? {
        for count in [isGone ? 0 : segments.count, segments.count - 1] where count > 0 {
            let candidate = Array(segments.prefix(count))
            guard let endpoint = EndpointCatalogue.endpoint(at: candidate) else { continue }
            return (replacingSegments(candidate).display, endpoint)
        }
        return nil
    }
}
