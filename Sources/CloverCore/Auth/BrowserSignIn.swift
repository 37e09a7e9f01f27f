import CloverAPI
import CloverAuth
import CloverCallback
import CloverHTTP
import Synchronization

/// `auth login`: a merchant approves in a browser, the redirect reaches a listener on this machine or is pasted, and its
/// code is exchanged for tokens (RFC 8252; Clover: OAuth flow for low-trust apps).
package struct BrowserSignIn: Sendable {
    package enum Way: Sendable, Equatable {
        /// Opens the default browser.
        case browser
        /// Prints the address for the user to open.
        case printedAddress
        /// Prints the address, and reads the redirected address from standard input.
        case paste
    }

    package var choice: ConnectionChoice
    package var app: AppChoice
    package var way: Way
    /// The listener's port on this machine.
    package var callbackPort: Int
    /// The redirect URI if the address is pasted; nil for the listener's address.
    package var redirectURI: String?
    /// Timeout for the browser, in seconds.
    package var timeout: Double
    package var isInKeyring: Bool

    package init(choice: ConnectionChoice, app: AppChoice, way: Way) {
        self.choice = choice
        self.app = app
        self.way = way
        callbackPort = Self.defaultCallbackPort
        timeout = 300
        isInKeyring = false
    }

    /// A fixed port, because Clover compares the redirect URI with the one registered for the app.
    package static let defaultCallbackPort = 8976
    package static let callbackPath = "/callback"
    /// Maximum length of a redirected address, in bytes.
    private static let maximumAddress = 64 << 10

    package func run(in environment: CommandEnvironment) async throws -> SignedIn {
        let target = try await SignInTarget.resolve(choice, app: app, in: environment)
        let appID = try target.requiredAppID()
        let attempt = SignInAttempt(
            target: target, appID: appID, proof: SignInProof(secret: try await app.secret(in: environment)),
            certificateFile: try await choice.completed(in: environment).certificateFile, isInKeyring: isInKeyring,
            origin: .login)
        attempt.hideSecrets(in: environment)
        // Before the merchant approves anything: rewriting the current choice proves that files can be written.
        let store = try environment.credentialStore()
        try await store.setCurrentChoice(try await store.currentChoice())
        try await store.prepare()
        // If the keyring was requested but does not work, report that before any problem with stored tokens.
        if isInKeyring { try await environment.secretVault().probe() }
        try await checkKept(target, appID: appID, in: environment)
        return way == .paste
            ? try await paste(attempt, in: environment) : try await listen(attempt, in: environment)
    }

    /// Checks that stored tokens which the new ones may replace can be read. Otherwise an unreadable file or keyring would
    /// show only when the code is about to be spent. If no merchant is named, these are all sign-ins of the app.
    private func checkKept(_ target: SignInTarget, appID: String, in environment: CommandEnvironment) async throws {
        let store = try environment.credentialStore()
        func look(at key: CredentialKey) async throws(CredentialError) {
            _ = try await SignInAttempt.replaced(isInKeyring) { () async throws(CredentialError) in
                try await store.load(key)
            }
        }
        guard target.merchantID == nil else { return try await look(at: try target.key(merchantID: nil)) }
        for key in try await store.keys() where key.environment == target.service.name && key.appID == appID {
            do throws(CredentialError) {
                try await look(at: key)
            } catch {
                environment.diagnostics.notice(
                    "cannot replace the stored sign-in to merchant \(key.merchantID); to sign in to another merchant of "
                        + "the app, add --merchant")
                throw error
            }
        }
    }

    // MARK: - Pasted

    private func paste(_ attempt: SignInAttempt, in environment: CommandEnvironment) async throws -> SignedIn {
        let redirect = redirectURI ?? "http://127.0.0.1:\(callbackPort)\(Self.callbackPath)"
        let state = AuthorizationRequest.makeState()
        let diagnostics = environment.diagnostics
        diagnostics.request("open this address in a browser, on any machine:")
        diagnostics.address(attempt.address(redirectURI: redirect, state: state))
        let line = try await TimeLimit.run(
            seconds: timeout, sleep: environment.sleep,
            timeRanOut: { CoreError.noCallback(seconds: timeout, isPasted: true) },
        ) { try await InputLine.pasted(in: environment) { try await Self.pastedLine(in: environment) } }
        guard let line else { throw CoreError.noAddressOnInput }
        return try await attempt.finish(line.exposed, state: .expectUnlessError(state), in: environment)
    }

    /// Reads the address without echo: its code is a secret until it is spent, and terminals keep their output.
    private static func pastedLine(in environment: CommandEnvironment) async throws -> [UInt8]? {
        let diagnostics = environment.diagnostics
        let prompt = "then paste the address that the browser was redirected to, and press Return"
        guard environment.terminal.isInputTerminal else {
            diagnostics.request(prompt + ":")
            return try await environment.readInputLine(maximumAddress)
        }
        return try await environment.readHiddenLine(maximumAddress) {
            diagnostics.request(prompt + " (input is hidden):")
        }
    }

    // MARK: - The listener

    private func listen(_ attempt: SignInAttempt, in environment: CommandEnvironment) async throws -> SignedIn {
        let diagnostics = environment.diagnostics
        var address = CallbackOptions(port: callbackPort, path: Self.callbackPath)
        address.onSecond = {
            diagnostics.notice("refused a second response to the callback address")
        }
        let bare = Atomic(false)
        address.onMissingQuery = {
            guard !bare.exchange(true, ordering: .relaxed) else { return }
            diagnostics.notice(
                "a browser opened the callback address without a code and without an error; still waiting")
        }
        let state = AuthorizationRequest.makeState()
        let foreign = Atomic(false)
        address.isExpected = { url in
            if AuthorizationResponse.holds(state: state, redirectedURL: url) { return true }
            if !foreign.exchange(true, ordering: .relaxed) {
                diagnostics.notice(
                    "refused a response to the callback address without this sign-in's 'state'; still waiting")
            }
            return false
        }
        let listener = try await environment.openCallbackListener(address)
        do {
            let signedIn = try await wait(listener, for: attempt, state, in: environment)
            await listener.close()
            return signedIn
        } catch {
            await listener.close()
            if case CoreError.noCallback = error, bare.load(ordering: .relaxed) {
                throw CoreError.bareCallback(seconds: timeout)
            }
            throw error
        }
    }

    private func wait(
        _ listener: CallbackListener, for attempt: SignInAttempt, _ state: String,
        in environment: CommandEnvironment
    ) async throws -> SignedIn {
        let address = attempt.address(redirectURI: listener.redirectURI, state: state)
        let opener = show(address, in: environment)
        let callback = try await TimeLimit.run(
            seconds: timeout, sleep: environment.sleep,
            timeRanOut: { CoreError.noCallback(seconds: timeout, isPasted: false) },
        ) {
            // Cancelled as soon as the callback arrives.
            async let _ = Self.watch(opener, in: environment)
            return try await listener.callback()
        }
        do {
            let signedIn = try await attempt.finish(callback.url, state: .expect(state), in: environment)
            await callback.answer(
                .success(
                    headline: "You are signed in",
                    detail: "clover now works with merchant \(signedIn.key.merchantID) (\(signedIn.key.environment))."))
            return signedIn
        } catch {
            await callback.answer(
                .failure(headline: "Sign-in failed", detail: Self.sentence(Self.explanation(of: error))))
            throw error
        }
    }

    /// A short reason for the page; the terminal shows the full error.
    private static func explanation(of error: any Error) -> String {
        switch error {
        case let error as SignInError: "\(error)"
        case let error as OAuthError: "\(error)"
        case let error as CredentialError: "\(error)"
        case CoreError.oauth(let error, _): "\(error)"
        case CoreError.redirectWithoutMerchant: "the response does not name its merchant"
        default: "see the terminal for the reason"
        }
    }

    /// The reason as a sentence, with advice for readers of the page who did not type the command.
    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + ". To try again, run the command again."
    }

    /// Prints a request if the program that opens the browser fails: it has most likely shown nothing.
    private static func watch(_ opener: BrowserLauncher.Opener?, in environment: CommandEnvironment) async {
        guard let opener, let status = await opener.status(), status != 0 else { return }
        environment.diagnostics.request(
            "\(BrowserError.refused(program: opener.program, status: status)); "
                + "open the address in a browser on this machine")
    }

    /// Opens or prints the address. Returns the program that opens it, if any.
    private func show(_ address: String, in environment: CommandEnvironment) -> BrowserLauncher.Opener? {
        var opener: BrowserLauncher.Opener?
        let diagnostics = environment.diagnostics
        if way == .browser {
            do throws(BrowserError) {
                let started = try environment.openBrowser(address)
                opener = started
                diagnostics.notice(
                    "opening this address with \(started.program); if no page appears, open it yourself:")
            } catch {
                diagnostics.request("\(error); open this address in a browser on this machine:")
            }
        } else {
            diagnostics.request("open this address in a browser on this machine:")
        }
        diagnostics.address(address)
        diagnostics.notice("waiting for the browser; to cancel, press Ctrl-C")
        return opener
    }
}
