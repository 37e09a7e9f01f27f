/// What a person may want to know while tokens are renewed.
package enum TokenNotice: Equatable, Sendable {
    /// Another process works on this credential; we wait for it.
    case waiting(CredentialKey)
    /// The tokens were renewed by this process.
    case refreshed(CredentialKey, generation: Int)
    /// The first answer was lost or could not be understood; one more try follows.
    case tryingAgain(CredentialKey, OAuthError.Unknown)
    /// The renewal failed, but the present token is still good for so many seconds and is used.
    case stillUsable(CredentialKey, secondsLeft: Double?, RefreshError)
}
