package import CloverHTTP

/// How to sign in to an object store, from the variables and files that AWS's own tools read (AWS CLI user guide:
/// configuration and credential file settings, environment variables).
///
/// Keys in the environment take precedence over those of a profile. Roles, single sign-on and the metadata of a machine are
/// not supported: `aws configure export-credentials` prints keys for the environment.
package struct ObjectStoreSettings: Sendable, Equatable {
    /// Nil without keys.
    private let keys: AWSSignature?
    private let profile: String
    /// URL of a service other than Amazon's; nil for Amazon's.
    package var endpoint: String?

    private static let defaultProfile = "default"
    private static let defaultRegion = "us-east-1"

    /// - Parameters:
    ///   - variables: the environment.
    ///   - home: the user's home directory; nil if there is none.
    ///   - read: the text of a file; nil where there is none.
    /// - Throws: `ObjectStoreError`, and what `read` throws.
    package init(
        variables: [String: String], home: String?, read: (_ path: String) throws -> String?
    ) throws {
        func variable(_ names: String...) -> String? {
            names.lazy.compactMap { variables[$0] }.first { !$0.isEmpty }
        }
        func file(_ name: String, _ usual: String) throws -> AWSFile {
            guard let path = variable(name) ?? home.map({ "\($0)/.aws/\(usual)" }) else { return AWSFile(parsing: "") }
            return AWSFile(parsing: try read(path) ?? "")
        }
        let config = try file("AWS_CONFIG_FILE", "config")
        let credentials = try file("AWS_SHARED_CREDENTIALS_FILE", "credentials")
        let named = variable("AWS_PROFILE")
        let profile = named ?? Self.defaultProfile
        let own = credentials.sections[profile]
        let settings =
            config.sections["profile \(profile)"] ?? (profile == Self.defaultProfile ? config.sections[profile] : nil)
        if let named, own == nil, settings == nil { throw ObjectStoreError.unknownProfile(named) }
        let merged = (settings ?? [:]).merging(own ?? [:]) { $1 }
        endpoint = variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") ?? merged["endpoint_url"]
        let region = variable("AWS_REGION", "AWS_DEFAULT_REGION") ?? merged["region"] ?? Self.defaultRegion
        if let key = variable("AWS_ACCESS_KEY_ID"), let secret = variable("AWS_SECRET_ACCESS_KEY") {
            keys = AWSSignature(
                accessKeyID: key, secretAccessKey: Secret(secret),
                sessionToken: variable("AWS_SESSION_TOKEN").map { Secret($0) }, region: region)
        } else if let key = merged["aws_access_key_id"], let secret = merged["aws_secret_access_key"] {
            keys = AWSSignature(
                accessKeyID: key, secretAccessKey: Secret(secret),
                sessionToken: merged["aws_session_token"].map { Secret($0) }, region: region)
        } else {
            keys = nil
        }
        self.profile = profile
        let isSafe = region.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains($0) }
        guard isSafe, !region.isEmpty else { throw ObjectStoreError.badRegion(region) }
    }

    /// - Throws: `.noCredentials`.
    package func signature() throws(ObjectStoreError) -> AWSSignature {
        guard let keys else { throw .noCredentials(profile: profile) }
        return keys
    }
}

/// A configuration file of AWS's tools: sections in brackets with `name = value`. Indented lines belong to nested settings,
/// which are not used.
struct AWSFile: Sendable {
    private(set) var sections: [String: [String: String]] = [:]

    init(parsing text: String) {
        var section: String?
        for line in text.split(whereSeparator: \.isNewline) {
            guard let first = line.first, !first.isWhitespace, first != "#", first != ";" else { continue }
            if first == "[" {
                let name = line.dropFirst().prefix { $0 != "]" }
                section = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                if let section, sections[section] == nil { sections[section] = [:] }
            } else if let section, let equals = line.firstIndex(of: "=") {
                sections[section]?[Self.trimmed(line[..<equals]).lowercased()] =
                    Self.trimmed(line[line.index(after: equals)...])
            }
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        var rest = text.drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
