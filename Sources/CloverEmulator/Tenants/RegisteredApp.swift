/// An app that merchants can sign in to.
package struct RegisteredApp: Sendable, Equatable {
    package let id: String
    package let secret: String
}
