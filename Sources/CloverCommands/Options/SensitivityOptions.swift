import ArgumentParser

/// Whether PINs, bank and card numbers, tokens and secrets are printed.
struct SensitivityOptions: ParsableArguments {
    @Flag(
        name: .customLong("show-sensitive"),
        help:
            "Print PINs, bank and card numbers, tokens and secrets, which are masked otherwise (CLOVER_SHOW_SENSITIVE=1)."
    )
    var showsSensitive = false

    /// The flag, or else the variable. Whatever is no plain yes leaves the mask on.
    func isShown(variables: [String: String]) -> Bool {
        showsSensitive || ["1", "true", "yes"].contains(variables["CLOVER_SHOW_SENSITIVE"]?.lowercased())
    }
}
