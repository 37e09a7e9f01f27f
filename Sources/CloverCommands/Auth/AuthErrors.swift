import CloverAuth
import CloverCallback
import CloverCore
import CloverHTTP
import Glibc

extension ErrorReport {
    /// A browser response that is not what was asked for.
    init(_ error: SignInError) {
        switch error {
        case .malformedVerifier:
            self.init(code: "bad_verifier", status: .usage, message: "\(error)")
            hints = ["the file must have the verifier that the challenge was made from (RFC 7636), on one line"]
        case .notARedirect:
            self.init(code: "bad_address", status: .usage, message: "\(error)")
            hints = ["give the complete address that the browser was sent to, from the address bar"]
        case .malformedParameter, .repeatedParameter:
            self.init(code: "bad_address", status: .nonsense, message: "\(error)")
            hints = ["it was not used; start again, and use the address as the browser shows it"]
        case .missingState, .wrongState:
            self.init(code: "wrong_state", status: .notAuthorized, message: "\(error)")
            hints = ["it was not used; start again, and approve in the page of that same sign-in"]
        case .denied:
            self.init(code: "denied", status: .notAuthorized, message: "not signed in: \(error)")
            hints = ["run it again and approve, or ask someone who may install apps for the merchant to approve"]
        case .serviceError:
            self.init(code: "sign_in_failed", status: .notAuthorized, message: "not signed in: \(error)")
            hints = ["check the app's id and that the app is installed for the merchant"]
        case .otherApp:
            self.init(code: "other_app", status: .notAuthorized, message: "\(error)")
            hints = ["it was not used; name the app with --app-id"]
        case .otherMerchant:
            self.init(code: "other_merchant", status: .notAuthorized, message: "\(error)")
            hints = ["it was not used; sign in to the other merchant in the browser, or change --merchant"]
        case .malformedMerchant:
            self.init(code: "bad_merchant", status: .nonsense, message: "\(error)")
            hints = ["it was not used; start again, and name the merchant with --merchant"]
        case .noCode:
            self.init(code: "no_code", status: .notAuthorized, message: "not signed in: \(error)")
            hints = ["start again; the app's Default OAuth Response must be 'Code'"]
        case .unusableCode:
            self.init(code: "bad_code", status: .notAuthorized, message: "\(error)")
            hints = ["start again"]
        }
    }

    /// Errors of the listener for the browser's response.
    init(_ error: CallbackError) {
        switch error {
        case .portInUse(let port):
            self.init(
                code: "port_in_use", status: .tryAgain,
                message: "cannot listen on 127.0.0.1:\(port) for the browser's response: the port is in use",
                hints: [
                    "end the other program (another sign-in that is waiting?), or choose another port with --callback-port",
                    "the app's Site URL must begin with the address of that port; with --paste, no port is needed",
                ])
        case .cannotListen(let port, let number):
            self.init(
                code: "cannot_listen", status: .unavailable,
                message:
                    "cannot listen on 127.0.0.1:\(port) for the browser's response: \(String(cString: strerror(number)))",
                hints: ["choose another port with --callback-port (1024 or above), or use --paste"])
        case .alreadyTaken, .closed:
            self.init(code: "listener", status: .bug, message: "\(error)")
        }
    }

    /// Errors of the desktop's keyring.
    init(_ error: SecretVaultError) {
        let inFile = "the tokens are then stored in a file that only you can read"
        let (code, status, hints): (String, ExitStatus, [String]) =
            switch error {
            case .absent:
                (
                    "no_keyring", .unavailable,
                    [
                        "a keyring belongs to a desktop session, which cron and ssh do not have: sign in without --keyring",
                        inFile,
                    ]
                )
            case .noCollection:
                (
                    "no_keyring", .unavailable,
                    ["create a keyring in the desktop session and make it the default, or sign in without --keyring"]
                )
            case .locked:
                (
                    "keyring_locked", .notAuthorized,
                    ["unlock it in the desktop session, or sign in without --keyring"]
                )
            case .noAnswer: ("keyring_silent", .unavailable, ["restart it, or sign in without --keyring"])
            case .notKept: ("keyring_lost", .unavailable, ["sign in without --keyring: \(inFile)"])
            case .failed: ("keyring", .unavailable, ["sign in without --keyring"])
            }
        self.init(code: code, status: status, message: "\(error)", hints: hints)
        if case .failed(let detail) = error { message = "the keyring does not work: \(detail)" }
    }
}

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
        case .outcomeUnknown(.noAccessToken(let http, _, _)):
            // Even the refresh token that came instead brought none.
            self.init(
                code: "unreadable", status: .nonsense,
                message: "the service's responses contain a refresh token, but no access token",
                hints: ["check the environment's address; then start again with 'clover auth login'"], http: http)
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
                    "the service refused the request for tokens (\(http))\(Self.quoted(message)), and did not say that they "
                    + "cannot be renewed",
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
    init(_ error: OAuthError, during occasion: CoreError.SignInOccasion) {
        self.init(error)
        switch error {
        case .refused(let http, _): hints = Self.refusalHints(occasion, isAboutApp: http == 401)
        case .outcomeUnknown:
            hints =
                switch occasion {
                case .migration: ["the legacy token is unchanged: run it again"]
                case .login: ["the code may be used up: run it again from the start"]
                case .receive: ["the code may be used up: get a new one from the same source"]
                }
        case .notSent, .rateLimited, .redirected, .otherStatus, .refusedOtherwise: break
        }
    }

    /// What to check after a refusal. A 401 more likely means an unknown app or a wrong secret.
    private static func refusalHints(_ occasion: CoreError.SignInOccasion, isAboutApp: Bool) -> [String] {
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

    /// Tokens of this sign-in that could not be renewed.
    init(_ error: RefreshError, of key: CredentialKey) {
        let signIn = "sign in again: clover auth login"
        let needed = "a new sign-in to \(key.words) is needed"
        switch error {
        case .notSignedIn:
            self.init(
                code: "not_signed_in", status: .notAuthorized, message: "not signed in to \(key.words)",
                hints: [signIn])
        case .notRenewable(.staticToken):
            self.init(
                code: "not_renewable", status: .usage,
                message:
                    "the token of \(key.words) is the merchant's own, which is never renewed: it is valid until it "
                    + "is revoked at Clover",
                hints: ["if Clover does not accept it, make another one in the merchant's dashboard"])
        case .notRenewable(.legacy):
            self.init(
                code: "not_renewable", status: .usage,
                message: "the token of \(key.words) is of the legacy flow, and cannot be renewed",
                hints: ["exchange it for tokens that can be renewed: clover auth migrate"])
        case .notRenewable(.oauth), .noRefreshToken:
            self.init(
                code: "not_signed_in", status: .notAuthorized,
                message: "\(needed): the service issued nothing to renew the access token with", hints: [signIn])
        case .refused(let http, let message, let at):
            self.init(
                code: "refresh_refused", status: .notAuthorized,
                message: "\(needed): the service refused the refresh token\(Self.quoted(message)) at "
                    + InstantText.utc(milliseconds: at),
                hints: [signIn, "the service is not asked again about this token"], http: http)
        case .lost(let at):
            self.init(
                code: "refresh_lost", status: .notAuthorized,
                message: "\(needed): the service renewed the tokens at "
                    + "\(InstantText.utc(milliseconds: at)), but its response with the new ones never arrived or could not be "
                    + "stored, and the old ones are used up",
                hints: [signIn, "a refresh token can be used once"])
        case .unreachable(let error):
            self = Self.unreachable(error, url: nil, retries: 0).beginning("cannot renew the tokens of \(key.words)")
            hints.append("no token was used up")
        case .unavailable(let cause):
            self = Self(OAuthError.outcomeUnknown(cause)).beginning("cannot renew the tokens of \(key.words)")
            hints = ["the tokens may be valid or used up; the next command finds out"]
            if case .noAccessToken = cause { hints = ["the new refresh token is kept; the next command tries again"] }
        case .rateLimited(let seconds):
            self = Self(OAuthError.rateLimited(retryAfter: seconds))
                .beginning("cannot renew the tokens of \(key.words)")
        case .service(let error):
            self = Self(error).beginning("cannot renew the tokens of \(key.words)")
        case .credential(let error):
            self.init(error)
            // Most name the merchant, or its file.
            if !message.contains(key.merchantID) { self = beginning("cannot use the tokens of \(key.words)") }
        case .notKept(.tokensUnstored(let path, let error)):
            self = Self(CredentialError.tokensUnstored(path: path, error))
                .beginning("cannot store the new tokens of \(key.words)")
        case .notKept(let error):
            self.init(error)
            message = "the service renewed the tokens of \(key.words), but they could not be stored: \(message)"
            hints += ["the old tokens are used up: when that is fixed, \(signIn)"]
        case .cancelled:
            self.init(code: "cancelled", status: .unclassified, message: "\(error)")
        }
    }

    /// The same error, as the reason of what these words say.
    private func beginning(_ words: String) -> ErrorReport {
        var report = self
        report.message = "\(words): \(message)"
        return report
    }

    private static func quoted(_ message: String?) -> String {
        message.map { " (the service says: \($0))" } ?? ""
    }

    private static func unreachable(_ error: HTTPTransportError) -> ErrorReport {
        unreachable(error, url: nil, retries: 0, when: " when it was asked for tokens")
    }
}

extension ErrorReport {
    /// A 401, with its cause as far as it was found out.
    init(_ refusal: TokenRefusal) {
        let quoted = Self.quoted(refusal.message)
        let check = "to see what the token can access: clover auth status --check"
        self.init(
            code: "unauthorized", status: .notAuthorized, message: "", http: 401, path: Self.path(of: refusal.url))
        switch refusal.cause {
        case .permissionMissing(let permission, let isWriting):
            code = "permission_missing"
            message = "the token is valid, but it may not \(isWriting ? "change" : "read") \(refusal.path)\(quoted)"
            hints = [
                "the app needs the permission \(permission ?? "for it"), set in Clover's developer dashboard",
                "a permission takes effect after the merchant has uninstalled and reinstalled the app, and you have signed in again",
            ]
        case .otherMerchant(let owner):
            code = "wrong_merchant"
            message = "the token belongs to merchant \(owner), not to \(refusal.merchantID)\(quoted)"
            hints = [
                refusal.source == .environment
                    ? "set CLOVER_MERCHANT_ID to \(owner), or CLOVER_ACCESS_TOKEN to a token of \(refusal.merchantID)"
                    : "sign in to the right merchant: clover auth login",
                "to list the sign-ins: clover auth list",
            ]
        case .otherMerchantInPath(let named):
            code = "wrong_merchant"
            message = "the path names merchant \(named), but the token is for \(refusal.merchantID)\(quoted)"
            hints = [
                "a path without a merchant is relative to the one signed in to: orders, items/ID",
                "to list the sign-ins: clover auth list",
            ]
        case .ended(let seconds):
            code = "token_expired"
            let means = refusal.isRenewable ? "it can be renewed" : "there is nothing to renew it with"
            message = "the token expired \(seconds) s ago, and \(means)\(quoted)"
            hints = [
                refusal.isRenewable
                    ? "the next command renews it: run this one again" : "sign in again: clover auth login"
            ]
        case .notAccepted:
            message = "the service does not accept the token: \(refusal.url.prefix { $0 != "?" })\(quoted)"
            hints = Self.environmentHints(refusal) + [Self.tokenHint(refusal), check]
        }
    }

    /// A token is valid in one environment only (Clover: 401 unauthorized).
    private static func environmentHints(_ refusal: TokenRefusal) -> [String] {
        let sent = "it was sent to \(refusal.environment)"
        let hint =
            refusal.isEnvironmentAssumed
            ? sent + ", because no environment was named; a token of another environment is valid only there: "
                + "--environment sandbox, us, eu or la" : sent + "; a token of another environment is valid only there"
        guard !refusal.elsewhere.isEmpty else { return [hint] }
        let options = refusal.elsewhere.map { "--environment \($0)" }.joined(separator: ", ")
        return [hint, "there are sign-ins to merchant \(refusal.merchantID) in: \(options)"]
    }

    private static func tokenHint(_ refusal: TokenRefusal) -> String {
        switch refusal.source {
        case .environment:
            "the token in CLOVER_ACCESS_TOKEN may be mistyped, revoked, for another merchant, or expired; this cannot be "
                + "determined"
        case .cache, .keyring:
            refusal.isRenewable
                ? "the token has not expired by the clock: the merchant may have uninstalled the app; sign in again: clover auth login"
                : "the stored token may have been revoked, or be for another merchant: sign in with clover auth login, or store another "
                    + "token of a merchant's own with --with-token; exchange a legacy token with clover auth migrate"
        }
    }
}
