extension ResourcePath {
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
