/// Which answers are spoiled, and how: `KIND[:PROBABILITY|@REQUEST|@FROM-TO][:/path-prefix]`.
package struct FaultSpec: Sendable, Equatable {
    /// Which requests a fault hits.
    package enum Selector: Sendable, Equatable {
        /// Each with this probability, above 0 and at most 1.
        case probability(Double)
        /// Those with these numbers, from 1. `FaultPlan` and `CountedFaultPlan` say what is counted.
        case requests(ClosedRange<Int>)

        /// - Parameters:
        ///   - number: of the request.
        ///   - chance: a random number in `0 ..< 1`.
        func hits(_ number: Int, chance: @autoclosure () -> Double) -> Bool {
            switch self {
            case .requests(let numbers): numbers.contains(number)
            case .probability(let probability): chance() < probability
            }
        }
    }

    package let kind: FaultKind
    package let selector: Selector
    /// Only paths that begin so; paths of records are taken whole or behind the merchant, so `/orders` works.
    package let pathPrefix: String?

    package init(kind: FaultKind, selector: Selector, pathPrefix: String?) {
        self.kind = kind
        self.selector = selector
        self.pathPrefix = pathPrefix
    }

    /// Reads a specification; without a probability or number the fault hits every request.
    ///
    /// - Parameter target: the calls the fault is for, which decides what faults there are.
    package init(parsing text: String, for target: FaultTarget = .records) throws(FaultSpecError) {
        var rest = Substring(text)
        pathPrefix = Self.cutPath(&rest)
        let mark = rest.firstIndex { $0 == "@" || $0 == ":" } ?? rest.endIndex
        guard let kind = FaultKind(rawValue: String(rest[..<mark])), target.kinds.contains(kind) else {
            throw .unknownKind(String(rest[..<mark]), target)
        }
        if kind.isOfPayments, let pathPrefix, !PaymentAPI.serves(path: pathPrefix) {
            throw .notOfPayments(kind, path: pathPrefix)
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
