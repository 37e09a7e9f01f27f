import CloverAuth

/// `auth switch`: chooses the credential that commands use when nothing else is said.
package struct SignInSwitch: Sendable {
    /// A profile's name or a merchant's id; nil takes what the choice says.
    package var name: String?
    package var choice: ConnectionChoice

    package init(name: String?, choice: ConnectionChoice) {
        self.name = name
        self.choice = choice
    }

    package func run(in environment: CommandEnvironment) async throws -> SignedIn {
        let chosen = try await chosen(in: environment)
        try await environment.credentialStore().setCurrentChoice(
            CurrentChoice(key: chosen.key, profile: chosen.profile))
        environment.noteOverridingToken()
        try environment.noteOverridingConfiguration(chosen.key, profile: chosen.profile)
        return chosen
    }

    /// The sign-in that is meant. Nothing is changed.
    func chosen(in environment: CommandEnvironment) async throws -> SignedIn {
        var choice = choice
        if let name {
            let isProfile = try await environment.profiles().key(named: name) != nil
            if isProfile {
                choice.profile = name
            } else {
                choice.merchantID = name
            }
        }
        let store = try environment.credentialStore()
        guard let key = try await choice.key(in: environment, takesCurrent: false), try await store.keys().contains(key)
        else {
            if let name, choice.profile == nil {
                throw CoreError.unknownProfile(name, known: try await environment.profiles().all().keys.sorted())
            }
            throw CoreError.notSignedIn(choice)
        }
        var profile = choice.profile
        if profile == nil { profile = try await environment.profiles().name(of: key) }
        return SignedIn(key: key, profile: profile)
    }
}
