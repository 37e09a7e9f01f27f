import CloverAuth
import CloverCore
import CloverHTTP

extension ErrorReport {
    /// Errors of a token request to the service.
    init(_ error: OAuthError) {
        switch error {
        case .refused(let http, let message):
            self.init(
                code: "sign_in_refused", status: .notAuthorized,
                message: "the service did not accept the code or token\(Self.quoted(message))",
                hints: [
                    "a code can be used once, for about a minute: start again with 'clover auth login'",
                    "check the app's id, its secret if it has one, and the environment",
                ], http: http)
        case .notSent(let error):
            self = Self.unreachable(error)
        case .outcomeUnknown(.transport(let error)):
            self = Self.unreachable(error)
            hints = ["the code may be used up: start again with 'clover auth login'"]
        case .outcomeUnknown(.status(let http, let message)):
            self.init(
                code: "service_failed", status: .unavailable,
                message: "the service failed (\(http)) when it was asked for tokens\(Self.quoted(message))",
                hints: ["the code may be used up: start again with 'clover auth login'"], http: http)
        case .outcomeUnknown(.unreadable(let http)):
            self.init(
                code: "unreadable", status: .nonsense, message: "the service's response contains no tokens",
                hints: ["check the environment's address; the code may be used up"], http: http)
        case .rateLimited(let seconds):
            let after = seconds.map { " for \(Int($0.rounded(.up))) s more" } ?? ""
            self.init(
                code: "rate_limited", status: .tryAgain, message: "the service limits requests\(after)",
                hints: ["try again later"], http: 429)
        case .redirected(let http, let location):
            self.init(
                code: "redirected", status: .nonsense,
                message:
                    "the service redirects\(location.map { " to '\($0)'" } ?? ""): not followed, because the request contained a secret",
                hints: ["check the environment's address"], http: http)
        case .refusedOtherwise(let http, let message):
            self.init(
                code: "refused", status: .notAuthorized,
                message:
                    "the service did not renew the tokens (\(http))\(Self.quoted(message)), and did not say that they cannot be",
                hints: [
                    "the next command asks again; check the app's id and the environment: clover auth status",
                    "if this persists, sign in again: clover auth login",
                ], http: http)
        case .otherStatus(let http, let message):
            self.init(
                // Without a message from the service, a 403 is as likely to come from a firewall.
                code: "refused", status: http == 403 && message != nil ? .notAuthorized : .nonsense,
                message: "the service responded with \(http) when it was asked for tokens\(Self.quoted(message))",
                hints: ["check the environment's address, and that no proxy responds for the service"], http: http
            )
        }
    }

    /// A token request during a sign-in, whose kind determines what may be wrong.
    init(_ error: OAuthError, during occasion: SignInAttempt.Occasion) {
        self.init(error)
        let isSpent: Bool
        switch error {
        case .refused(let http, _):
            hints = Self.refusalHints(occasion, isAboutApp: http == 401)
            return
        case .outcomeUnknown: isSpent = true
        case .notSent, .rateLimited, .redirected, .otherStatus, .refusedOtherwise: isSpent = false
        }
        guard isSpent else { return }
        hints =
            switch occasion {
            case .migration: ["the legacy token is unchanged: run it again"]
            case .login: ["the code may be used up: run it again from the start"]
            case .receive: ["the code may be used up: get a new one from the same source"]
            }
    }

    /// What to check after a refusal. A 401 more likely means an unknown app or a wrong secret.
    private static func refusalHints(_ occasion: SignInAttempt.Occasion, isAboutApp: Bool) -> [String] {
        func app(_ hasSecret: Bool) -> String {
            hasSecret
                ? "check the app's secret, its id, and the environment" : "check the app's id and the environment"
        }
        switch occasion {
        case .login(let hasSecret):
            let code = "a code can be used once, for about a minute: run it again, and approve without delay"
            return isAboutApp ? [app(hasSecret), code] : [code, app(hasSecret)]
        case .receive(let hasSecret, let hasVerifier):
            let code = "a code can be used once, for about a minute: get a new one from the same source"
            if hasSecret { return isAboutApp ? [app(true), code] : [code, app(true)] }
            let proof =
                hasVerifier
                ? "check that --code-verifier-file has the verifier whose challenge was used to request this code"
                : "a code requested with PKCE needs --code-verifier-file, one of an app with a secret --app-secret-file"
            return isAboutApp ? [app(false), proof, code] : [proof, code, app(false)]
        case .migration:
            return [
                "check that the token was issued to this app in the legacy flow, for this merchant",
                app(false) + ", and the app's secret if it has one", "the token is unchanged",
            ]
        }
    }

    /// Tokens that could not be renewed.
    init(_ error: RefreshError) {
        let signIn = "sign in again: clover auth login"
        switch error {
        case .notSignedIn(let key):
            self.init(
                code: "not_signed_in", status: .notAuthorized,
                message: "not signed in to merchant \(key.merchantID) (\(key.environment))", hints: [signIn])
        case .notRenewable(.staticToken):
            self.init(
                code: "not_renewable", status: .usage,
                message: "a merchant's own token is never renewed: it is valid until it is revoked at Clover")
        case .notRenewable(.legacy):
            self.init(
                code: "not_renewable", status: .usage, message: "a token of the legacy flow cannot be renewed",
                hints: ["exchange it for tokens that can be renewed: clover auth migrate"])
        case .notRenewable(.oauth), .noRefreshToken:
            self.init(
                code: "not_signed_in", status: .notAuthorized,
                message:
                    "a new sign-in is needed: the service issued nothing to renew the access token with",
                hints: [signIn])
        case .refused(let http, let message, let at):
            self.init(
                code: "refresh_refused", status: .notAuthorized,
                message: "a new sign-in is needed: the service refused the refresh token\(Self.quoted(message)) at "
                    + InstantText.utc(milliseconds: at),
                hints: [signIn, "the service is not asked again about this token"], http: http)
        case .lost(let at):
            self.init(
                code: "refresh_lost", status: .notAuthorized,
                message: "a new sign-in is needed: the service renewed the tokens at "
                    + "\(InstantText.utc(milliseconds: at)), but its response with the new ones never arrived or could not be "
                    + "stored, and the old ones are used up",
                hints: [signIn, "a refresh token can be used once, so nothing else can fix this"])
        case .unreachable(let error):
            self = Self.unreachable(error)
            hints.append("the tokens could not be renewed; nothing was used up")
        case .unavailable(let cause):
            self.init(OAuthError.outcomeUnknown(cause))
            hints = ["the tokens may be valid or used up; the next command finds out"]
        case .rateLimited(let seconds):
            self.init(OAuthError.rateLimited(retryAfter: seconds))
        case .service(let error):
            self.init(error)
        case .credential(let error):
            self.init(error)
        case .notKept(let error):
            self.init(error)
            message = "the service renewed the tokens, but they could not be stored: \(message)"
            hints += ["the old tokens are used up: when that is fixed, \(signIn)"]
        case .cancelled:
            self.init(code: "cancelled", status: .unclassified, message: "\(error)")
        }
    }

    private static func quoted(_ message: String?) -> String {
        message.map { " (the service says: \($0))" } ?? ""
    }

    private static func unreachable(_ error: HTTPTransportError) -> ErrorReport {
        unreachable(error, url: nil, retries: 0, when: " when it was asked for tokens")
    }
}
