/// Detects secrets, which must not be stored in the configuration file, because it is not private: editors open it, and
/// users copy it to other machines and commit it to repositories.
enum SecretShape {
    /// Words in the names of secret keys, in lower case, without `-` and `_`.
    private static let words = [
        "token", "secret", "password", "passwd", "passphrase", "apikey", "privatekey", "credential", "pin", "bearer",
        "authorization",
    ]

    /// Whether a key of this name would hold a secret.
    static func isSecretName(_ name: String) -> Bool {
        let plain = name.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " && $0 != "." }
        return words.contains { $0 == "pin" ? plain == $0 : plain.contains($0) }
    }

    /// Whether the value looks like a token or secret. Clover's are UUIDs (app secrets, tokens of the legacy flow) or
    /// JWTs (RFC 7519). Square's start with `sq0` and a kind, or with `EAAA`; in its sandbox they are also prefixed
    /// with `sandbox-`. A few formats of other services, whose secrets are easily pasted by mistake, are known too.
    ///
    /// A program's command line is checked word by word, because its arguments may be secrets or be named like one.
    static func looksSecret(_ value: String) -> Bool {
        if isSecretText(value) { return true }
        let words = value.split { $0.isWhitespace || $0 == "'" || $0 == "\"" }.map(String.init)
        guard words.count > 1 || value.contains("=") else { return false }
        return words.indices.contains { index in
            let word = words[index]
            // The value of a header: the next word is the token.
            if word.lowercased() == "bearer", index + 1 < words.count { return true }
            let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if halves.count == 2 { return isSecret(halves[1], calledBy: halves[0]) }
            let before = index > 0 && words[index - 1].hasPrefix("-") ? words[index - 1] : ""
            return isSecret(word, calledBy: before.contains("=") ? "" : before)
        }
    }

    /// - Parameter name: the option or variable that the value belongs to; empty for a separate word.
    private static func isSecret(_ word: String, calledBy name: String) -> Bool {
        // The next option, or a variable that is expanded when the program starts.
        if word.isEmpty || word.hasPrefix("-") || word.hasPrefix("$") { return false }
        let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
        // The location of a secret is not a secret, and neither is the ID of a device.
        if ["file", "path", "dir", "name", "env", "fd"].contains(where: plain.hasSuffix) { return false }
        if ["id", "device", "reader", "service"].contains(where: plain.hasSuffix), isUUID(word.lowercased()) {
            return false
        }
        return isSecretName(name) && !plain.isEmpty || isSecretText(word)
    }

    private static func isSecretText(_ value: String) -> Bool {
        let lowered = value.lowercased()
        if lowered.hasPrefix("bearer ") { return true }
        if value.hasPrefix("eyJ"), value.split(separator: ".", omittingEmptySubsequences: false).count >= 3 {
            return true
        }
        if beginnings.contains(where: lowered.hasPrefix) || isSquareSecret(lowered) { return true }
        if value.hasPrefix("EAAA"), value.utf8.count >= 32 { return true }
        if hasUserInformation(value) { return true }
        return isUUID(lowered)
    }

    /// Prefixes of secrets of Clover, Stripe and GitHub, in lower case. A publishable key (`pk_`) is not secret.
    private static let beginnings = [
        "clvroar-", "sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_", "ghp_", "gho_", "ghs_", "github_pat_",
    ]

    /// Of Square's prefixes, only those of applications are not secret: `sq0idp-` and `sandbox-sq0idb-`. Application
    /// secrets start with `sq0csp-` or `sq0csb-`, access tokens with `sq0atp-` or `sq0atb-`.
    private static func isSquareSecret(_ lowered: String) -> Bool {
        let name = lowered.hasPrefix("sandbox-") ? lowered.dropFirst("sandbox-".count) : lowered[...]
        return name.hasPrefix("sq0") && !name.hasPrefix("sq0id") && name.dropFirst(6).first == "-"
    }

    /// A URL that contains a user name or password (RFC 3986 section 3.2.1).
    private static func hasUserInformation(_ value: String) -> Bool {
        guard let mark = value.firstRange(of: "://") else { return false }
        return value[mark.upperBound...].prefix { $0 != "/" }.contains("@")
    }

    /// Whether the URL of a database contains a password (PostgreSQL: libpq, connection URIs).
    static func hasPassword(_ url: String) -> Bool {
        guard let mark = url.firstRange(of: "://") else { return false }
        let rest = url[mark.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        if let at = authority.lastIndex(of: "@"), authority[..<at].contains(":") { return true }
        // Names of settings can be percent-encoded too; no setting without a password needs that.
        let names = rest.drop { $0 != "?" }.dropFirst().split(separator: "&").map { $0.prefix { $0 != "=" } }
        return names.contains { $0.contains("%") || $0.lowercased().hasSuffix("password") }
    }

    private static func isUUID(_ lowered: String) -> Bool {
        let groups = lowered.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && groups.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
    }
}
