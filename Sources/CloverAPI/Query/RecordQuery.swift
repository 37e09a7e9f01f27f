/// What narrows, widens and orders the records of one endpoint: everything of a URL's query but the page.
package struct RecordQuery: Sendable, Equatable {
    package var filters: [FilterExpression] = []
    /// Names of nested objects to include, such as `lineItems.discounts`.
    package var expand: [String] = []
    package var sort: [SortKey] = []
    package var parameters: [Parameter] = []

    package init() {}

    /// A parameter passed on as it is.
    package struct Parameter: Sendable, Equatable {
        package let name: String
        package let value: String

        init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Reads `name=value`. Names that have an option of their own, and a token, are refused.
        ///
        /// - Parameter isReading: a request that reads has options for pages, filters and order, too.
        package init(parsing text: String, isReading: Bool = true) throws(QueryError) {
            guard let mark = text.firstIndex(of: "="), mark != text.startIndex else {
                throw .malformedParameter(text)
            }
            name = String(text[..<mark])
            value = String(text[text.index(after: mark)...])
            var options = ["expand": "--expand", "access_token": "clover auth login --with-token"]
            if isReading {
                options.merge(
                    ["limit": "--limit", "offset": "--offset", "filter": "--filter", "orderBy": "--sort"]
                ) { $1 }
            }
            if let option = options[name] { throw .reservedParameter(name, option: option) }
        }
    }

    /// The query with a page, percent-encoded, without its `?`; empty when nothing is asked.
    package func encoded(page: Page?) -> String {
        var pairs = filters.map { "filter=" + $0.encoded }
        if !expand.isEmpty {
            pairs.append("expand=" + expand.map { PercentEncoding.encode($0) }.joined(separator: ","))
        }
        if !sort.isEmpty {
            pairs.append("orderBy=" + sort.map { PercentEncoding.encode($0.serviceForm) }.joined(separator: ","))
        }
        pairs += parameters.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
        if let page {
            pairs.append("limit=\(page.limit)")
            if page.offset > 0 { pairs.append("offset=\(page.offset)") }
        }
        return pairs.joined(separator: "&")
    }

    /// A page of a list: `limit` records from the zero-based `offset`.
    package struct Page: Sendable, Hashable {
        package var offset: Int
        package var limit: Int

        package init(offset: Int, limit: Int) {
            self.offset = offset
            self.limit = limit
        }
    }
}
