/// Requests that tell a bad token from a missing permission, which get the same response: a token is good if any of
/// them succeeds (Clover: 401 unauthorized).
package struct PermissionProbe: Sendable {
    /// The permission's name in Clover's developer dashboard.
    package let permission: String
    private let family: String

    /// The percent-encoded path.
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
