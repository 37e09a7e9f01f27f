import ArgumentParser
import CloverConfiguration

/// Whether PINs, bank and card numbers, tokens and secrets are printed.
struct SensitivityOptions: ParsableArguments {
    @Flag(
        name: .customLong("show-sensitive"),
        help:
            "Print PINs, bank and card numbers, tokens and secrets; otherwise they are \"[masked]\", a number too (CLOVER_SHOW_SENSITIVE=1)."
    )
    var showsSensitive = false

    /// The flag, or else what is set once for all.
    func isShown(_ settings: ConfigurationLayers) throws -> Bool {
        try showsSensitive || settings.isOn(.showSensitive)
    }
}
