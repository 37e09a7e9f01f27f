import ArgumentParser
import CloverAuth
import CloverCore
import CloverHTTP
import CloverJSON

extension Auth {
    /// `clover auth token`.
    struct Token: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "token",
            abstract: "Print a valid access token for another program",
            discussion: """
                Examples:
                  clover auth token --header | curl -H @- "$URL"
                  clover auth token --json | jq -r .expiresAt
                  clover auth token --profile downtown >token.txt

                Renews the token first if it is due. The output is a secret: do not put it into arguments, where other \
                users can read it.
                """
        )

        @Flag(name: .long, help: "Print a request header: Authorization: Bearer TOKEN.")
        var header = false

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if header, messages.json { throw ValidationError("--header and --json exclude each other") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let credential = try await connection.choice.validCredential(in: environment)
            let text: String
            if messages.json {
                var line = JSONLine()
                line.add("accessToken", credential.accessToken.exposed)
                line.add("expiresAt", credential.accessTokenExpires.map { InstantText.utc(seconds: $0) })
                line.add("environment", credential.key.environment)
                line.add("merchant", credential.key.merchantID)
                line.add("app", credential.key.appID)
                text = line.text
            } else {
                text = (header ? "Authorization: Bearer " : "") + credential.accessToken.exposed
            }
            try await StandardOutput.print(text + "\n", in: environment)
            return 0
        }
    }

    /// `clover auth refresh`.
    struct Refresh: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "refresh",
            abstract: "Renew the tokens now",
            discussion: """
                Examples:
                  clover auth refresh
                  clover auth refresh --profile downtown
                  clover auth refresh && clover auth status

                Every command renews tokens automatically when they are due; use this to renew them at a time of your \
                choosing. If several processes do so at once, one renews the tokens, and the others use the new ones. A \
                merchant's own token is never renewed.
                """
        )

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let credential = try await connection.choice.renewedCredential(in: environment)
            let until = credential.accessTokenExpires.map { ", valid until \(InstantText.utc(seconds: $0))" } ?? ""
            environment.diagnostics.notice(
                "renewed the tokens of \(credential.key.words)\(until)")
            if messages.json {
                let status = try await SignInStatus.of(credential, in: environment)
                try await StandardOutput.print(StatusText.json(status).text + "\n", in: environment)
            }
            return 0
        }
    }
}

extension ConnectionChoice {
    /// A credential with a valid access token, renewed if due.
    fileprivate func validCredential(in environment: CommandEnvironment) async throws -> Credential {
        if let credential = try await staticCredential(in: environment) { return credential }
        return try await renewing(in: environment) { refresher, key in
            // An interrupted or refused renewal may have spent the tokens. Find out before passing one to another program.
            if let kept = try await environment.credential(key),
                try await environment.credentialStore().journal(of: kept)?.isAboutSpending == true
            {
                return { try await refresher.settled(key, kept) }
            }
            return { try await refresher.current(key) }
        }
    }

    /// Renews the tokens now, once.
    fileprivate func renewedCredential(in environment: CommandEnvironment) async throws -> Credential {
        if let credential = try await staticCredential(in: environment) {
            throw CoreError.tokens(.notRenewable(credential.kind), SignedIn(key: credential.key))
        }
        return try await renewing(in: environment) { refresher, key in { try await refresher.refreshNow(key) } }
    }

    /// Shows the wait for a renewal, and adds the credential's name to its errors.
    private func renewing(
        in environment: CommandEnvironment,
        _ plan: (TokenRefresher, CredentialKey) async throws -> () async throws -> Credential
    ) async throws -> Credential {
        guard let key = try await key(in: environment),
            try await environment.credentialStore().keys().contains(key)
        else { throw CoreError.notSignedIn(try await completed(in: environment)) }
        let choice = try await completed(in: environment)
        let known = try await environment.profiles().name(of: key)
        let refresher = try environment.tokenRefresher(
            for: key, profile: choice.profile ?? known, certificateFile: choice.certificateFile)
        let body = try await plan(refresher, key)
        return try await CoreError.namingTokens(of: key, in: environment) {
            try await ProgressDisplay.during(in: environment) { board in
                board.line("tokens") { $0.words = "waiting for the service to renew them" }
                return try await body()
            }
        }
    }
}
