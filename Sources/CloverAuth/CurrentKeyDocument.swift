import FoundationEssentials

/// The choice of a credential as JSON, version 1: `{"version":1,"environment":"us","merchantId":"...","appId":"..."}`.
/// It holds no secret.
enum CurrentKeyDocument {
    static let version = 1

    /// The file's bytes, ending in a line break.
    static func encode(_ key: CredentialKey) throws(CredentialError) -> [UInt8] {
        try JSONDocument.encode(
            Fields(version: version, environment: key.environment, merchantId: key.merchantID, appId: key.appID))
    }

    /// Reads the file.
    ///
    /// - Parameter path: for errors only.
    static func decode(_ bytes: [UInt8], path: String) throws(CredentialError) -> CredentialKey {
        let fields: Fields = try JSONDocument.decode(bytes, version: version, path: path)
        do {
            return try CredentialKey(
                environment: fields.environment, merchantID: fields.merchantId, appID: fields.appId)
        } catch {
            switch error {
            case .invalidMerchant: throw .malformed(path: path, field: "merchantId")
            case .invalidApp: throw .malformed(path: path, field: "appId")
            default: throw .malformed(path: path, field: "environment")
            }
        }
    }

    private struct Fields: Codable {
        let version: Int
        let environment: String
        let merchantId: String
        let appId: String?
    }
}
