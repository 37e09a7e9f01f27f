import ArgumentParser
import CloverAuth
import CloverCore
import CloverHTTP

extension Auth {
    /// `clover auth migrate`.
    struct Migrate: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate",
            abstract: "Exchange a legacy token for tokens that can be renewed",
            discussion: """
                Examples:
                  clover auth migrate --app-id APP
                  clover auth migrate --app-id APP --profile downtown
                  clover auth migrate --app-id APP --app-secret-file secret.txt

                Takes the stored token (or CLOVER_ACCESS_TOKEN), which must have been issued to the app in Clover's \
                legacy flow. The new tokens replace a stored one, and take over its name. If anything fails, the \
                legacy token is still there.
                """
        )

        @OptionGroup(title: "App")
        var app: AppOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let signedIn = try await migrate(in: environment)
            try await SignedInReport.give(signedIn, isJSON: messages.json, in: environment)
            return 0
        }

        /// Exchanges a token of the legacy flow for a pair that can be renewed (Clover: legacy token migration flow). The
        /// legacy token is kept until the pair is stored, which then replaces it and takes over its names.
        private func migrate(in environment: CommandEnvironment) async throws -> SignedIn {
            let old = try await legacyCredential(in: environment)
            var choice = connection.choice
            choice.environment = old.key.environment
            choice.merchantID = old.key.merchantID
            let target = try await SignInTarget.resolve(choice, appID: app.appID ?? old.key.appID, in: environment)
            guard let appID = target.appID else { throw CoreError.appMissingForMigration }
            let certificateFile = try await connection.choice.completed(in: environment).certificateFile
            let store = try environment.credentialStore()
            // A token that comes from a variable is not stored, and has no names.
            let isStored = try await store.load(old.key)?.accessToken == old.accessToken
            let names =
                isStored ? try await environment.profiles().all().filter { $0.value == old.key }.keys.sorted() : []
            var attempt = SignInAttempt(
                target: target, proof: Proof(appSecret: try await app.secret(in: environment)),
                certificateFile: certificateFile, isInKeyring: try app.isInKeyring(in: environment) || old.isInKeyring,
                origin: .migration)
            // Named before the new pair is stored, as in every sign-in, so that `auth watch` of a name reports it.
            attempt.inheritedNames = names
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
            let signedIn = try await attempt.receive(
                AuthorizationResponse(
                    .code, code, merchantID: old.key.merchantID, employeeID: old.employeeID, clientID: appID),
                isNew: true, in: environment
            ).signedIn
            guard isStored, old.key != signedIn.key else { return signedIn }
            // Removes the legacy sign-in, whose names the new one already has.
            let renamed = SignedIn(key: signedIn.key, profile: signedIn.profile ?? names.first)
            try await store.setCurrentChoice(renamed)
            do throws(CredentialError) {
                _ = try await store.remove(old.key)
            } catch {
                environment.diagnostics.notice("stored the new tokens, but cannot remove the legacy token: \(error)")
            }
            return renamed
        }

        private func legacyCredential(in environment: CommandEnvironment) async throws -> Credential {
            let choice = connection.choice
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
}
