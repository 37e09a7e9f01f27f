/// A named set of strings, one of which a field holds. The service may come to know more of them.
package struct Enumeration: Sendable, Equatable {
    /// Group and name, such as `order.PayType`.
    package let name: String
    package let cases: [String]
    package let sources: [Model.Source]
}
