/// Which answers are spoiled, and how: `KIND[:PROBABILITY|@REQUEST|@FROM-TO][:/path-prefix]`.
package struct FaultSpec: Sendable, Equatable {
    /// Which requests a fault hits.
    package enum Selector: Sendable, Equatable {
        /// Each with this probability, above 0 and at most 1.
        case probability(Double)
        /// Those with these numbers, counted over all V3 requests from 1.
        case requests(ClosedRange<Int>)
    }

    package let kind: FaultKind
    package let selector: Selector
    /// Only paths that begin so; the path is taken whole or behind the merchant, so `/orders` works.
    package let pathPrefix: String?

    package init(kind: FaultKind, selector: Selector, pathPrefix: String?) {
        self.kind = kind
        self.selector = selector
        self.pathPrefix = pathPrefix
    }

    /// Reads a specification; without a probability or number the fault hits every request.
    package init(parsing text: String) throws(FaultSpecError) {
        var rest = Substring(text)
        pathPrefix = Self.cutPath(&rest)
        let mark = rest.firstIndex { $0 == "@" || $0 == ":" } ?? rest.endIndex
        guard let kind = FaultKind(rawValue: String(rest[..<mark])) else {
            throw .unknownKind(String(rest[..<mark]))
        }
        self.kind = kind
        guard mark < rest.endIndex else {
            selector = .probability(1)
            return
        }
        let value = rest[rest.index(after: mark)...]
        if rest[mark] == ":" {
            guard let probability = Double(value), probability > 0, probability <= 1 else {
                throw .badProbability(String(value))
            }
            selector = .probability(probability)
        } else {
            let ends = value.split(separator: "-", omittingEmptySubsequences: false)
            guard let first = ends.first.flatMap({ Int($0) }), let last = ends.last.flatMap({ Int($0) }),
                ends.count <= 2, first >= 1, last >= first
            else { throw .badRequestNumber(String(value)) }
            selector = .requests(first...last)
        }
    }

    private static func cutPath(_ text: inout Substring) -> String? {
        var place = text.startIndex
        while place < text.endIndex {
            let next = text.index(after: place)
            if text[place] == ":", next < text.endIndex, text[next] == "/" {
                defer { text = text[..<place] }
                return String(text[next...])
            }
            place = next
        }
        return nil
    }
}
