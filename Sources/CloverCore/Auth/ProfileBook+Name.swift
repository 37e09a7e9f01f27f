import CloverAuth

extension ProfileBook {
    /// The name that a credential goes by; nil without one. Of several it is the one that was chosen last, else the
    /// first.
    func name(of key: CredentialKey, preferring chosen: CurrentChoice? = nil) async throws(CredentialError) -> String? {
        let names = try await all().filter { $0.value == key }.keys.sorted()
        if let chosen, chosen.key == key, let name = chosen.profile, names.contains(name) { return name }
        return names.first
    }
}
