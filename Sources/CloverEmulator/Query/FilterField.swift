/// A field an endpoint accepts in filters and in `orderBy`.
package struct FilterField: Sendable {
    /// How a field's values are written and compared.
    package enum Kind: Sendable {
        case integer
        case boolean
        /// Compared exactly.
        case text
        /// Compared exactly, and a trailing `*` matches any ending (live sandbox notes, names of items).
        case name
        /// Compared without case: the service itself answers in mixed spelling (recorded answers, order states).
        case caseless
    }

    package let name: String
    package let kind: Kind

    package init(_ name: String, _ kind: Kind = .text) {
        self.name = name
        self.kind = kind
    }
}
