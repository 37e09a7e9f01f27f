import CloverAuth

/// What happened to tokens on the way, in words.
enum TokenNoticeText {
    /// What the user should know; nil for what only `--verbose` shows.
    ///
    /// - Parameter profile: the name of the sign-in, where it is known.
    static func problem(_ notice: TokenNotice, profile: String?) -> String? {
        switch notice {
        case .waiting, .refreshed, .asking, .asked: nil
        case .finishing(_, let seconds):
            "stopping: the tokens are being renewed, and the answer is waited for, \(Int(seconds)) s at most"
        case .brokenOff:
            "stopped while the tokens were being renewed; the next command finds out whether a new sign-in is needed"
        case .tryingAgain(_, .status(let status, _)):
            "the service failed (\(status)) when it was asked for new tokens; trying once more"
        case .tryingAgain: "the answer with the new tokens was lost or not understood; trying once more"
        case .stillUsable(_, let seconds, let error):
            "the tokens could not be renewed (\(error)); the present one is used"
                + (seconds.map { ", which is good for \(Int($0)) s more" } ?? "")
        case .lastToken(let key, let until, let error):
            "the tokens of merchant \(key.merchantID) (\(key.environment)) could not be renewed: \(error); the present one is "
                + "used, which works "
                + (until.map { "until \(InstantText.utc(seconds: $0))" } ?? "as long as the service takes it")
                + "; for another one sign in again: " + signIn(key, profile: profile)
        case .notRenewableAgain(let key, let until):
            "the tokens of merchant \(key.merchantID) (\(key.environment)) were renewed for the last time: the service gave nothing "
                + "to renew them with again; they work "
                + (until.map { "until \(InstantText.utc(seconds: $0))" } ?? "to their end")
                + ", then sign in again: " + signIn(key, profile: profile)
        case .endedAlready(let key, let end):
            "the new access token of merchant \(key.merchantID) (\(key.environment)) " + ended(at: end)
                + "; it is used as it is, and not renewed again for a minute"
        case .keptInFile(let key, let error, let leftover):
            keptInFile("the new tokens of merchant \(key.merchantID) (\(key.environment))", error, leftover: leftover)
        }
    }

    /// That a token had ended when it came.
    private static func ended(at end: Int64?) -> String {
        "had ended when the service issued it" + (end.map { " (\(InstantText.utc(seconds: $0)))" } ?? "")
            + ", so the service's clock or its expirations are wrong"
    }

    /// What is missing in the tokens of a new sign-in; nil where they are complete.
    static func shortcoming(of credential: Credential, profile: String?) -> String? {
        var parts: [String] = []
        if credential.refreshToken == nil {
            parts.append(
                "the service gave no refresh token, so this sign-in works "
                    + (credential.accessTokenExpires.map { "until \(InstantText.utc(seconds: $0))" } ?? "to its end")
                    + "; then sign in again: " + signIn(credential.key, profile: profile))
        }
        if let end = credential.accessTokenExpires, end <= credential.serverTime ?? credential.createdAt {
            parts.append("the access token " + ended(at: end))
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private static func signIn(_ key: CredentialKey, profile: String?) -> String {
        "clover auth login"
            + (profile.map { " --profile \($0)" }
                ?? " --environment \(key.environment) --merchant \(key.merchantID)"
                + (key.appID.map { " --app-id \($0)" } ?? ""))
    }

    /// That the keyring did not take tokens which are nowhere else, where they are now, and how they get back.
    static func keptInFile(_ tokens: String, _ error: SecretVaultError, leftover: CredentialError?) -> String {
        var text =
            "\(error), so \(tokens) are kept in a file that only you can read; when the keyring can be used, "
            + "'clover auth login --keyring' puts tokens there again"
        if case .leftInKeyring(_, let item, _) = leftover {
            text += "; the former tokens are still in the keyring: " + CredentialError.laterRemoval(of: item)
        }
        return text
    }

    /// What `--verbose` shows.
    static func detail(_ notice: TokenNotice) -> String? {
        switch notice {
        case .waiting(let key):
            "another process works on the tokens of merchant \(key.merchantID) (\(key.environment)); waiting for it"
        case .refreshed(let key, _): "renewed the tokens of merchant \(key.merchantID) (\(key.environment))"
        case .tryingAgain, .stillUsable, .lastToken, .notRenewableAgain, .endedAlready, .keptInFile, .asking, .asked,
            .finishing,
            .brokenOff:
            nil
        }
    }
}
