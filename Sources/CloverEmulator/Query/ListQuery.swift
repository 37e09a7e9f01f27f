/// The parameters of a list request: page, filters, order, expansions.
package struct ListQuery: Sendable {
    /// Default page size (Clover REST documentation, paginating elements).
    package static let defaultLimit = 100
    /// Maximum page size. No source says whether the service clamps a larger limit or refuses it; clamping is the
    /// harder case for a client, because it is silent.
    package static let largestLimit = 1000

    package let limit: Int
    package let offset: Int
    package let filters: [FilterExpression]
    package let sort: [SortTerm]
    package let expand: ExpandTree
    /// The query of the envelope's `href`: filters, expand, order and offset percent-encoded, the effective limit last
    /// (recorded responses of the service).
    package let echo: String

    /// - Throws: `APIError.badRequest` for a malformed filter, limit or offset. Unknown parameters are ignored.
    /// - Parameters:
    ///   - most: the maximum page size of the list.
    ///   - isStrict: whether a larger limit is refused instead of clamped.
    package init(
        _ query: QueryString, most: Int = ListQuery.largestLimit, isStrict: Bool = false
    ) throws(APIError) {
        var filters: [FilterExpression] = []
        for text in query.values("filter") {
            guard let expression = FilterExpression(text) else { throw .badRequest("Invalid filter: \(text)") }
            filters.append(expression)
        }
        self.filters = filters
        expand = ExpandTree(query.values("expand"))
        sort = query.values("orderBy").flatMap(SortTerm.list)
        offset = try Self.number("offset", in: query, least: 0) ?? 0
        let asked = try Self.number("limit", in: query, least: 1)
        if isStrict, let asked, asked > most { throw .badRequest("Invalid limit: \(asked)") }
        limit = min(asked ?? Self.defaultLimit, most)
        let texts = ["filter", "expand", "orderBy"].flatMap { name in
            query.values(name).map { "\(name)=\(QueryString.encode($0))" }
        }
        echo = (texts + (offset > 0 ? ["offset=\(offset)"] : []) + ["limit=\(limit)"]).joined(separator: "&")
    }

    private static func number(_ name: String, in query: QueryString, least: Int) throws(APIError) -> Int? {
        guard let text = query.values(name).last else { return nil }
        guard let number = Int(text), number >= least else { throw .badRequest("Invalid \(name): \(text)") }
        return number
    }
}

/// One field of `orderBy=` (Clover REST documentation, sorting collections).
package struct SortTerm: Sendable, Equatable {
    package let field: String
    package let isDescending: Bool

    package init(field: String, isDescending: Bool) {
        self.field = field
        self.isDescending = isDescending
    }

    /// Parses `total DESC, createdTime`: fields separated by commas, each with `ASC` (the default) or `DESC` after a
    /// space. Malformed terms are ignored, as the service ignores parameters that it does not understand.
    package static func list(_ text: String) -> [SortTerm] {
        text.split(separator: ",").compactMap { part in
            let words = part.split(separator: " ")
            guard let field = words.first, words.count <= 2 else { return nil }
            let direction = words.count == 2 ? words[1].lowercased() : "asc"
            guard direction == "asc" || direction == "desc" else { return nil }
            return SortTerm(field: String(field), isDescending: direction == "desc")
        }
    }
}

/// The names of `expand=`, two levels deep (Clover REST documentation, expanding fields). Deeper levels are dropped.
package struct ExpandTree: Sendable, Equatable {
    package static let none = ExpandTree()

    private var children: [String: ExpandTree] = [:]

    /// - Parameter lists: values of the `expand` parameter.
    package init(_ lists: [String] = []) {
        for list in lists { add(list) }
    }

    /// Adds the comma-separated names of a parameter value. Unknown names are kept and match nothing: the service
    /// silently ignores them (live sandbox notes).
    package mutating func add(_ list: String) {
        for name in list.split(separator: ",") {
            let parts = name.split(separator: ".").map { String($0.filter { $0 != " " }) }
            guard let first = parts.first, !first.isEmpty, parts.count <= 2 else { continue }
            children[first, default: .none].merge(ExpandTree(Array(parts.dropFirst())))
        }
    }

    private mutating func merge(_ other: ExpandTree) {
        children.merge(other.children) { own, _ in own }
    }

    package var isEmpty: Bool { children.isEmpty }

    /// Whether something is expanded inside what is expanded.
    var hasSecondLevel: Bool { children.values.contains { !$0.isEmpty } }

    /// The names of the first level, sorted.
    package var names: [String] { children.keys.sorted() }

    package func contains(_ name: String) -> Bool {
        children[name] != nil
    }

    /// A copy with one name merged into another.
    package func renaming(_ name: String, to other: String) -> ExpandTree {
        var tree = self
        if let nested = tree.children.removeValue(forKey: name) { tree.children[other, default: .none].merge(nested) }
        return tree
    }

    package func inside(_ name: String) -> ExpandTree {
        children[name] ?? .none
    }
}

/// The query of a request target, as pairs in order.
package struct QueryString: Sendable {
    /// A parameter after percent-decoding.
    package struct Parameter: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    package let parameters: [Parameter]

    package init(parameters: [Parameter]) {
        self.parameters = parameters
    }

    /// Splits at `&`, then at the first `=`; further `=` belong to the value, raw or encoded (recorded requests of
    /// other clients do both). `+` stays a plus sign: phone numbers in filters depend on it.
    package init(_ text: some StringProtocol) {
        parameters = text.split(separator: "&").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Parameter(
                name: Self.decode(halves[0]), value: halves.count > 1 ? Self.decode(halves[1]) : "")
        }
    }
    package func values(_ name: String) -> [String] {
        parameters.filter { $0.name == name }.map(\.value)
    }

    /// Decodes percent-encoding (RFC 3986 section 2.1). A percent sign without two hexadecimal digits is kept, and
    /// invalid UTF-8 becomes the replacement character.
    package static func decode(_ text: some StringProtocol) -> String {
        func digit(_ byte: UInt8) -> UInt8? { Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) } }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let high = digit(rest[rest.startIndex]),
                let low = digit(rest[rest.startIndex + 1])
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Percent-encodes everything except the unreserved characters of RFC 3986 section 2.3.
    package static func encode(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            let isUnreserved =
                character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character))
            return isUnreserved ? String(character) : "%" + byte.digits(2, radix: 16, uppercase: true)
        }.joined()
    }
}
