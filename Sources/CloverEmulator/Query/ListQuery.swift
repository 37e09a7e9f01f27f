/// What a request asks of a list: which part, which records, in which order, with what inside.
package struct ListQuery: Sendable {
    /// Records a page has when the request names no limit (Clover REST documentation, paginating elements).
    package static let defaultLimit = 100
    /// The most records a page has. Whether the service clamps a larger number or refuses it, no source says; clamping
    /// is what a client must be ready for, because it is silent.
    package static let largestLimit = 1000

    package let limit: Int
    package let offset: Int
    package let filters: [FilterExpression]
    package let sort: [SortTerm]
    package let expand: ExpandTree
    /// The query for the envelope's `href`: filters, expand, order and offset percent-encoded, the effective limit at
    /// the end (recorded answers of the service).
    package let echo: String

    /// - Throws: `APIError.badRequest` for a malformed filter, limit or offset. Unknown parameters are ignored.
    /// - Parameters:
    ///   - most: the largest limit the list takes.
    ///   - isStrict: whether a larger limit is refused instead of clamped.
    package init(
        _ query: QueryString, most: Int = ListQuery.largestLimit, isStrict: Bool = false
    ) throws(APIError) {
        var filters: [FilterExpression] = []
        var echo = ""
        for text in query.values("filter") {
            guard let expression = FilterExpression(text) else { throw .badRequest("Invalid filter: \(text)") }
            filters.append(expression)
            echo += "filter=\(QueryString.encode(text))&"
        }
        self.filters = filters
        var tree = ExpandTree()
        for text in query.values("expand") {
            tree.add(text)
            echo += "expand=\(QueryString.encode(text))&"
        }
        expand = tree
        sort = query.values("orderBy").flatMap(SortTerm.list)
        for text in query.values("orderBy") { echo += "orderBy=\(QueryString.encode(text))&" }
        offset = try Self.number(query.values("offset").last, named: "offset", least: 0) ?? 0
        if offset > 0 { echo += "offset=\(offset)&" }
        let asked = try Self.number(query.values("limit").last, named: "limit", least: 1)
        if isStrict, let asked, asked > most { throw .badRequest("Invalid limit: \(asked)") }
        limit = min(asked ?? Self.defaultLimit, most)
        self.echo = echo + "limit=\(limit)"
    }

    private static func number(_ text: String?, named name: String, least: Int) throws(APIError) -> Int? {
        guard let text else { return nil }
        guard let number = Int(text), number >= least else { throw .badRequest("Invalid \(name): \(text)") }
        return number
    }
}
