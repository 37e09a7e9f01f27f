import CloverHTTP
import FoundationEssentials

/// A credential as JSON, version 1:
/// `{"version":1,"environment":"us","merchantId":"...","appId":"...","kind":"oauth","accessToken":"...",
/// "refreshToken":"...","accessTokenExpires":1700000000,"refreshTokenExpires":1800000000,"createdAt":1600000000}`, and,
/// where known, `refreshedAt`, `employeeId`, `origin`, `generation`, `codeHash`, `serverTime`, `bootTime`, `bootId`,
/// and `formerItem`, a keyring item that is still to be removed. Absent values, the default origin and generation 0 are
/// omitted. Unknown fields are ignored.
///
/// For a credential in the keyring, this whole document is the keyring item. The file is then a pointer to it: the same
/// without the tokens, with `"keyring":true`, the `item`'s name and the `refreshTokenHash`.
enum CredentialDocument {
    static let version = 1

    /// The content of a credential's file.
    enum Content {
        /// - formerItem: the keyring item that held former tokens and could not be removed yet; nil if there is none.
        case whole(Credential, formerItem: String?)
        case pointer(CredentialPointer)
    }

    /// Checks that the tokens can be stored.
    static func check(_ credential: Credential) throws(CredentialError) {
        guard Credential.isUsable(credential.accessToken) else { throw .unusableToken(field: "accessToken") }
        if let token = credential.refreshToken, !Credential.isUsable(token) {
            throw .unusableToken(field: "refreshToken")
        }
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
        let fields: Fields = try JSONDocument.decode(bytes, version: version, path: path)
        guard fields.environment == key.environment, fields.merchantId == key.merchantID, fields.appId == key.appID
        else { throw .otherKey(path: path) }
        guard let kind = Credential.Kind(rawValue: fields.kind) else { throw .malformed(path: path, field: "kind") }
        // An origin added by a later version does not affect the tokens.
        let origin = fields.origin.flatMap { Credential.Origin(rawValue: $0) }
        if fields.keyring == true {
            guard let item = fields.item, CredentialPointer.isItemName(item) else {
                throw .malformed(path: path, field: "item")
            }
            return .pointer(
                CredentialPointer(
                    item: item, kind: kind, employeeID: fields.employeeId,
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
            credential, formerItem: fields.formerItem.flatMap { CredentialPointer.isItemName($0) ? $0 : nil })
    }

    private struct Fields: Codable {
        let version: Int
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

        /// Everything but the tokens.
        init(describing credential: Credential) {
            version = CredentialDocument.version
            environment = credential.key.environment
            merchantId = credential.key.merchantID
            appId = credential.key.appID
            kind = credential.kind.rawValue
            accessTokenExpires = credential.accessTokenExpires
            refreshTokenExpires = credential.refreshTokenExpires
            createdAt = credential.createdAt
            refreshedAt = credential.refreshedAt
            employeeId = credential.employeeID
            origin = credential.origin == credential.kind.usualOrigin ? nil : credential.origin.rawValue
            generation = credential.generation == 0 ? nil : credential.generation
            codeHash = credential.codeHash
            serverTime = credential.serverTime
            bootTime = credential.bootTime
            bootId = credential.bootID
        }
    }
}

/// Small versioned JSON files. Errors name the invalid field, never its value: Foundation's own error texts may quote
/// the content.
enum JSONDocument {
    private struct Version: Decodable {
        let version: Int
    }

    /// One line of JSON with sorted keys and a newline.
    ///
    /// - Throws: `.notEncodable`, which does not happen for strings and integers.
    static func encode(_ value: some Encodable) throws(CredentialError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
        } catch {
            throw .notEncodable
        }
    }

    /// Parses a document of at most this version.
    ///
    /// The version is read first, by itself, because a newer document may differ in everything else.
    ///
    /// - Parameter path: for errors only.
    static func decode<Value: Decodable>(
        _ bytes: [UInt8], version: Int, path: String
    ) throws(CredentialError) -> Value {
        let found = try read(Version.self, bytes, path: path).version
        if found > version { throw .newerVersion(path: path, found: found, supported: version) }
        if found < 1 { throw .malformed(path: path, field: "version") }
        return try read(Value.self, bytes, path: path)
    }

    private static func read<Value: Decodable>(
        _ type: Value.Type, _ bytes: [UInt8], path: String
    ) throws(CredentialError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            let field: String? =
                switch error {
                case .keyNotFound(let key, _): key.stringValue
                case .typeMismatch(_, let context), .valueNotFound(_, let context): context.codingPath.last?.stringValue
                default: nil
                }
            guard let field else { throw .notJSON(path: path) }
            throw .malformed(path: path, field: field)
        } catch {
            throw .notJSON(path: path)
        }
    }
}

/// The current credential as JSON, version 1: `{"version":1,"environment":"us","merchantId":"...","appId":"...",
/// "profile":"..."}`. It contains no secret.
enum CurrentKeyDocument {
    static let version = 1

    /// The file's bytes, ending in a newline.
    static func encode(_ choice: ActiveCredential) throws(CredentialError) -> [UInt8] {
        try JSONDocument.encode(
            Fields(
                version: version, environment: choice.key.environment, merchantId: choice.key.merchantID,
                appId: choice.key.appID, profile: choice.profile))
    }

    /// Parses the file.
    ///
    /// - Parameter path: for errors only.
    static func decode(_ bytes: [UInt8], path: String) throws(CredentialError) -> ActiveCredential {
        let fields: Fields = try JSONDocument.decode(bytes, version: version, path: path)
        if let profile = fields.profile, !ProfileStore.isName(profile) {
            throw .malformed(path: path, field: "profile")
        }
        let key = try CredentialKey(
            stored: fields.environment, merchantID: fields.merchantId, appID: fields.appId, path: path)
        return ActiveCredential(key: key, profile: fields.profile)
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
    /// A key read from a file; errors name the invalid field.
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
