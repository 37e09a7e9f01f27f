import ArgumentParser
import CloverAuth
import CloverConfiguration
import CloverCore
import CloverHTTP
import CloverJSON

extension Auth {
    /// `clover auth login`.
    struct Login: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "login",
            abstract: "Sign in with a browser, or store a token that was made elsewhere",
            discussion: """
                Examples:
                  clover auth login --app-id APP
                  clover auth login --app-id APP --environment sandbox --profile test
                  pass clover | clover auth login --with-token --merchant MERCHANT

                Opens the browser, where the merchant approves the app, and listens on \
                http://127.0.0.1:\(String(BrowserSignIn.defaultCallbackPort))\(BrowserSignIn.callbackPath) for the \
                response. Clover compares that address with the app's Site URL, which must therefore begin with \
                http://127.0.0.1:\(String(BrowserSignIn.defaultCallbackPort)) (or with the port of --callback-port). \
                With --paste, nothing listens: the browser may be on another machine, and you paste the address that \
                it was sent to.

                Secrets are never read from an option, because other users of the machine can see options. Tokens are \
                stored in a file that only you can read, or in the desktop's keyring. If the keyring stops accepting \
                renewed tokens, they are stored in the file; the used ones that remain in the keyring are removed by \
                the next renewal that can use it.

                Exit statuses:
                  0   signed in
                  64  wrong usage: no app, no merchant, a malformed name
                  69  the service, or the keyring, cannot be reached
                  73  there is no room for the tokens
                  74  the file with the secret, or standard input, cannot be read
                  75  no response from the browser in time, or the port is in use
                  76  the browser or the service returned something that cannot
                      be understood, or no merchant
                  77  denied, an expired code, no code at all, a response to
                      another sign-in, or a locked keyring
                  78  a setting, or one of clover's files, cannot be used
                """
        )

        @OptionGroup(title: "App")
        var app: AppOptions

        @Flag(name: .customLong("no-browser"), help: "Print the address instead of opening the browser.")
        var noBrowser = false

        @Flag(
            name: .long, help: "Print the address, and read the one that the browser is sent to from standard input.")
        var paste = false

        @Flag(
            name: .customLong("with-token"),
            help: "Store a token from standard input, without asking the service about it.")
        var withToken = false

        @Option(
            name: .customLong("callback-port"), parsing: .unconditional,
            help: ArgumentHelp(
                "Port to listen on at 127.0.0.1 (CLOVER_CALLBACK_PORT; default: \(String(BrowserSignIn.defaultCallbackPort))).",
                valueName: "port"))
        var callbackPort: Int?

        @Option(
            name: .customLong("redirect-uri"),
            help: ArgumentHelp(
                "Address to send the browser to, with --paste (default: the listener's address).",
                valueName: "address"))
        var redirectURI: String?

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp(
                "Maximum time to wait for the browser (CLOVER_TIMEOUT; default: 5m).", valueName: "duration"))
        var timeout: String?

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if withToken, paste || noBrowser || app.secretFile != nil || redirectURI != nil || callbackPort != nil {
                throw ValidationError("--with-token needs no browser, so its other options do not apply")
            }
            if paste, noBrowser { throw ValidationError("--paste opens no browser: leave --no-browser out") }
            if paste, app.secretFile == "-" {
                throw ValidationError("--paste reads the address from standard input: put the secret into a file")
            }
            if redirectURI != nil, !paste {
                throw ValidationError("--redirect-uri needs --paste: the listener has its own address")
            }
            if let redirectURI {
                do throws(RedirectAddress.Fault) {
                    try RedirectAddress.check(redirectURI)
                } catch {
                    throw ValidationError(
                        "--redirect-uri takes an address such as https://example.com/callback: \(error)")
                }
            }
            if let callbackPort, !(0...65_535).contains(callbackPort) {
                throw ValidationError("--callback-port takes a number from 0 to 65535, not \(callbackPort)")
            }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let signedIn =
                withToken
                ? try await storeToken(in: environment)
                : try await signIn(environment.settings(for: connection.choice), in: environment)
            try await SignedInReport.give(signedIn, isJSON: messages.json, in: environment)
            if withToken {
                environment.diagnostics.notice("the token is stored, but was not tried; to try it, run: clover whoami")
            }
            return 0
        }

        /// Stores the token from standard input, which becomes the current credential.
        private func storeToken(in environment: CommandEnvironment) async throws -> SignedIn {
            let target = try await SignInTarget.resolve(connection.choice, hasApp: false, in: environment)
            let key = try target.key(merchantID: nil)
            guard let token = InputLine.first(of: try await SecretInput.read("the token", in: environment) ?? [])
            else { throw CoreError.noTokenOnInput }
            // Catches a whole JSON response pasted in place of the token in it.
            guard Credential.isUsable(token), !token.exposed.hasPrefix("{") else { throw CoreError.malformedToken }
            let credential = Credential(
                key: key, kind: .staticToken, accessToken: token, createdAt: environment.clock.wall() / 1000,
                origin: .token, isInKeyring: try app.isInKeyring(in: environment))
            // The keyring may show a prompt first, and another process may hold the credential's lock.
            return try await ProgressDisplay.during(in: environment) { board in
                board.line("auth login") { $0.words = "storing the token" }
                // Report an unusable keyring before any problem with stored tokens.
                if app.keyring { try await environment.secretVault().probe() }
                return try await target.keep(credential, in: environment)
            }
        }

        private func signIn(_ settings: ConfigurationLayers, in environment: CommandEnvironment) async throws
            -> SignedIn
        {
            let port = try callbackPort ?? settings.wholeNumber(.callbackPort) ?? BrowserSignIn.defaultCallbackPort
            let limit = try timeout.map { try NamedDuration.seconds($0, "--timeout") } ?? settings.seconds(.timeout)
            let target = try await SignInTarget.resolve(connection.choice, appID: app.appID, in: environment)
            try target.requireApp()
            let attempt = SignInAttempt(
                target: target, proof: Proof(appSecret: try await app.secret(in: environment)),
                certificateFile: try await connection.choice.completed(in: environment).certificateFile,
                isInKeyring: try app.isInKeyring(in: environment), origin: .login)
            attempt.hideSecrets(in: environment)
            return try await BrowserSignIn(
                attempt: attempt, way: paste ? .paste : noBrowser ? .printedAddress : .browser, callbackPort: port,
                redirectURI: redirectURI, timeout: limit ?? 300
            ).run(in: environment)
        }
    }
}

/// Reports a completed sign-in.
enum SignedInReport {
    /// Writes a line to standard error and, with `--json`, the status to standard output.
    static func give(_ signedIn: SignedIn, isJSON: Bool, in environment: CommandEnvironment) async throws {
        let name = signedIn.profile.map { ", profile \($0)" } ?? ""
        environment.diagnostics.notice(
            "signed in to \(signedIn.key.words)\(name)")
        let status = try await SignInStatus.of(signedIn, in: environment)
        if status.kind == .oauth, status.isRenewable == false {
            let end = status.accessTokenExpires.map { " before \(InstantText.utc(seconds: $0))" } ?? ""
            let cause =
                status.refreshTokenExpires == nil
                ? "the service issued no refresh token for this sign-in"
                : "the refresh token of this sign-in had expired when the service issued it"
            environment.diagnostics.notice(
                "\(cause), so unattended jobs stop when its access token expires; sign in again\(end)")
        }
        guard isJSON else { return }
        try await StandardOutput.print(StatusText.json(status).text + "\n", in: environment)
    }
}
