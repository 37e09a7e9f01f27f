/// An environment variable that accepts one of a few words.
struct Variable {
    let name: String
    /// The accepted words in lower case; case is ignored.
    let permitted: [String]

    static let errors = Variable(name: "CLOVER_ERRORS", permitted: ["text", "json"])

    /// The word in lower case; empty if the variable is not set.
    func value(in variables: [String: String]) throws(VariableError) -> String {
        let value = variables[name, default: ""].lowercased()
        guard value.isEmpty || permitted.contains(value) else {
            throw VariableError(variable: self, value: variables[name, default: ""])
        }
        return value
    }
}

/// A variable with a word that it does not accept.
struct VariableError: Error {
    let variable: Variable
    let value: String
}
