package import CloverHTTP

/// Where a client takes the token of each request from: one that stays, or one that is renewed while the client works.
package protocol AccessTokenSource: Sendable {
    /// The token for a request that is about to leave; renewed first when that is due.
    func token() async throws -> Secret

    /// The service did not accept `refused`: another token that is worth one more try; nil when there is none.
    func replacement(for refused: Secret) async throws -> Secret?
}

/// A token that stays as it is, such as a merchant's own.
package struct FixedToken: AccessTokenSource {
    private let secret: Secret

    package init(_ secret: Secret) {
        self.secret = secret
    }

    package func token() async -> Secret { secret }

    package func replacement(for refused: Secret) async -> Secret? { nil }
}
