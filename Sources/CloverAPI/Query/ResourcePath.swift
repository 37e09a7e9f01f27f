/// A path as the user gave it, resolved to what is requested of the service.
package struct ResourcePath: Sendable, Equatable {
    /// The decoded segments of the absolute path: `["v3", "merchants", "M", "orders"]`.
    package let segments: [String]
    /// What the catalogue knows of it; nil for a path outside V3, or one taken unchecked.
    package let endpoint: Endpoint?
    /// As messages name it: relative to the merchant where it is.
    package let display: String

    /// Resolves `orders`, `orders/ID/line_items`, `merchant`, `/v3/merchants/{mId}/orders` or `/v2/...`.
    ///
    /// - Parameters:
    ///   - identifier: a separate `[ID]` argument, added as one more segment.
    ///   - merchantID: takes the place of `{mId}`.
    ///   - isChecked: refuse paths that are not in the catalogue.
    package init(
        parsing text: String, identifier: String?, merchantID: String, isChecked: Bool
    ) throws(QueryError) {
        var typed = try Self.split(text)
        if let identifier {
            guard !identifier.isEmpty, !identifier.contains("/") else {
                throw .malformedPath(identifier, reason: .identifierTwice)
            }
            typed += try Self.split(identifier)
        }
        let isAbsolute = typed.first.map(Self.isVersion) ?? false
        var segments = isAbsolute ? typed : ["v3", "merchants", merchantID] + (typed == ["merchant"] ? [] : typed)
        segments = segments.map { $0 == "{mId}" ? merchantID : $0 }

        if let known = EndpointCatalogue.endpoint(at: segments) {
            endpoint = known
        } else if let plural = Self.plural(of: segments), let known = EndpointCatalogue.endpoint(at: plural) {
            endpoint = known
            segments = plural
        } else if isChecked {
            let shown = typed.joined(separator: "/")
            throw .unknownPath(
                isAbsolute ? "/" + shown : shown, suggestions: EndpointCatalogue.suggestions(for: segments))
        } else {
            endpoint = nil
        }
        self.segments = segments
        let relative = segments.dropFirst(3)
        let isOfMerchant = segments.starts(with: ["v3", "merchants", merchantID])
        display =
            !isOfMerchant
            ? "/" + segments.joined(separator: "/") : relative.isEmpty ? "merchant" : relative.joined(separator: "/")
    }

    /// The absolute path, percent-encoded.
    package var encoded: String {
        segments.map { "/" + PercentEncoding.encode($0) }.joined()
    }

    private static func split(_ text: String) throws(QueryError) -> [String] {
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

    /// `order/X` for `orders/X`: people type the singular.
    private static func plural(of segments: [String]) -> [String]? {
        guard segments.count > 3 else { return nil }
        var plural = segments
        let word = plural[3]
        plural[3] = word.hasSuffix("y") ? word.dropLast() + "ies" : word + "s"
        return plural
    }
}
