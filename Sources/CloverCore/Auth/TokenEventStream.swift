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
        let isAll = choice.profile == nil && choice.merchantID == nil && choice.environment == nil
        var keys: Set<CredentialKey>?
        if !isAll {
            guard let key = try await choice.key(in: environment) else {
                throw CoreError.notSignedIn(choice.completed(by: environment.variables))
            }
            keys = [key]
        }
        let watch = TokenWatch(state: try environment.stateDirectory())
        for try await event in try await watch.events(of: keys) {
            try Task.checkCancellation()
            try await onEvent(Event(event: event, profile: try await environment.profiles().name(of: event.key)))
        }
        // A cancelled task ends the events without an error.
        try Task.checkCancellation()
    }
}
