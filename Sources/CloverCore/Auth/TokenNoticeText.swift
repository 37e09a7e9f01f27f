package import CloverAuth

/// The texts of notices about tokens.
package enum TokenNoticeText {
    /// The notice for the user; nil if only `--verbose` shows it.
    ///
    /// - Parameter profile: the sign-in's name, if known.
    static func problem(_ notice: TokenNotice, profile: String?) -> String? {
        switch notice {
        case .waiting, .refreshed, .asking, .asked: nil
        case .finishing(_, let seconds):
            "stopping: the tokens are being renewed; waiting up to \(Int(seconds)) s for the response"
        case .brokenOff:
            "stopped while renewing the tokens; the next command finds out whether a new sign-in is needed"
        case .tryingAgain(_, .status(let status, _)):
            "the service failed to renew the tokens (status \(status)); trying once more"
        case .tryingAgain: "the response with the new tokens was lost or not understood; trying once more"
        case .stillUsable(let key, let seconds, let error):
            "cannot renew the tokens of \(key.words): \(error); using the current one"
                + (seconds.map { ", which is valid for \(Int($0)) s more" } ?? "")
        case .lastToken(let key, let until, let error):
            "cannot renew the tokens of \(key.words): \(error); using the current one, "
                + "which works "
                + (until.map { "until \(InstantText.utc(seconds: $0))" } ?? "as long as the service accepts it")
                + "; to get a new one, sign in again: " + signIn(key, profile: profile)
        case .notRenewableAgain(let key, let until):
            "the tokens of \(key.words) were renewed for the last time: the service returned no "
                + "new refresh token; they work "
                + (until.map { "until \(InstantText.utc(seconds: $0))" } ?? "until they expire")
                + ", then sign in again: " + signIn(key, profile: profile)
        case .endedAlready(let key, let end):
            "the new access token of \(key.words) " + ended(at: end)
                + "; it is used anyway, and not renewed again for a minute"
        case .keptInFile(let key, let error, let leftover):
            keptInFile("the new tokens of \(key.words)", error, leftover: leftover)
        }
    }

    /// States that a token had expired when it was issued.
    private static func ended(at end: Int64?) -> String {
        "had expired when the service issued it" + (end.map { " (\(InstantText.utc(seconds: $0)))" } ?? "")
            + ", so the service's clock or its expirations are wrong"
    }

    /// States what is missing from the tokens of a new sign-in; nil if they are complete.
    package static func shortcoming(of credential: Credential, profile: String?) -> String? {
        var parts: [String] = []
        let issued = credential.serverTime ?? credential.createdAt
        let reason: String? =
            if credential.refreshToken == nil {
                "the service returned no refresh token"
            } else if let end = credential.refreshTokenExpires, end <= issued {
                "the refresh token had expired when the service issued it (\(InstantText.utc(seconds: end)))"
            } else {
                nil
            }
        if let reason {
            parts.append(
                "\(reason), so this sign-in works "
                    + "until " + (credential.accessTokenExpires.map { InstantText.utc(seconds: $0) } ?? "it expires")
                    + "; then sign in again: " + signIn(credential.key, profile: profile))
        }
        if let end = credential.accessTokenExpires, end <= issued {
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

    /// States that the keyring refused tokens of which there is no other copy, that they are in a file instead, and how to
    /// move back to the keyring.
    package static func keptInFile(_ tokens: String, _ error: SecretVaultError, leftover: CredentialError?) -> String {
        var text =
            "\(error), so \(tokens) are kept in a file that only you can read; to use the keyring again when it works, "
            + "run 'clover auth login --keyring'"
        if case .leftInKeyring(_, let item, _) = leftover {
            text += "; the old tokens are still in the keyring: " + CredentialError.laterRemoval(of: item)
        }
        return text
    }

    /// The notice that `--verbose` shows; nil if there is none.
    static func detail(_ notice: TokenNotice) -> String? {
        switch notice {
        case .waiting(let key):
            "another process is using the tokens of \(key.words); waiting for it"
        case .refreshed(let key, _): "renewed the tokens of \(key.words)"
        default: nil
        }
    }
}
