import CloverAuth

extension CoreError {
    /// The error with the name that the credential goes by. Names that cannot be read are left out of it.
    static func tokens(
        _ error: RefreshError, of key: CredentialKey, in environment: CommandEnvironment
    ) async -> CoreError {
        var profile: String?
        do {
            profile = try await environment.profiles().name(of: key)
        } catch {
            environment.diagnostics.detail("\(error)")
        }
        return .tokens(error, SignedIn(key: key, profile: profile))
    }
}
