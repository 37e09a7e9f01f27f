package import CloverAuth

/// `auth token` and `auth refresh`: a valid token for other programs, and renewal ahead of time.
package struct TokenRequest: Sendable {
    package var choice: ConnectionChoice

    package init(choice: ConnectionChoice) {
        self.choice = choice
    }

    /// A credential with a valid access token, renewed if due.
    package func current(in environment: CommandEnvironment) async throws -> Credential {
        if let credential = try await choice.staticCredential(in: environment) { return credential }
        let key = try await key(in: environment)
        let refresher = try await refresher(for: key, in: environment)
        let store = try environment.credentialStore()
        // An interrupted or refused renewal may have spent the tokens. Find out before passing one to another program.
        if let kept = try await environment.credential(key), let refreshToken = kept.refreshToken,
            let journal = try await store.journal(key), journal.isAboutSpending, journal.isAbout(refreshToken)
        {
            return try await namingErrors(of: key, in: environment) {
                try await refresher.settled(key, kept)
            }
        }
        return try await namingErrors(of: key, in: environment) { try await refresher.current(key) }
    }

    /// Renews the tokens now, once.
    package func refresh(in environment: CommandEnvironment) async throws -> Credential {
        if let credential = try await choice.staticCredential(in: environment) {
            throw RefreshError.notRenewable(credential.kind)
        }
        let key = try await key(in: environment)
        let refresher = try await refresher(for: key, in: environment)
        return try await namingErrors(of: key, in: environment) { try await refresher.refreshNow(key) }
    }

    /// Shows the wait for a renewal, and adds the credential's name to its errors.
    private func namingErrors(
        of key: CredentialKey, in environment: CommandEnvironment, _ body: () async throws -> Credential
    ) async throws -> Credential {
        do {
            return try await ProgressDisplay.during(in: environment) { board in
                board.line("tokens") { $0.words = "waiting for the service to renew them" }
                return try await body()
            }
        } catch RefreshError.cancelled {
            throw CancellationError()
        } catch let error as RefreshError {
            throw await CoreError.tokens(error, of: key, in: environment)
        }
    }

    private func key(in environment: CommandEnvironment) async throws -> CredentialKey {
        guard let key = try await choice.key(in: environment),
            try await environment.credentialStore().keys().contains(key)
        else { throw CoreError.notSignedIn(try await choice.completed(in: environment)) }
        return key
    }

    private func refresher(
        for key: CredentialKey, in environment: CommandEnvironment
    ) async throws -> TokenRefresher {
        let choice = try await choice.completed(in: environment)
        let known = try await environment.profiles().name(of: key)
        return try environment.tokenRefresher(
            for: key, profile: choice.profile ?? known, certificateFile: choice.certificateFile)
    }
}
