import CloverAPI
package import CloverAuth

/// `auth watch`: what happens to tokens on this machine, whichever process does it.
package struct TokenEventStream: Sendable {
    package var choice: ConnectionChoice

    package init(choice: ConnectionChoice) {
        self.choice = choice
    }

    /// An event with the name that its credential goes by.
    package struct Event: Sendable {
        package let event: TokenEvent
        package let profile: String?
    }

    /// Calls `onEvent` for each event, one after the other, until cancelled. Without a profile, merchant or environment
    /// it watches all credentials.
    package func run(
        in environment: CommandEnvironment, onEvent: (Event) async throws -> Void
    ) async throws {
        let service = try choice.service()
        let profiles = try environment.profiles()
        if let name = choice.profile, !ProfileBook.isName(name) { throw CoreError.malformedProfile(name) }
        // A profile may be there later, and a credential may go after its name, so both are remembered.
        var named: CredentialKey?
        if let name = choice.profile { named = try await profiles.key(named: name) }
        if let name = choice.profile, named == nil {
            let known = try await profiles.all().keys.sorted().joined(separator: ", ")
            environment.diagnostics.notice(
                "no sign-in goes by the name '\(name)' yet; waiting for one"
                    + (known.isEmpty ? "" : " (there are: \(known))"))
        }
        var names: [CredentialKey: String] = [:]
        for (name, key) in try await profiles.all() { names[key] = min(name, names[key] ?? name) }
        let watch = TokenWatch(state: try environment.stateDirectory())
        for try await event in try await watch.events(of: nil) {
            try Task.checkCancellation()
            guard service == nil || event.key.environment == service?.name,
                choice.merchantID == nil || event.key.merchantID == choice.merchantID
            else { continue }
            // A name goes before its credential.
            var profile = try await profiles.name(of: event.key) ?? names[event.key]
            names[event.key] = profile
            if let name = choice.profile {
                if let key = try await profiles.key(named: name) { named = key }
                guard named == event.key else { continue }
                profile = name
            }
            try await onEvent(Event(event: event, profile: profile))
        }
        // A cancelled task ends the events without an error.
        try Task.checkCancellation()
    }
}
