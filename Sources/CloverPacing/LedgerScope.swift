package import CloverHTTP
import Crypto

/// Whom a budget belongs to: one token at one service.
package struct LedgerScope: Hashable, Sendable {
    /// Name of the ledger's files without their endings: 32 hexadecimal digits, from which the token cannot be told.
    package let fileName: String

    /// The scope of `token` at the service with this base URL. All processes must spell the URL the same way.
    package init(service: String, token: Secret) {
        var hash = SHA256()
        hash.update(data: Array(service.utf8))
        // No URL holds a zero byte, so that the two parts cannot run into each other.
        hash.update(data: [0])
        hash.update(data: Array(token.exposed.utf8))
        let digits = Array("0123456789abcdef".utf8)
        let name = hash.finalize().prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        fileName = String(decoding: name, as: UTF8.self)
    }
}
