/// What a person may want to know while tokens are renewed.
package enum TokenNotice: Equatable, Sendable {
    /// Another process works on this credential; we wait for it.
    case waiting(CredentialKey)
    /// The service is being asked for new tokens: from here on the present ones may be spent.
    case asking(CredentialKey)
    /// Asking has ended, one way or the other, and the new tokens, if there are any, are kept.
    case asked(CredentialKey)
    /// The task was cancelled while the service is asked; its answer is waited for all the same, for so many seconds.
    case finishing(CredentialKey, seconds: Double)
    /// The answer did not come in that time: the tokens may be good or spent.
    case brokenOff(CredentialKey)
    /// The tokens were renewed by this process.
    case refreshed(CredentialKey, generation: Int)
    /// The first answer was lost or could not be understood; one more try follows.
    case tryingAgain(CredentialKey, OAuthError.Unknown)
    /// The renewal failed, but the present token is still good for so many seconds and is used.
    case stillUsable(CredentialKey, secondsLeft: Double?, RefreshError)
    /// The service refused to renew the tokens, now or earlier. The present one is used until it ends, in seconds since 1970
    /// by the service's clock; then a new sign-in is needed.
    case lastToken(CredentialKey, until: Int64?, RefreshError)
    /// The tokens were renewed, and the answer brought nothing to renew them with again. They are used until they end, in seconds
    /// since 1970 by the service's clock; then a new sign-in is needed.
    case notRenewableAgain(CredentialKey, until: Int64?)
    /// The tokens were renewed, and the new access token had ended when it was issued, in seconds since 1970 by the service's
    /// clock. It is used as it is, and the next renewal waits.
    case endedAlready(CredentialKey, at: Int64?)
    /// The keyring did not take the new tokens, so they are in a file now.
    ///
    /// - leftover: why the spent ones are still in the keyring; nil when they are not.
    case keptInFile(CredentialKey, SecretVaultError, leftover: CredentialError?)
}
