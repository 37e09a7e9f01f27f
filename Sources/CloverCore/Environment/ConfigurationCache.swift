import CloverConfiguration
import Synchronization

/// What the configuration file said when it was first looked at: one run goes by one state of it.
final class ConfigurationCache: Sendable {
    /// The outer nil is a file that was not looked at yet.
    private let document = Mutex<ConfigurationDocument??>(nil)

    /// The document, read by `read` the first time.
    func document(
        _ read: () throws(ConfigurationError) -> ConfigurationDocument?
    ) throws(ConfigurationError) -> ConfigurationDocument? {
        if let known = document.withLock({ $0 }) { return known }
        let found = try read()
        document.withLock { $0 = .some(found) }
        return found
    }
}
