extension ErrorReport {
    /// An environment variable with a word that it does not accept.
    init(_ error: VariableError) {
        self.init(
            code: "bad_variable", status: .usage, message: "\(error.variable.name) cannot be '\(error.value)'",
            hints: ["it is one of: " + error.variable.permitted.joined(separator: ", ") + "; or leave it unset"])
    }
}
