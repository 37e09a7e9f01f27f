import CloverAPI
import CloverAuth
import CloverCallback
import CloverHTTP
import Synchronization

/// `auth login`: a merchant approves in a browser, the answer comes to a listener on this machine or is pasted, and the
/// code in it is exchanged for tokens (RFC 8252; Clover: OAuth flow for low-trust apps).
package struct BrowserSignIn: Sendable {
    package enum Way: Sendable, Equatable {
        /// Opens the default browser.
        case browser
        /// Prints the address, for a browser that the user opens.
        case printedAddress
        /// Prints the address, and reads the one that the browser was sent to from standard input.
        case paste
    }

    package var choice: ConnectionChoice
    package var app: AppChoice
    package var way: Way
    /// The port of the listener on this machine.
    package var callbackPort: Int
    /// Where the browser is sent when the answer is pasted; nil is the listener's own address.
    package var redirectURI: String?
    /// Seconds to wait for the browser.
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

    /// Clover compares the redirect with the address that the app's owner registered, so it is the same each time.
    package static let defaultCallbackPort = 8976
    package static let callbackPath = "/callback"
    /// No address that a browser is sent to is longer, in bytes.
    private static let maximumAddress = 64 << 10

    package func run(in environment: CommandEnvironment) async throws -> SignedIn {
        let target = try await SignInTarget.resolve(choice, app: app, in: environment)
        let appID = try target.requiredAppID()
        let attempt = SignInAttempt(
            target: target, appID: appID, proof: SignInProof(secret: try await app.secret(in: environment)),
            certificateFile: try await choice.completed(in: environment).certificateFile, isInKeyring: isInKeyring,
            origin: .login)
        attempt.hideSecrets(in: environment)
        // Before anybody approves anything: the same choice once more shows that files can be written.
        let store = try environment.credentialStore()
        try await store.setCurrentChoice(try await store.currentChoice())
        try await store.prepare()
        // Of a keyring that cannot be used it matters first that it was asked for, not what is kept in it by now.
        if isInKeyring { try await environment.secretVault().probe() }
        try await checkKept(target, appID: appID, in: environment)
        return way == .paste
            ? try await paste(attempt, in: environment) : try await listen(attempt, in: environment)
    }

    /// The tokens that the new ones may take the place of: a file that cannot be read, and those in a keyring that cannot be
    /// used, would be missed only when the code is to be spent. While the merchant is open, that may be any of the app's.
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
                    "the sign-in to merchant \(key.merchantID) is there already and cannot be replaced; to sign in to "
                        + "another merchant of the app meanwhile, say it with --merchant")
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

    /// The code in the address is a secret until it is spent, and a terminal keeps what it showed.
    private static func pastedLine(in environment: CommandEnvironment) async throws -> [UInt8]? {
        let diagnostics = environment.diagnostics
        let words = "then paste the address that the browser is sent to, and press Return"
        guard environment.terminal.isInputTerminal else {
            diagnostics.request(words + ":")
            return try await environment.readInputLine(maximumAddress)
        }
        return try await environment.readHiddenLine(maximumAddress) {
            diagnostics.request(words + " (it is not shown):")
        }
    }

    // MARK: - The listener

    private func listen(_ attempt: SignInAttempt, in environment: CommandEnvironment) async throws -> SignedIn {
        let diagnostics = environment.diagnostics
        var address = CallbackChoice(port: callbackPort, path: Self.callbackPath)
        address.onSecond = {
            diagnostics.notice("a second answer came to the sign-in's address and was refused")
        }
        let bare = Atomic(false)
        address.onBare = {
            guard !bare.exchange(true, ordering: .relaxed) else { return }
            diagnostics.notice(
                "a browser came to the sign-in's address without a code and without an error; still waiting")
        }
        let state = AuthorizationRequest.makeState()
        let foreign = Atomic(false)
        address.isExpected = { url in
            if AuthorizationAnswer.holds(state: state, redirectedURL: url) { return true }
            if !foreign.exchange(true, ordering: .relaxed) {
                diagnostics.notice(
                    "an answer without this sign-in's 'state' came to its address and was refused; still waiting")
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
        let opener = invite(to: address, in: environment)
        let callback = try await TimeLimit.run(
            seconds: timeout, sleep: environment.sleep,
            timeRanOut: { CoreError.noCallback(seconds: timeout, isPasted: false) },
        ) {
            // Given up as soon as the answer is there.
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
                .failure(headline: "Signing in did not work", detail: Self.sentence(Self.explanation(of: error))))
            throw error
        }
    }

    /// For the page; the terminal has the rest.
    private static func explanation(of error: any Error) -> String {
        switch error {
        case let error as SignInError: "\(error)"
        case let error as OAuthError: "\(error)"
        case let error as CredentialError: "\(error)"
        case CoreError.oauth(let error, _): "\(error)"
        case CoreError.answerWithoutMerchant: "the answer does not say which merchant it is for"
        default: "the terminal says what failed"
        }
    }

    /// A page is read by people who did not type the command.
    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + ". To try again, run the command once more."
    }

    /// A program that ends with another status than 0 has most likely shown nothing.
    private static func watch(_ opener: BrowserLauncher.Opener?, in environment: CommandEnvironment) async {
        guard let opener, let status = await opener.status(), status != 0 else { return }
        environment.diagnostics.request(
            "\(BrowserError.refused(program: opener.program, status: status)); "
                + "open the address in a browser on this machine")
    }

    /// Returns the program that was asked to show the address, if any was.
    private func invite(to address: String, in environment: CommandEnvironment) -> BrowserLauncher.Opener? {
        var opener: BrowserLauncher.Opener?
        let diagnostics = environment.diagnostics
        if way == .browser {
            do throws(BrowserError) {
                let started = try environment.openBrowser(address)
                opener = started
                diagnostics.notice("\(started.program) is to open this address; if no page appears, open it yourself:")
            } catch {
                diagnostics.request("\(error); open this address in a browser on this machine:")
            }
        } else {
            diagnostics.request("open this address in a browser on this machine:")
        }
        diagnostics.address(address)
        diagnostics.notice("waiting for the answer; Ctrl-C gives up")
        return opener
    }
}
