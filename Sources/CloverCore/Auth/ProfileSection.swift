import CloverAPI
import CloverAuth
import CloverConfiguration

/// What the configuration file says about whose data a profile means.
struct ProfileSection {
    private let name: String
    private let document: ConfigurationDocument
    private let service: ServiceEnvironment?
    private let merchantID: String?
    private let appID: String?

    /// Nil when the file has no section of that name.
    init?(_ name: String, in environment: CommandEnvironment) throws {
        guard let document = try environment.configuration(), let section = document.profiles[name] else { return nil }
        self.name = name
        self.document = document
        service = try section[.environment].map { try ServiceEnvironment(parsing: $0.text) }
        merchantID = section[.merchant]?.text
        appID = section[.appID]?.text
    }

    /// The profiles that the file has.
    static func names(in environment: CommandEnvironment) throws -> [String] {
        try environment.configuration().map { Array($0.profiles.keys) } ?? []
    }

    /// Whether it tells one merchant's data from another's.
    var saysWho: Bool { service != nil || merchantID != nil }

    /// Whether this credential may be meant.
    func fits(_ key: CredentialKey) -> Bool { conflict(with: key) == nil }

    /// Throws `.otherSignIn` when the sign-in that goes by this name is another one than the file says: neither is
    /// guessed to be the right one.
    func check(_ key: CredentialKey) throws(ConfigurationError) {
        guard let wrong = conflict(with: key), let entry = document.profiles[name]?[wrong] else { return }
        throw .otherSignIn(
            profile: name, signedIn: "merchant \(key.merchantID) (\(key.environment))", key: wrong, value: entry.text,
            path: document.path, line: entry.line)
    }

    private func conflict(with key: CredentialKey) -> ConfigurationKey? {
        if let service, service.name != key.environment { return .environment }
        if let merchantID, merchantID != key.merchantID { return .merchant }
        // A merchant's own token belongs to no app.
        if let appID, let other = key.appID, appID != other { return .appID }
        return nil
    }
}
