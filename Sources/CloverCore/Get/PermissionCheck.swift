import CloverAPI

/// What a 401 means.
enum PermissionCheck {
    /// Clover answers alike to a bad token and to a missing permission. When it does answer for the merchant itself,
    /// the token is good: then this is `CoreError.permissionMissing`, and otherwise the error itself.
    static func explained(
        _ error: any Error, path: ResourcePath, merchantID: String, client: ServiceClient
    ) async throws -> any Error {
        guard case ServiceError.unauthorized = error, let endpoint = path.endpoint else { return error }
        let merchant = client.url(path: "/v3/merchants/\(merchantID)", query: "")
        let isMerchant = endpoint.method == .get && endpoint.path == "/v3/merchants/{mId}"
        guard !isMerchant, try await client.isAllowed(merchant) else { return error }
        return CoreError.permissionMissing(
            path: path.display, permission: endpoint.permission, isWriting: endpoint.method != .get)
    }
}
