package import CloverHTTP

/// Supplies the token for each request: a fixed one, or one that is renewed while the client runs.
package protocol AccessTokenSource: Sendable {
    /// The token for the next request, renewed first if due.
    func token() async throws -> Secret

    /// Returns a different token for one retry after the service responded 401 to `refused`; nil if there is none.
    ///
    /// - Parameter isGood: asks the service about the token itself, because a missing permission is also a 401, and a
    ///   new token does not help then (Clover: 401 unauthorized). Called only before a token would be renewed.
    func replacement(for refused: Secret, isGood: () async throws -> Bool) async throws -> Secret?

    /// Called if the service also responded 401 to the token from `replacement`.
    func noteRefusal(ofReplacement token: Secret) async

    /// Called if the service responded 401 to `token` and `replacement` threw this error.
    ///
    /// - Parameter lacksAllPermissions: asks the service for several families of records; true only if all of them were
    ///   refused, unlike with a token that merely lacks some permission.
    func noteFailure(_ error: any Error, toReplace token: Secret, lacksAllPermissions: () async throws -> Bool) async
}

extension AccessTokenSource {
    package func noteRefusal(ofReplacement token: Secret) async {}

    package func noteFailure(
        _ error: any Error, toReplace token: Secret, lacksAllPermissions: () async throws -> Bool
    ) async {}
}

/// A token that does not change, such as a merchant API token.
package struct FixedToken: AccessTokenSource {
    private let secret: Secret

    package init(_ secret: Secret) {
        self.secret = secret
    }

    package func token() async -> Secret { secret }

    package func replacement(for refused: Secret, isGood: () async throws -> Bool) async -> Secret? { nil }
}

/// Requests that tell a bad token from a missing permission, which get the same response: a token is good if any of
/// them succeeds (Clover: 401 unauthorized).
package struct PermissionProbe: Sendable {
    /// The permission's name in Clover's developer dashboard.
    package let permission: String
    private let family: String

    package func path(_ merchantID: String) -> String { "/v3/merchants/\(merchantID)\(family)" }
    package var query: String { family.isEmpty ? "" : "limit=1" }

    package static let all = [
        PermissionProbe(permission: "MERCHANT_R", family: ""),
        PermissionProbe(permission: "ORDERS_R", family: "/orders"),
        PermissionProbe(permission: "PAYMENTS_R", family: "/payments"),
        PermissionProbe(permission: "INVENTORY_R", family: "/items"),
        PermissionProbe(permission: "CUSTOMERS_R", family: "/customers"),
        PermissionProbe(permission: "EMPLOYEES_R", family: "/employees"),
    ]
}
