import CloverAuth
import CloverHTTP

/// `auth migrate`: exchanges a token of the legacy flow for a pair that can be renewed (Clover: legacy token migration
/// flow). The legacy token is kept until the pair is stored, which then replaces it and takes over its names.
package struct TokenMigration: Sendable {
    package var choice: ConnectionChoice
    package var app: AppChoice
    package var isInKeyring = false

    package init(choice: ConnectionChoice, app: AppChoice) {
        self.choice = choice
        self.app = app
    }

    package func run(in environment: CommandEnvironment) async throws -> SignedIn {
        let old = try await legacyCredential(in: environment)
        var choice = choice
        choice.environment = old.key.environment
        choice.merchantID = old.key.merchantID
        var app = app
        app.appID = app.appID ?? old.key.appID
        let target = try await SignInTarget.resolve(choice, app: app, in: environment)
        guard let appID = target.appID else { throw CoreError.appMissingForMigration }
        let certificateFile = try await self.choice.completed(in: environment).certificateFile
        let names = try await keptNames(of: old, in: environment)
        var attempt = SignInAttempt(
            target: target, appID: appID, proof: SignInProof(secret: try await app.secret(in: environment)),
            certificateFile: certificateFile, isInKeyring: isInKeyring || old.isInKeyring, origin: .migration)
        // Named before the new pair is stored, as in every sign-in, so that `auth watch` of a name reports it.
        attempt.inheritedNames = names ?? []
        attempt.hideSecrets(in: environment)
        environment.diagnostics.mask.hide(old.accessToken)
        let client = environment.oauthClient(target.endpoints, certificateFile: certificateFile)
        let code: Secret
        do throws(OAuthError) {
            code = try await client.migrate(
                old.accessToken, merchantID: old.key.merchantID, appID: appID, challenge: attempt.proof.challenge)
        } catch {
            throw CoreError.oauth(error, during: .migration)
        }
        let signedIn = try await attempt.exchange(
            AuthorizationCode(code: code, merchantID: old.key.merchantID, employeeID: old.employeeID, clientID: appID),
            in: environment)
        guard let names, old.key != signedIn.key else { return signedIn }
        return try await replace(old.key, named: names, by: signedIn, in: environment)
    }

    /// The names of the legacy sign-in; nil if its token comes from a variable and is not stored.
    private func keptNames(of legacy: Credential, in environment: CommandEnvironment) async throws -> [String]? {
        guard try await environment.credentialStore().load(legacy.key)?.accessToken == legacy.accessToken else {
            return nil
        }
        return try await environment.profiles().all().filter { $0.value == legacy.key }.keys.sorted()
    }

    /// Removes the legacy sign-in, whose names the new one already has.
    private func replace(
        _ old: CredentialKey, named names: [String], by new: SignedIn, in environment: CommandEnvironment
    ) async throws -> SignedIn {
        let store = try environment.credentialStore()
        let profile = new.profile ?? names.first
        try await store.setCurrentChoice(ActiveCredential(key: new.key, profile: profile))
        do throws(CredentialError) {
            _ = try await store.remove(old)
        } catch {
            environment.diagnostics.notice("stored the new tokens, but cannot remove the legacy token: \(error)")
        }
        return SignedIn(key: new.key, profile: profile)
    }

    private func legacyCredential(in environment: CommandEnvironment) async throws -> Credential {
        if let credential = try await choice.staticCredential(in: environment) { return credential }
        if let name = choice.profile, try await environment.profiles().key(named: name) == nil {
            // The name is for the new tokens.
            var nameless = choice
            nameless.profile = nil
            if let credential = try await nameless.staticCredential(in: environment) { return credential }
        }
        guard let key = try await choice.key(in: environment),
            let credential = try await environment.credential(key)
        else { throw CoreError.notSignedIn(try await choice.completed(in: environment)) }
        guard credential.kind != .oauth else { throw CoreError.nothingToMigrate(key) }
        return credential
    }
}
