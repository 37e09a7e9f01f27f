/// What must not be kept in the configuration file, which is not private: it is read by editors, copied to other machines
/// and committed to repositories.
enum SecretShape {
    /// Words of keys that secrets go by, without case, `-` and `_`.
    private static let words = [
        "token", "secret", "password", "passwd", "passphrase", "apikey", "privatekey", "credential", "pin", "bearer",
        "authorization",
    ]

    /// Whether a secret is what a key of this name would hold.
    static func isSecretName(_ name: String) -> Bool {
        let plain = name.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " && $0 != "." }
        return words.contains { $0 == "pin" ? plain == $0 : plain.contains($0) }
    }

    /// Whether the value is written as tokens and secrets are: those of Clover are UUIDs (app secrets, tokens of the
    /// legacy flow) or JWTs (RFC 7519), those of Square begin with `sq0` and a kind, or with `EAAA`.
    ///
    /// - Parameter key: ids of a few keys are UUIDs by right.
    static func looksSecret(_ value: String, for key: ConfigurationKey) -> Bool {
        let lowered = value.lowercased()
        if lowered.hasPrefix("bearer ") { return true }
        if value.hasPrefix("eyJ"), value.split(separator: ".", omittingEmptySubsequences: false).count >= 3 {
            return true
        }
        if ["sq0csp-", "sq0atp-", "clvroar-"].contains(where: lowered.hasPrefix) { return true }
        if value.hasPrefix("EAAA"), value.utf8.count >= 32 { return true }
        if hasUserInformation(value) { return true }
        return key != .payDisplayPosID && isUUID(lowered)
    }

    /// An address with a name or password in it (RFC 3986 section 3.2.1).
    private static func hasUserInformation(_ value: String) -> Bool {
        guard let mark = value.firstRange(of: "://") else { return false }
        return value[mark.upperBound...].prefix { $0 != "/" }.contains("@")
    }

    private static func isUUID(_ lowered: String) -> Bool {
        let groups = lowered.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && groups.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
    }
}
