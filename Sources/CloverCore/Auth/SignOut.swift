package import CloverAuth

/// `auth logout`: forgets a credential on this machine, and the names it went by.
package struct SignOut: Sendable {
    package var choice: ConnectionChoice
    /// Every credential, whatever the choice.
    package var isEverything = false

    package init(choice: ConnectionChoice) {
        self.choice = choice
    }

    /// What was removed; `kind` and `accessTokenExpires` are nil for one that could not be read.
    package struct Removed: Sendable, Equatable {
        package let key: CredentialKey
        package let kind: Credential.Kind?
        package let accessTokenExpires: Int64?
    }

    /// Throws `CoreError.notSignedIn` when there was none.
    package func run(in environment: CommandEnvironment) async throws -> [Removed] {
        let store = try environment.credentialStore()
        let keys = isEverything ? try await store.keys() : [try await choice.key(in: environment)].compactMap { $0 }
        var removed: [Removed] = []
        for key in keys {
            var known: Credential?
            do {
                known = try await store.load(key)
            } catch {
                // What cannot be read can be removed all the same; `remove` refuses what is not ours to touch.
                environment.diagnostics.detail("\(error)")
            }
            guard try await store.remove(key) else { continue }
            try await environment.profiles().removeAll(key)
            removed.append(Removed(key: key, kind: known?.kind, accessTokenExpires: known?.accessTokenExpires))
        }
        guard !removed.isEmpty else {
            throw CoreError.notSignedIn(choice.completed(by: environment.variables))
        }
        return removed
    }
}
