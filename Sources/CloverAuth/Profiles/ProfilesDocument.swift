import FoundationEssentials

/// Profiles as JSON, version 1: `{"version":1,"profiles":{"downtown":{"environment":"us","merchantId":"...",
/// "appId":"..."}}}`. It holds no secret.
enum ProfilesDocument {
    static let version = 1

    /// The file's bytes, ending in a line break.
    static func encode(_ profiles: [String: CredentialKey]) throws(CredentialError) -> [UInt8] {
        try JSONDocument.encode(
            Fields(
                version: version,
                profiles: profiles.mapValues {
                    Profile(environment: $0.environment, merchantId: $0.merchantID, appId: $0.appID)
                }))
    }

    /// Reads the file.
    ///
    /// - Parameter path: for errors only.
    static func decode(_ bytes: [UInt8], path: String) throws(CredentialError) -> [String: CredentialKey] {
        let fields: Fields = try JSONDocument.decode(bytes, version: version, path: path)
        var profiles: [String: CredentialKey] = [:]
        for (name, profile) in fields.profiles {
            guard ProfileBook.isName(name) else { throw .malformed(path: path, field: "profiles") }
            profiles[name] = try CredentialKey(
                stored: profile.environment, merchantID: profile.merchantId, appID: profile.appId, path: path)
        }
        return profiles
    }

    private struct Fields: Codable {
        let version: Int
        let profiles: [String: Profile]
    }

    private struct Profile: Codable {
        let environment: String
        let merchantId: String
        let appId: String?
    }
}
