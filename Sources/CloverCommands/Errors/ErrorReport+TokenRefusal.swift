import CloverCore

extension ErrorReport {
    /// A 401, with its cause as far as it was found out.
    init(_ refusal: TokenRefusal) {
        let quoted = refusal.message.map { " (the service says: \($0))" } ?? ""
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
        var hints: [String] = []
        if refusal.isEnvironmentAssumed {
            hints.append(
                "it was sent to \(refusal.environment), because no environment was named; a token of another environment is valid "
                    + "only there: --environment sandbox, us, eu or la")
        } else {
            hints.append("it was sent to \(refusal.environment); a token of another environment is valid only there")
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
