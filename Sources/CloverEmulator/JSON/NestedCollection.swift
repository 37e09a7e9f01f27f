/// The rule for collections inside a record.
package enum NestedCollection {
    /// A nested collection stops at its first 100 entries, silently, and cannot be paged inside its parent (Clover REST
    /// documentation, paginating elements).
    package static let cap = 100
}
