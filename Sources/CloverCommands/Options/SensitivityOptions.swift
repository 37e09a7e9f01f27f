import ArgumentParser
import CloverConfiguration

/// Whether to print PINs, bank and card numbers, tokens and secrets.
struct SensitivityOptions: ParsableArguments {
    @Flag(
        name: .customLong("show-sensitive"),
        help:
            "Print PINs, bank and card numbers, tokens and secrets instead of \"[masked]\" (CLOVER_SHOW_SENSITIVE=1)."
    )
    var showsSensitive = false

    /// The flag, or else the configured default.
    func isShown(_ settings: ConfigurationLayers) throws -> Bool {
        try showsSensitive || settings.isOn(.showSensitive)
    }
}
