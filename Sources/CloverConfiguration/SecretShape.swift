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
    /// legacy flow) or JWTs (RFC 7519), those of Square begin with `sq0` and a kind, or with `EAAA`, and in its sandbox
    /// with `sandbox-` besides. A few that others give out, and that are easily pasted in their place, are known too.
    ///
    /// A program's line is looked at word by word, as its arguments may be secrets or be called so.
    static func looksSecret(_ value: String) -> Bool {
        if isSecretText(value) { return true }
        let words = value.split { $0.isWhitespace || $0 == "'" || $0 == "\"" }.map(String.init)
        guard words.count > 1 || value.contains("=") else { return false }
        return words.indices.contains { index in
            let word = words[index]
            // The value of a header: what follows is the token.
            if word.lowercased() == "bearer", index + 1 < words.count { return true }
            let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if halves.count == 2 { return isSecret(halves[1], calledBy: halves[0]) }
            let before = index > 0 && words[index - 1].hasPrefix("-") ? words[index - 1] : ""
            return isSecret(word, calledBy: before.contains("=") ? "" : before)
        }
    }

    /// - Parameter name: the option or variable whose value it is; empty for a word by itself.
    private static func isSecret(_ word: String, calledBy name: String) -> Bool {
        // The next option, or a variable that is read when the program starts.
        if word.isEmpty || word.hasPrefix("-") || word.hasPrefix("$") { return false }
        let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
        // Where a secret is kept is none, and neither is the id of a thing.
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

    /// What secrets of Clover, Stripe and GitHub begin with, in lower case. A publishable key (`pk_`) is none.
    private static let beginnings = [
        "clvroar-", "sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_", "ghp_", "gho_", "ghs_", "github_pat_",
    ]

    /// Of Square's names only those of applications are no secrets: `sq0idp-`, and `sandbox-sq0idb-`. Those of secrets are
    /// `sq0csp-` and `sq0csb-`, of access tokens `sq0atp-` and `sq0atb-`.
    private static func isSquareSecret(_ lowered: String) -> Bool {
        let name = lowered.hasPrefix("sandbox-") ? lowered.dropFirst("sandbox-".count) : lowered[...]
        return name.hasPrefix("sq0") && !name.hasPrefix("sq0id") && name.dropFirst(6).first == "-"
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
