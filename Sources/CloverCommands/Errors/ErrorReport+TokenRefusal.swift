import CloverCore

extension ErrorReport {
    /// A 401, with what was found out about it.
    init(_ refusal: TokenRefusal) {
        let said = refusal.message.map { " (the service says: \($0))" } ?? ""
        let check = "see what it opens: clover auth status --check"
        self.init(
            code: "unauthorized", status: .notAuthorized, message: "", http: 401, path: Self.path(of: refusal.url))
        switch refusal.cause {
        case .permissionMissing(let permission, let isWriting):
            code = "permission_missing"
            message = "the token is good, but it may not \(isWriting ? "change" : "read") \(refusal.path)\(said)"
            hints = [
                "the app needs the permission \(permission ?? "for it"), set in Clover's developer dashboard",
                "a permission counts after the merchant has uninstalled and installed the app again, and you have signed in again",
            ]
        case .otherMerchant(let owner):
            code = "wrong_merchant"
            message = "the token belongs to merchant \(owner), not to \(refusal.merchantID)\(said)"
            hints = [
                refusal.source == .environment
                    ? "set CLOVER_MERCHANT_ID to \(owner), or CLOVER_ACCESS_TOKEN to a token of \(refusal.merchantID)"
                    : "sign in to the merchant that is meant: clover auth login",
                "the sign-ins that there are: clover auth list",
            ]
        case .otherMerchantInPath(let named):
            code = "wrong_merchant"
            message = "the path names merchant \(named), and the token is of \(refusal.merchantID)\(said)"
            hints = [
                "a path without a merchant is of the merchant that is signed in: orders, items/ID",
                "the sign-ins that there are: clover auth list",
            ]
        case .ended(let seconds):
            code = "token_expired"
            let means = refusal.isRenewable ? "it can be renewed" : "there is nothing to renew it with"
            message = "the token ended \(seconds) s ago, and \(means)\(said)"
            hints = [
                refusal.isRenewable
                    ? "the next command renews it: run this one again" : "sign in again: clover auth login"
            ]
        case .notAccepted:
            message = "the service does not accept the token: \(refusal.url.prefix { $0 != "?" })\(said)"
            hints = Self.environmentHints(refusal) + [Self.tokenHint(refusal), check]
        }
    }

    /// A token is good in one environment only (Clover: 401 unauthorized).
    private static func environmentHints(_ refusal: TokenRefusal) -> [String] {
        var hints: [String] = []
        if refusal.isEnvironmentAssumed {
            hints.append(
                "it was sent to \(refusal.environment), because no environment was named; a token of another one is good "
                    + "there only: --environment sandbox, us, eu or la")
        } else {
            hints.append("it was sent to \(refusal.environment); a token of another environment is good there only")
        }
        if !refusal.elsewhere.isEmpty {
            hints.append(
                "there are sign-ins to merchant \(refusal.merchantID) in: "
                    + refusal.elsewhere.map { "--environment \($0)" }.joined(separator: ", "))
        }
        return hints
    }

    private static func tokenHint(_ refusal: TokenRefusal) -> String {
        switch refusal.source {
        case .environment:
            "the token of CLOVER_ACCESS_TOKEN may be mistyped, withdrawn, of another merchant, or have ended, which nothing "
                + "here can tell"
        case .cache, .keyring:
            refusal.isRenewable
                ? "the token has not ended by the clock: the merchant may have uninstalled the app; sign in again: clover auth login"
                : "the kept token may have been withdrawn, or be of another merchant: sign in with clover auth login, or keep another "
                    + "token of a merchant's own with --with-token; one of the legacy flow becomes new ones by clover auth migrate"
        }
    }
}
