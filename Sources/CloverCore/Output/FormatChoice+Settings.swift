package import CloverConfiguration
package import CloverRecords

extension FormatChoice.Habits {
    /// What variables and the configuration file say about printing.
    package init(_ settings: ConfigurationLayers) throws(ConfigurationError) {
        self.init()
        money = try settings.value(of: .money).flatMap { FormatChoice.Money(rawValue: $0.text) }
        times = try settings.value(of: .times).flatMap { FormatChoice.Times(rawValue: $0.text) }
        zone = try settings.value(of: .zone).map { FormatChoice.Zone(parsing: $0.text) }
        hasHeader = try !settings.isOn(.noHeader)
        isSpreadsheetSafe = try settings.isOn(.spreadsheetSafe)
    }
}
