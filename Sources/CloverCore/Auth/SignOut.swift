import CloverAPI
package import CloverAuth
import CloverConfiguration

/// `auth logout`: removes a credential and its names from this machine.
package struct SignOut: Sendable {
    package var choice: ConnectionChoice
    /// Maximum wait for another process that uses the tokens, in seconds. Longer than any refresh takes.
    private static let leaseTimeout: Double = 120

    /// Removes all credentials, whatever the choice.
    package var isEverything = false

    package init(choice: ConnectionChoice) {
        self.choice = choice
    }

    /// A removed credential; `kind` and the expirations are nil if it could not be read.
    package struct Removed: Sendable, Equatable {
        package let key: CredentialKey
        package let kind: Credential.Kind?
        package let accessTokenExpires: Int64?
        package let refreshTokenExpires: Int64?
        /// The names that were removed.
        package let profiles: [String]
        /// Other names of the same credential. If there are any, only the requested name was removed.
        package let remaining: [String]
        /// The reason why the tokens are still in the keyring; nil if they are not.
        package let leftover: CredentialError?
    }

    /// A credential that could not be removed.
    package struct Kept: Sendable {
        package let key: CredentialKey
        package let error: CredentialError
    }

    package struct Outcome: Sendable {
        package var removed: [Removed] = []
        /// Credentials that could not be removed. Used only with `isEverything`, if there are several credentials.
        package var kept: [Kept] = []
    }

    /// Throws `CoreError.notSignedIn` if there is no credential, and the reason if the only one cannot be removed.
    package func run(in environment: CommandEnvironment) async throws -> Outcome {
        let store = try environment.credentialStore()
        // If the named merchant has several credentials, an error asks which one: never remove one by a guess.
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
                // Continue with the others.
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

    /// Checks the variables, which decide if no option names a sign-in, as for all commands. `CLOVER_ACCESS_TOKEN` is not
    /// stored, so it cannot be removed, and no stored credential is removed in its place. Other variables must agree.
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

    /// Removes one credential, or only the requested name; nil if it was already gone.
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
                try await store.setCurrentChoice(ActiveCredential(key: key, profile: remaining.first))
            }
            return Removed(
                key: key, kind: nil, accessTokenExpires: nil, refreshTokenExpires: nil, profiles: [asked],
                remaining: remaining, leftover: nil)
        }
        guard try await store.keys().contains(key) else { return nil }
        // Let a renewal in progress finish first: its tokens are the ones that stay valid at the service.
        let lease = try await store.lease(key, patience: Self.leaseTimeout) {
            environment.diagnostics.detail("another process is using these tokens; waiting for it")
        }
        defer { lease.release() }
        var known: Credential?
        do throws(CredentialError) {
            known = try await lease.load()
        } catch .newerVersion(let path, let found, let supported) {
            throw CredentialError.newerVersion(path: path, found: found, supported: supported)
        } catch {
            // An unreadable file can still be removed; `remove` refuses files that are not ours.
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
