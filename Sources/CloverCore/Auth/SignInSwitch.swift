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
        let chosen = try await chosen(among: KeptSignIns.read(in: environment), in: environment)
        try await environment.credentialStore().setCurrentChoice(
            CurrentChoice(key: chosen.key, profile: chosen.profile))
        environment.noteOverridingToken()
        try environment.noteOverridingConfiguration(chosen.key, profile: chosen.profile)
        return chosen
    }

    /// The sign-in that is meant. Nothing is changed.
    func chosen(among kept: KeptSignIns, in environment: CommandEnvironment) async throws -> SignedIn {
        var choice = choice
        if let name {
            if try kept.key(named: name) != nil {
                choice.profile = name
            } else {
                choice.merchantID = name
            }
        }
        guard let key = try await choice.key(in: environment, takesCurrent: false, among: kept), kept.keys.contains(key)
        else {
            if let name, choice.profile == nil {
                throw CoreError.unknownProfile(name, known: kept.profiles.keys.sorted())
            }
            throw CoreError.notSignedIn(choice)
        }
        return SignedIn(key: key, profile: choice.profile ?? kept.name(of: key))
    }
}
