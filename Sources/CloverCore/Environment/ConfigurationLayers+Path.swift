import CloverConfiguration
import CloverStorage

extension ConfigurationLayers {
    /// A path that somebody set; `~` in it is the home that `HOME` names, or without one the user database.
    func path(_ key: ConfigurationKey) throws(ConfigurationError) -> String? {
        guard let text = try value(of: key)?.text else { return nil }
        guard text.hasPrefix("~/") else { return text }
        do throws(StorageError) {
            return try UserDirectory.inHome(String(text.dropFirst(2)), in: variables)
        } catch {
            throw .storage(error)
        }
    }
}
