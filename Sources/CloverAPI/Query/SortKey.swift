/// One field of `--sort`: `total`, `total:asc` or `total:desc` (Clover: sorting collections).
package struct SortKey: Sendable, Equatable {
    package let field: String
    package let isDescending: Bool

    package init(parsing text: String) throws(QueryError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let field = parts.first, !field.isEmpty, parts.count <= 2,
            field.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") })
        else { throw .malformedSort(text) }
        self.field = String(field)
        switch parts.count == 2 ? parts[1].lowercased() : "asc" {
        case "asc": isDescending = false
        case "desc": isDescending = true
        default: throw .malformedSort(text)
        }
    }

    /// The value for `orderBy`, not yet percent-encoded.
    var serviceForm: String { field + (isDescending ? " DESC" : " ASC") }
}
