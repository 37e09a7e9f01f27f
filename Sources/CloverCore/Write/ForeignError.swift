/// The name that another company's software has for an error.
package struct ForeignError: Sendable, Equatable {
    /// Such as `SCCErrorDomain`.
    package var domain: String
    /// nil where its errors have no numbers.
    package var number: Int?
    package var name: String

    package init(domain: String, number: Int?, name: String) {
        self.domain = domain
        self.number = number
        self.name = name
    }
}
