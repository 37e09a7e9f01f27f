/// The query part of a URL except the page: filters, expansions, sorting and other parameters.
package struct RecordQuery: Sendable, Equatable {
    package var filters: [FilterExpression] = []
    /// Names of nested objects to include, such as `lineItems.discounts`.
    package var expand: [String] = []
    package var sort: [SortKey] = []
    package var parameters: [Parameter] = []

    package init() {}

    /// A parameter that is passed on unchanged.
    package struct Parameter: Sendable, Equatable {
        package let name: String
        package let value: String

        init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Parses `name=value`. Refuses names that have a separate option, and access tokens.
        ///
        /// - Parameter isReading: true for a read, which also has options for paging, filters and sorting.
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

    /// The percent-encoded query with a page, without `?`; empty if there is nothing to encode.
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
