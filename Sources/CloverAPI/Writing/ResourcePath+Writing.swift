extension ResourcePath {
    /// The names in braces that are still to be filled in, in order.
    package var placeholders: [String] { segments.compactMap(Self.placeholder) }

    /// The path with a value in place of each name in braces.
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
        // A merchant that is not known stays `{mId}`: nothing else ever fills it.
        guard segment.count > 2, segment.first == "{", segment.last == "}", segment != "{mId}" else { return nil }
        return String(segment.dropFirst().dropLast())
    }

    /// Words in paths of operations that take, give back or void money, or record that somebody did.
    private static let moneyWords: Set<String> = [
        "payments", "refunds", "refund", "credits", "authorizations", "pay", "voids", "charges", "capture", "returns",
        "metereds",
    ]

    /// Whether a write there moves money or records that it moved.
    package var movesMoney: Bool { segments.contains { Self.moneyWords.contains($0) } }

    /// Whether deleting there takes away more than one record, or may: the path ends with a word of its own instead of
    /// an id.
    package var isCollection: Bool {
        if let endpoint { return endpoint.segments.last?.first != "{" }
        let last = segments.last ?? ""
        return last.allSatisfy { $0.isASCII && ($0.isLowercase || $0 == "_") }
    }

    /// The nearest readable path that shows what a write did: this one, or the collection that the record is in. Nil when
    /// none can be read.
    ///
    /// - Parameter isGone: the record itself is not there, so only the collection is.
    package func readable(isGone: Bool) -> (path: String, endpoint: Endpoint)? {
        for count in [isGone ? 0 : segments.count, segments.count - 1] where count > 0 {
            let candidate = Array(segments.prefix(count))
            guard let endpoint = EndpointCatalogue.endpoint(at: candidate) else { continue }
            return (replacingSegments(candidate).display, endpoint)
        }
        return nil
    }
}
