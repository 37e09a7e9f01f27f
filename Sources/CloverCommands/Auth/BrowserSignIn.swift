import CloverAPI
import CloverAuth
import CloverCallback
import CloverCore
import CloverHTTP
import Synchronization

/// `auth login`: a merchant approves in a browser, the redirect reaches a listener on this machine or is pasted, and its
/// code is exchanged for tokens (RFC 8252; Clover: OAuth flow for low-trust apps).
struct BrowserSignIn: Sendable {
    enum Way: Sendable {
        /// Opens the default browser.
        case browser
        /// Prints the address for the user to open.
        case printedAddress
        /// Prints the address, and reads the redirected address from standard input.
        case paste
    }

    let attempt: SignInAttempt
    let way: Way
    /// The listener's port on this machine.
    let callbackPort: Int
    /// The redirect URI if the address is pasted; nil for the listener's address.
    let redirectURI: String?
    /// Timeout for the browser, in seconds.
    let timeout: Double

    /// A fixed port, because Clover compares the redirect URI with the one registered for the app.
    static let defaultCallbackPort = 8976
    static let callbackPath = "/callback"

    func run(in environment: CommandEnvironment) async throws -> SignedIn {
        // Before the merchant approves anything: rewriting the current choice proves that files can be written.
        let store = try environment.credentialStore()
        try await store.setCurrentChoice(try await store.currentChoice())
        try await store.prepare()
        // If the keyring was requested but does not work, report that before any problem with stored tokens.
        if attempt.isInKeyring { try await environment.secretVault().probe() }
        try await checkKept(in: store, environment.diagnostics)
        return way == .paste ? try await paste(in: environment) : try await listen(in: environment)
    }

    /// Checks that stored tokens which the new ones may replace can be read. Otherwise an unreadable file or keyring would
    /// show only when the code is about to be spent. If no merchant is named, these are all sign-ins of the app.
    private func checkKept(in store: any CredentialStore, _ diagnostics: Diagnostics) async throws {
        let target = attempt.target
        func look(at key: CredentialKey) async throws(CredentialError) {
            _ = try await SignInAttempt.replaced(attempt.isInKeyring) { () async throws(CredentialError) in
                try await store.load(key)
            }
        }
        guard target.merchantID == nil else { return try await look(at: try target.key(merchantID: nil)) }
        for key in try await store.keys() where key.environment == target.service.name && key.appID == target.appID {
            do throws(CredentialError) {
                try await look(at: key)
            } catch {
                diagnostics.notice(
                    "cannot replace the stored sign-in to merchant \(key.merchantID); to sign in to another merchant of "
                        + "the app, add --merchant")
                throw error
            }
        }
    }

    private func paste(in environment: CommandEnvironment) async throws -> SignedIn {
        let redirect = redirectURI ?? "http://127.0.0.1:\(callbackPort)\(Self.callbackPath)"
        let state = RandomText.state()
        let diagnostics = environment.diagnostics
        diagnostics.request("open this address in a browser, on any machine:")
        diagnostics.address(attempt.address(redirectURI: redirect, state: state))
        let line = try await withTimeLimit(isPasted: true, in: environment) {
            try await InputLine.pasted(in: environment) { try await Self.pastedLine(in: environment) }
        }
        return try await attempt.finish(line.exposed, state: .expectUnlessError(state), in: environment)
    }

    /// Reads the address without echo: its code is a secret until it is spent, and terminals keep their output.
    private static func pastedLine(in environment: CommandEnvironment) async throws -> [UInt8]? {
        let diagnostics = environment.diagnostics
        let prompt = "then paste the address that the browser was redirected to, and press Return"
        guard environment.terminal.isInputTerminal else {
            diagnostics.request(prompt + ":")
            return try await environment.readInputLine(SecretInput.maximumLine, true)
        }
        return try await environment.readHiddenLine(SecretInput.maximumLine) {
            diagnostics.request(prompt + " (input is hidden):")
        }
    }

    private func withTimeLimit<Value: Sendable>(
        isPasted: Bool, in environment: CommandEnvironment, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await TimeLimit.run(
            seconds: timeout, sleep: environment.sleep,
            timeRanOut: { CoreError.noCallback(seconds: timeout, isPasted: isPasted) }, body)
    }

    private func listen(in environment: CommandEnvironment) async throws -> SignedIn {
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
        let state = RandomText.state()
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
            let signedIn = try await wait(listener, state, in: environment)
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
        _ listener: CallbackListener, _ state: String, in environment: CommandEnvironment
    ) async throws -> SignedIn {
        let opener = show(attempt.address(redirectURI: listener.redirectURI, state: state), in: environment)
        let callback = try await withTimeLimit(isPasted: false, in: environment) {
            // Cancelled as soon as the callback arrives.
            async let _ = Self.watch(opener, in: environment)
            return try await listener.callback()
        }
        do {
            let signedIn = try await attempt.finish(callback.url, state: .expect(state), in: environment)
            await callback.answer(
                .success(
                    headline: "You are signed in",
                    detail: "clover now works with \(signedIn.key.words)."))
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
        case is SignInError, is OAuthError, is CredentialError: "\(error)"
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
