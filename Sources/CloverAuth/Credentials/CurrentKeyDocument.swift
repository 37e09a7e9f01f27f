import FoundationEssentials

/// The choice of a credential as JSON, version 1: `{"version":1,"environment":"us","merchantId":"...","appId":"...",
/// "profile":"..."}`. It holds no secret.
enum CurrentKeyDocument {
    static let version = 1

    /// The file's bytes, ending in a line break.
    static func encode(_ choice: CurrentChoice) throws(CredentialError) -> [UInt8] {
        try JSONDocument.encode(
            Fields(
                version: version, environment: choice.key.environment, merchantId: choice.key.merchantID,
                appId: choice.key.appID, profile: choice.profile))
    }

    /// Reads the file.
    ///
    /// - Parameter path: for errors only.
    static func decode(_ bytes: [UInt8], path: String) throws(CredentialError) -> CurrentChoice {
        let fields: Fields = try JSONDocument.decode(bytes, version: version, path: path)
        if let profile = fields.profile, !ProfileBook.isName(profile) {
            throw .malformed(path: path, field: "profile")
        }
        let key = try CredentialKey(
            stored: fields.environment, merchantID: fields.merchantId, appID: fields.appId, path: path)
        return CurrentChoice(key: key, profile: fields.profile)
    }

    private struct Fields: Codable {
        let version: Int
        let environment: String
        let merchantId: String
        let appId: String?
        let profile: String?
    }
}

extension CredentialKey {
    /// A key out of a file of ours: what is wrong with it is named by the field.
    init(stored environment: String, merchantID: String, appID: String?, path: String) throws(CredentialError) {
        do {
            try self.init(environment: environment, merchantID: merchantID, appID: appID)
        } catch {
            switch error {
            case .invalidMerchant: throw .malformed(path: path, field: "merchantId")
            case .invalidApp: throw .malformed(path: path, field: "appId")
            default: throw .malformed(path: path, field: "environment")
            }
        }
    }
}
