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
        /// The names that it went by.
        package let profiles: [String]
        /// Other names of the same credential, which therefore stays; only the one that was asked for is gone.
        package let remaining: [String]
    }

    /// One that is still there, and why.
    package struct Kept: Sendable {
        package let key: CredentialKey
        package let error: CredentialError
    }

    /// What became of the credentials that were to go.
    package struct Outcome: Sendable {
        package var removed: [Removed] = []
        /// Only with `isEverything`, and then beside others that were removed or kept.
        package var kept: [Kept] = []
    }

    /// Throws `CoreError.notSignedIn` when there was none, and the reason when the only one could not be removed.
    package func run(in environment: CommandEnvironment) async throws -> Outcome {
        let store = try environment.credentialStore()
        // Who names a merchant that has several is asked which: nothing is forgotten by a guess.
        let isNamed = choice.merchantID != nil || choice.environment != nil || choice.appID != nil
        let keys =
            isEverything
            ? try await store.keys()
            : [try await choice.key(in: environment, takesCurrent: !isNamed)].compactMap { $0 }
        var outcome = Outcome()
        for key in keys {
            do {
                if let removed = try await remove(key, from: store, in: environment) { outcome.removed.append(removed) }
            } catch let error as CredentialError where keys.count > 1 && error != .cancelled {
                // The others are to go all the same.
                outcome.kept.append(Kept(key: key, error: error))
            }
        }
        guard !outcome.removed.isEmpty || !outcome.kept.isEmpty else {
            throw CoreError.notSignedIn(try await choice.completed(in: environment))
        }
        return outcome
    }

    /// Removes one credential, or only the name that was asked for; nil when it was gone already.
    private func remove(
        _ key: CredentialKey, from store: any CredentialStore, in environment: CommandEnvironment
    ) async throws -> Removed? {
        let profiles = try environment.profiles()
        let asked = isEverything ? nil : try await choice.completed(in: environment).profile
        let names = try await profiles.all().filter { $0.value == key }.keys.sorted()
        if let asked, names.contains(asked), names.count > 1 {
            _ = try await profiles.remove(asked)
            let remaining = names.filter { $0 != asked }
            if let current = try await store.currentChoice(), current.key == key, current.profile == asked {
                try await store.setCurrentChoice(CurrentChoice(key: key, profile: remaining.first))
            }
            return Removed(key: key, kind: nil, accessTokenExpires: nil, profiles: [asked], remaining: remaining)
        }
        var known: Credential?
        do throws(CredentialError) {
            known = try await store.load(key)
        } catch .newerVersion(let path, let found, let supported) {
            throw CredentialError.newerVersion(path: path, found: found, supported: supported)
        } catch {
            // What cannot be read can be removed all the same; `remove` refuses what is not ours to touch.
            environment.diagnostics.detail("\(error)")
        }
        guard try await store.remove(key) else { return nil }
        try await profiles.removeAll(key)
        return Removed(
            key: key, kind: known?.kind, accessTokenExpires: known?.accessTokenExpires, profiles: names, remaining: [])
    }
}
