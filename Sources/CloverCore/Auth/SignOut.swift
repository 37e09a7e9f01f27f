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

    /// Throws `CoreError.notSignedIn` when there was none.
    package func run(in environment: CommandEnvironment) async throws -> [Removed] {
        let store = try environment.credentialStore()
        let keys = isEverything ? try await store.keys() : [try await choice.key(in: environment)].compactMap { $0 }
        var removed: [Removed] = []
        let profiles = try environment.profiles()
        let asked = isEverything ? nil : try await choice.completed(in: environment).profile
        for key in keys {
            let names = try await profiles.all().filter { $0.value == key }.keys.sorted()
            if let asked, names.contains(asked), names.count > 1 {
                _ = try await profiles.remove(asked)
                let remaining = names.filter { $0 != asked }
                if let current = try await store.currentChoice(), current.key == key, current.profile == asked {
                    try await store.setCurrentChoice(CurrentChoice(key: key, profile: remaining.first))
                }
                removed.append(
                    Removed(key: key, kind: nil, accessTokenExpires: nil, profiles: [asked], remaining: remaining))
                continue
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
            guard try await store.remove(key) else { continue }
            try await profiles.removeAll(key)
            removed.append(
                Removed(
                    key: key, kind: known?.kind, accessTokenExpires: known?.accessTokenExpires, profiles: names,
                    remaining: []))
        }
        guard !removed.isEmpty else {
            throw CoreError.notSignedIn(try await choice.completed(in: environment))
        }
        return removed
    }
}
