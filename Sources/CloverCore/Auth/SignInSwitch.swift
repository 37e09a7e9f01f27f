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
        try await store.setCurrentChoice(CurrentChoice(key: key, profile: profile))
        environment.noteOverridingToken()
        try environment.noteOverridingConfiguration(key, profile: profile)
        return SignedIn(key: key, profile: profile)
    }
}
