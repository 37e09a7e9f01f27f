import FoundationEssentials

/// Small JSON files of ours that carry a version. Errors name the field that is wrong, never its value: Foundation's
/// own error texts may quote the content.
enum JSONDocument {
    private struct Version: Decodable {
        let version: Int
    }

    /// One line of JSON with sorted keys and a line break.
    ///
    /// - Throws: `.notEncodable`, which strings and whole numbers give no reason for.
    static func encode(_ value: some Encodable) throws(CredentialError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
        } catch {
            throw .notEncodable
        }
    }

    /// Reads a document of at most this version.
    ///
    /// The version is read by itself first, because a newer document may differ in everything else.
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
