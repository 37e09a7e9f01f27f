package import CloverHTTP

/// Where a client takes the token of each request from: one that stays, or one that is renewed while the client works.
package protocol AccessTokenSource: Sendable {
    /// The token for a request that is about to leave; renewed first when that is due.
    func token() async throws -> Secret

    /// The service answered 401 to `refused`: another token that is worth one more try; nil when there is none.
    ///
    /// - Parameter isGood: asks the service about the token itself, because a missing permission is a 401 too, and no
    ///   new token mends that (Clover: 401 unauthorized). It is asked only before a token would be renewed.
    func replacement(for refused: Secret, isGood: () async throws -> Bool) async throws -> Secret?

    /// The service answered 401 to what `replacement` gave, too.
    func noteRefusal(ofReplacement token: Secret) async

    /// The service answered 401 to `token`, and `replacement` threw this error.
    ///
    /// - Parameter opensNothing: asks the service for several families of records; true only when each of them was refused,
    ///   which a token that lacks some permission is not.
    func noteFailure(_ error: any Error, toReplace token: Secret, opensNothing: () async throws -> Bool) async
}

extension AccessTokenSource {
    package func noteRefusal(ofReplacement token: Secret) async {}

    package func noteFailure(
        _ error: any Error, toReplace token: Secret, opensNothing: () async throws -> Bool
    ) async {}
}

/// A token that stays as it is, such as a merchant's own.
package struct FixedToken: AccessTokenSource {
    private let secret: Secret

    package init(_ secret: Secret) {
        self.secret = secret
    }

    package func token() async -> Secret { secret }

    package func replacement(for refused: Secret, isGood: () async throws -> Bool) async -> Secret? { nil }
}
