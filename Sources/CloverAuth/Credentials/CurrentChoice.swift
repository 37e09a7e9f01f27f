/// The credential that commands use when nothing else is said, and how it was chosen.
package struct CurrentChoice: Equatable, Sendable {
    package let key: CredentialKey
    /// The profile that was chosen; nil when the credential itself was.
    package let profile: String?

    /// Puts the two together.
    package init(key: CredentialKey, profile: String? = nil) {
        self.key = key
        self.profile = profile
    }
}
