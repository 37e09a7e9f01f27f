import CloverAPI
package import CloverAuth
import CloverConfiguration

/// `auth logout`: forgets a credential on this machine, and the names it went by.
package struct SignOut: Sendable {
    package var choice: ConnectionChoice
    /// How long somebody else's work on the tokens is waited for, in seconds. Longer than any refresh takes.
    private static let patience: Double = 120

    /// Every credential, whatever the choice.
    package var isEverything = false

    package init(choice: ConnectionChoice) {
        self.choice = choice
    }

    /// What was removed; `kind` and the ends of tokens are nil for one that could not be read.
    package struct Removed: Sendable, Equatable {
        package let key: CredentialKey
        package let kind: Credential.Kind?
        package let accessTokenExpires: Int64?
        package let refreshTokenExpires: Int64?
        /// The names that it went by.
        package let profiles: [String]
        /// Other names of the same credential, which therefore stays; only the one that was asked for is gone.
        package let remaining: [String]
        /// Why the tokens are still in the keyring; nil when they are not.
        package let leftover: CredentialError?
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
        if !isEverything, !isNamed, choice.profile == nil { try await checkVariables(store, in: environment) }
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
            if environment.variables.nonEmpty("CLOVER_ACCESS_TOKEN") != nil, try await store.keys().isEmpty {
                throw CoreError.onlyVariableToken
            }
            throw CoreError.notSignedIn(try await choice.completed(in: environment))
        }
        return outcome
    }

    /// Without a word on the command line the variables say what is meant, as for all commands. What they name is not kept
    /// with `CLOVER_ACCESS_TOKEN`, and nothing else goes in its place; and what they say must agree.
    private func checkVariables(_ store: any CredentialStore, in environment: CommandEnvironment) async throws {
        let variables = environment.variables
        if variables.nonEmpty("CLOVER_ACCESS_TOKEN") != nil {
            guard try await store.keys().isEmpty else { throw CoreError.variableNotForgotten }
            return
        }
        guard let name = variables.nonEmpty("CLOVER_PROFILE"),
            let key = try await environment.profiles().key(named: name)
        else { return }
        let merchantID = try variables.checked(.merchant)
        let service = try variables.checked(.environment).map { try ServiceEnvironment(parsing: $0) }
        if (merchantID ?? key.merchantID) != key.merchantID || (service?.name ?? key.environment) != key.environment {
            throw CoreError.profileConflict(
                name, merchantID: key.merchantID, environment: key.environment, isByVariables: true)
        }
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
            return Removed(
                key: key, kind: nil, accessTokenExpires: nil, refreshTokenExpires: nil, profiles: [asked],
                remaining: remaining, leftover: nil)
        }
        guard try await store.keys().contains(key) else { return nil }
        // A renewal that is under way comes to its end first: what stays valid at the service are its tokens.
        let lease = try await store.lease(key, patience: Self.patience) {
            environment.diagnostics.detail("another process works on these tokens; waiting for it")
        }
        defer { lease.release() }
        var known: Credential?
        do throws(CredentialError) {
            known = try await lease.load()
        } catch .newerVersion(let path, let found, let supported) {
            throw CredentialError.newerVersion(path: path, found: found, supported: supported)
        } catch {
            // What cannot be read can be removed all the same; `remove` refuses what is not ours to touch.
            environment.diagnostics.detail("\(error)")
        }
        var leftover: CredentialError?
        var isRemoved = true
        do throws(CredentialError) {
            isRemoved = try await lease.remove()
        } catch {
            guard case .leftInKeyring = error else { throw error }
            leftover = error
        }
        lease.release()
        try await store.forgetChoice(of: key)
        guard isRemoved else { return nil }
        try await profiles.removeAll(key)
        return Removed(
            key: key, kind: known?.kind, accessTokenExpires: known?.accessTokenExpires,
            refreshTokenExpires: known?.refreshTokenExpires, profiles: names, remaining: [], leftover: leftover)
    }
}
