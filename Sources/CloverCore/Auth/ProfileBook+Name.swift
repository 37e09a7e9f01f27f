import CloverAuth

extension ProfileBook {
    /// The name that a credential goes by, the first of several; nil without one.
    func name(of key: CredentialKey) async throws(CredentialError) -> String? {
        try await all().filter { $0.value == key }.keys.sorted().first
    }
}
