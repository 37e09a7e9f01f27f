import CloverHTTP

/// A credential as JSON, version 1:
/// `{"version":1,"environment":"us","merchantId":"...","appId":"...","kind":"oauth","accessToken":"...",
/// "refreshToken":"...","accessTokenExpires":1700000000,"refreshTokenExpires":1800000000,"createdAt":1600000000}`, and,
/// where known, `refreshedAt`, `employeeId`, `origin`, `generation`, `codeHash`, `serverTime`, `bootTime`, `bootId`,
/// and `formerItem`, a keyring item that is still to be removed. Absent values, the default origin and generation 0 are
/// omitted. Unknown fields are ignored.
///
/// For a credential in the keyring, this whole document is the keyring item. The file is then a pointer to it: the same
/// without the tokens, with `"keyring":true`, the `item`'s name and the `refreshTokenHash`.
package enum CredentialDocument {
    /// The content of a credential's file.
    enum Content {
        /// - formerItem: the keyring item that held former tokens and could not be removed yet; nil if there is none.
        case whole(Credential, formerItem: String?)
        case pointer(CredentialOutline)

        /// The keyring item that holds, or held, tokens of this credential.
        var item: String? {
            switch self {
            case .whole(_, let formerItem): formerItem
            case .pointer(let outline): outline.item
            }
        }
    }

    /// Checks that the tokens can be stored.
    package static func check(_ credential: Credential) throws(CredentialError) {
        guard Credential.isUsable(credential.accessToken) else { throw .unusableToken(field: "accessToken") }
        if let token = credential.refreshToken, !Credential.isUsable(token) {
            throw .unusableToken(field: "refreshToken")
        }
    }

    /// The whole document, for a store that keeps no keyring items.
    package static func bytes(of credential: Credential) throws(CredentialError) -> [UInt8] { try encode(credential) }

    /// Parses a whole document of `key`.
    ///
    /// - Parameter path: where it is, for errors only.
    package static func credential(
        from bytes: [UInt8], key: CredentialKey, path: String
    ) throws(CredentialError) -> Credential {
        guard case .whole(let credential, _) = try decode(bytes, key: key, path: path) else {
            throw .malformed(path: path, field: "keyring")
        }
        return credential
    }

    /// The whole document, ending in a newline.
    static func encode(_ credential: Credential, formerItem: String? = nil) throws(CredentialError) -> [UInt8] {
        try check(credential)
        var fields = Fields(describing: credential)
        fields.accessToken = credential.accessToken.exposed
        fields.refreshToken = credential.refreshToken?.exposed
        fields.formerItem = formerItem
        return try JSONDocument.encode(fields)
    }

    /// The pointer to a keyring item, ending in a newline.
    static func encodePointer(_ credential: Credential, item: String) throws(CredentialError) -> [UInt8] {
        var fields = Fields(describing: credential)
        fields.keyring = true
        fields.item = item
        fields.refreshTokenHash = credential.refreshToken.map { SecretHash.hexadecimal(of: $0) }
        return try JSONDocument.encode(fields)
    }

    /// Parses the file of `key`.
    ///
    /// - Parameter path: for errors only.
    static func decode(_ bytes: [UInt8], key: CredentialKey, path: String) throws(CredentialError) -> Content {
        let fields: Fields = try JSONDocument.decode(bytes, path: path)
        guard fields.environment == key.environment, fields.merchantId == key.merchantID, fields.appId == key.appID
        else { throw .otherKey(path: path) }
        guard let kind = Credential.Kind(rawValue: fields.kind) else { throw .malformed(path: path, field: "kind") }
        // An origin added by a later version does not affect the tokens.
        let origin = fields.origin.flatMap { Credential.Origin(rawValue: $0) }
        if fields.keyring == true {
            guard let item = fields.item, KeyringCredentials.isItemName(item) else {
                throw .malformed(path: path, field: "item")
            }
            return .pointer(
                CredentialOutline(
                    key: key, kind: kind, item: item, employeeID: fields.employeeId,
                    accessTokenExpires: fields.accessTokenExpires,
                    refreshTokenExpires: fields.refreshTokenExpires, createdAt: fields.createdAt,
                    refreshedAt: fields.refreshedAt, origin: origin ?? kind.usualOrigin,
                    generation: fields.generation ?? 0, refreshTokenHash: fields.refreshTokenHash))
        }
        guard let accessToken = fields.accessToken.map({ Secret($0) }), Credential.isUsable(accessToken) else {
            throw .malformed(path: path, field: "accessToken")
        }
        let refreshToken = fields.refreshToken.map { Secret($0) }
        if let refreshToken, !Credential.isUsable(refreshToken) {
            throw .malformed(path: path, field: "refreshToken")
        }
        let credential = Credential(
            key: key, kind: kind, accessToken: accessToken, refreshToken: refreshToken,
            accessTokenExpires: fields.accessTokenExpires, refreshTokenExpires: fields.refreshTokenExpires,
            createdAt: fields.createdAt, refreshedAt: fields.refreshedAt, employeeID: fields.employeeId,
            origin: origin, generation: fields.generation ?? 0, codeHash: fields.codeHash,
            serverTime: fields.serverTime, bootTime: fields.bootTime, bootID: fields.bootId)
        // A name that Clover does not generate is not an item to remove.
        return .whole(
            credential, formerItem: fields.formerItem.flatMap { KeyringCredentials.isItemName($0) ? $0 : nil })
    }

    fileprivate struct Fields: Codable {
        let environment: String
        let merchantId: String
        let appId: String?
        let kind: String
        var accessToken: String?
        var refreshToken: String?
        let accessTokenExpires: Int64?
        let refreshTokenExpires: Int64?
        let createdAt: Int64
        let refreshedAt: Int64?
        let employeeId: String?
        let origin: String?
        let generation: Int?
        let codeHash: String?
        let serverTime: Int64?
        let bootTime: Int64?
        let bootId: String?
        var keyring: Bool?
        var item: String?
        var refreshTokenHash: String?
        var formerItem: String?
    }
}

extension CredentialDocument.Fields {
    /// Everything but the tokens.
    init(describing credential: Credential) {
        self.init(
            environment: credential.key.environment, merchantId: credential.key.merchantID,
            appId: credential.key.appID, kind: credential.kind.rawValue,
            accessTokenExpires: credential.accessTokenExpires, refreshTokenExpires: credential.refreshTokenExpires,
            createdAt: credential.createdAt, refreshedAt: credential.refreshedAt, employeeId: credential.employeeID,
            origin: credential.origin == credential.kind.usualOrigin ? nil : credential.origin.rawValue,
            generation: credential.generation == 0 ? nil : credential.generation, codeHash: credential.codeHash,
            serverTime: credential.serverTime, bootTime: credential.bootTime, bootId: credential.bootID)
    }
}
