import CloverHTTP
import FoundationEssentials

/// A credential as JSON, version 1:
/// `{"version":1,"environment":"us","merchantId":"...","appId":"...","kind":"oauth","accessToken":"...",
/// "refreshToken":"...","accessTokenExpires":1700000000,"refreshTokenExpires":1800000000,"createdAt":1600000000}`.
/// Absent values are left out. Fields that are not known are passed over.
enum CredentialDocument {
    static let version = 1

    /// The file's bytes, ending in a line break.
    static func encode(_ credential: Credential) throws(CredentialError) -> [UInt8] {
        guard Credential.isUsable(credential.accessToken) else { throw .unusableToken(field: "accessToken") }
        if let token = credential.refreshToken, !Credential.isUsable(token) {
            throw .unusableToken(field: "refreshToken")
        }
        return try JSONDocument.encode(
            Fields(
                version: version, environment: credential.key.environment, merchantId: credential.key.merchantID,
                appId: credential.key.appID, kind: credential.kind.rawValue,
                accessToken: credential.accessToken.exposed, refreshToken: credential.refreshToken?.exposed,
                accessTokenExpires: credential.accessTokenExpires,
                refreshTokenExpires: credential.refreshTokenExpires, createdAt: credential.createdAt))
    }

    /// Reads the file of `key`.
    ///
    /// - Parameter path: for errors only.
    static func decode(_ bytes: [UInt8], key: CredentialKey, path: String) throws(CredentialError) -> Credential {
        let fields: Fields = try JSONDocument.decode(bytes, version: version, path: path)
        guard fields.environment == key.environment, fields.merchantId == key.merchantID, fields.appId == key.appID
        else { throw .otherKey(path: path) }
        guard let kind = Credential.Kind(rawValue: fields.kind) else { throw .malformed(path: path, field: "kind") }
        let credential = Credential(
            key: key, kind: kind, accessToken: Secret(fields.accessToken),
            refreshToken: fields.refreshToken.map { Secret($0) }, accessTokenExpires: fields.accessTokenExpires,
            refreshTokenExpires: fields.refreshTokenExpires, createdAt: fields.createdAt)
        guard Credential.isUsable(credential.accessToken) else { throw .malformed(path: path, field: "accessToken") }
        if let token = credential.refreshToken, !Credential.isUsable(token) {
            throw .malformed(path: path, field: "refreshToken")
        }
        return credential
    }

    private struct Fields: Codable {
        let version: Int
        let environment: String
        let merchantId: String
        let appId: String?
        let kind: String
        let accessToken: String
        let refreshToken: String?
        let accessTokenExpires: Int64?
        let refreshTokenExpires: Int64?
        let createdAt: Int64
    }
}
