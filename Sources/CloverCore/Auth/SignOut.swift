import CloverAPI
package import CloverAuth

/// `auth logout`: forgets a credential on this machine.
package struct SignOut: Sendable {
    package var choice: ConnectionChoice

    package init(choice: ConnectionChoice) {
        self.choice = choice
    }

    /// The credential that was removed. Throws `CoreError.notSignedIn` when there was none.
    package func run(in environment: CommandEnvironment) async throws -> CredentialKey {
        let choice = choice.completed(by: environment.variables)
        let service = try choice.environment.map { text throws(QueryError) in
            try ServiceEnvironment(parsing: text)
        }
        let store = try environment.credentialStore()
        guard let key = try await choice.key(service: service, in: store), try await store.remove(key) else {
            throw CoreError.notSignedIn(merchantID: choice.merchantID, environment: service?.name)
        }
        return key
    }
}
