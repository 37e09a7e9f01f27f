import FoundationEssentials

/// Small versioned JSON files. Errors name the invalid field, never its value: Foundation's own error texts may quote
/// the content.
package enum JSONDocument {
    /// The present version of all documents; the number is in the field `version`.
    private static let version = 1

    private struct Version: Decodable {
        let version: Int
    }

    /// The version beside the fields of the value.
    private struct Versioned<Value: Encodable>: Encodable {
        let value: Value

        private enum CodingKeys: CodingKey {
            case version
        }

        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(JSONDocument.version, forKey: .version)
            try value.encode(to: encoder)
        }
    }

    /// One line of JSON with sorted keys and a newline.
    ///
    /// - Throws: `.notEncodable`, which does not happen for strings and integers.
    package static func encode(_ value: some Encodable) throws(CredentialError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(Versioned(value: value))) + [UInt8(ascii: "\n")]
        } catch {
            throw .notEncodable
        }
    }

    /// Parses a document of at most this version.
    ///
    /// The version is read first, by itself, because a newer document may differ in everything else.
    ///
    /// - Parameter path: for errors only.
    package static func decode<Value: Decodable>(_ bytes: [UInt8], path: String) throws(CredentialError) -> Value {
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
                default:
                    if case .dataCorrupted(let context) = error { context.codingPath.last?.stringValue } else { nil }
                }
            guard let field else { throw .notJSON(path: path) }
            throw .malformed(path: path, field: field)
        } catch {
            throw .notJSON(path: path)
        }
    }
}

/// In `current.json`, version 1: `{"version":1,"environment":"us","merchantId":"...","appId":"...","profile":"..."}`. It
/// contains no secret.
extension SignedIn: Codable {
    private enum CodingKeys: CodingKey {
        case profile
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        profile = try fields.decodeIfPresent(String.self, forKey: .profile)
        if let profile, !ProfileStore.isName(profile) {
            throw DecodingError.dataCorruptedError(forKey: .profile, in: fields, debugDescription: "not a name")
        }
        key = try CredentialKey(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        try key.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(profile, forKey: .profile)
    }
}
