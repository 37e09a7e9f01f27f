/// A named set of strings, one of which a field holds. The service may add values later.
package struct Enumeration: Sendable, Equatable {
    /// Group and name, such as `order.PayType`.
    package let name: String
    package let cases: [String]
    package let sources: [Model.Source]
}
