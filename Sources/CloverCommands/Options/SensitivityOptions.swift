import ArgumentParser

/// Whether PINs, bank and card numbers, tokens and secrets are printed.
struct SensitivityOptions: ParsableArguments {
    @Flag(
        name: .customLong("show-sensitive"),
        help:
            "Print PINs, bank and card numbers, tokens and secrets; otherwise they are \"[masked]\", a number too (CLOVER_SHOW_SENSITIVE=1)."
    )
    var showsSensitive = false

    /// The flag, or else the variable.
    ///
    /// - Throws: `VariableError` for a variable that says neither yes nor no.
    func isShown(variables: [String: String]) throws(VariableError) -> Bool {
        if showsSensitive { return true }
        return ["1", "true", "yes"].contains(try Variable.showSensitive.value(in: variables))
    }
}
