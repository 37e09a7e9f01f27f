/// One field of `orderBy=` (Clover REST documentation, sorting collections).
package struct SortTerm: Sendable, Equatable {
    package let field: String
    package let isDescending: Bool

    package init(field: String, isDescending: Bool) {
        self.field = field
        self.isDescending = isDescending
    }

    /// Reads `total DESC, createdTime`: fields separated by commas, each with `ASC` (the default) or `DESC` after a
    /// space. What cannot be read is ignored, as the service does with parameters it does not understand.
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
