package import CloverHTTP
import Crypto

/// Whom a budget belongs to: one token at one service, one merchant's app, whose tokens follow each other, or an app with
/// all its tokens.
package struct LedgerScope: Hashable, Sendable {
    /// Name of the ledger's files without their endings: 32 hexadecimal digits, from which the token cannot be told.
    package let fileName: String

    /// The scope of `token` at the service with this base URL. All processes must spell the URL the same way.
    package init(service: String, token: Secret) {
        self.init(parts: [service, token.exposed])
    }

    /// The scope of the tokens that `appID` is issued for `merchantID`: a renewed token goes on with the budget of the
    /// one before it, so that renewing never allows a burst.
    package init(service: String, merchantID: String, appID: String) {
        self.init(parts: [service, merchantID, appID])
    }

    /// The scope of all tokens of an app at the service, whoever's they are.
    package init(service: String, appID: String) {
        // No merchant has an empty id, so that this is nobody else's scope.
        self.init(parts: [service, "", appID])
    }

    private init(parts: [String]) {
        var hash = SHA256()
        for (index, part) in parts.enumerated() {
            // No part holds a zero byte, so that two of them cannot run into each other.
            if index > 0 { hash.update(data: [0]) }
            hash.update(data: Array(part.utf8))
        }
        fileName = hash.finalize().prefix(16).hexadecimalDigits
    }
}
