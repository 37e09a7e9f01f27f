/// The filter fields of each endpoint, in the order of the `X-Clover-Allowed-Filter-Fields` header (Clover REST
/// documentation, applying filters; recorded headers; clients generated from the official description).
package enum FilterFields {
    package static let orders: [FilterField] = [
        .init("employee.id"), .init("employee.name", .name), .init("note", .name), .init("modifiedTime", .integer),
        .init("createdTime", .integer), .init("clientCreatedTime", .integer), .init("deletedTime", .integer),
        .init("orderType"), .init("touched", .boolean), .init("cardTransaction.last4"),
        .init("manualTransaction", .boolean), .init("title", .name), .init("device.id"), .init("externalReferenceId"),
        .init("total", .integer), .init("payType", .caseless), .init("testMode", .boolean), .init("id"),
        .init("state", .caseless), .init("customer.id"),
    ]

    package static let payments: [FilterField] = [
        .init("modifiedTime", .integer), .init("createdTime", .integer), .init("clientCreatedTime", .integer),
        .init("device.id"), .init("externalReferenceId"), .init("externalPaymentId"), .init("result", .caseless),
        .init("offline", .boolean), .init("voided", .boolean), .init("id"), .init("tender.id"), .init("employee.id"),
        .init("order.modifiedTime", .integer), .init("amount", .integer), .init("cardType", .caseless),
    ]

    package static let customers: [FilterField] = [
        .init("customerSince", .integer), .init("deletedTime", .integer), .init("emailAddress"),
        .init("firstName", .name), .init("fullName", .name), .init("id"), .init("lastName", .name),
        .init("marketingAllowed", .boolean), .init("phoneNumber"),
    ]

    package static let employees: [FilterField] = [
        .init("modifiedTime", .integer), .init("role", .caseless), .init("role.id"), .init("customId"), .init("pin"),
        .init("name", .name), .init("nickname", .name), .init("id"), .init("deletedTime", .integer), .init("email"),
    ]

    /// `categoryId` is in no documented list but works (live sandbox notes).
    package static let items: [FilterField] = [
        .init("name", .name), .init("alternateName", .name), .init("id"), .init("item.id"), .init("sku"),
        .init("itemCode"), .init("price", .integer), .init("hidden", .boolean), .init("available", .boolean),
        .init("autoManage", .boolean), .init("deleted", .boolean), .init("modifiedTime", .integer),
        .init("lowStock", .boolean), .init("itemStock.quantity", .integer), .init("itemGroup.id"), .init("option.id"),
        .init("modifierGroup.id"), .init("tags.id"), .init("tags.name", .name), .init("defaultTaxRates", .boolean),
        .init("isRevenue", .boolean), .init("isAgeRestricted", .boolean), .init("ageRestrictedType"),
        .init("minimumAge", .integer), .init("categoryId"),
    ]

    package static let categories: [FilterField] = [
        .init("id"), .init("name", .name), .init("sortOrder", .integer), .init("colorCode"), .init("deleted", .boolean),
        .init("modifiedTime", .integer),
    ]

    package static let tags: [FilterField] = [
        .init("modifiedTime", .integer), .init("deleted", .boolean), .init("name", .name),
        .init("showInReporting", .boolean), .init("id"),
    ]

    package static let discounts: [FilterField] = [
        .init("amount", .integer), .init("modifiedtime", .integer), .init("percentage", .integer), .init("id"),
    ]

    package static let tenders: [FilterField] = [
        .init("modifiedTime", .integer), .init("visible", .boolean), .init("merchantId"), .init("instruction"),
        .init("systemTenderId"), .init("label", .name), .init("id"), .init("labelKey"),
        .init("opensCashDrawer", .boolean), .init("deletedTime", .integer), .init("enabled", .boolean),
    ]

    package static let roles: [FilterField] = [
        .init("modifiedTime", .integer), .init("systemRole", .caseless), .init("name", .name), .init("id"),
        .init("deletedTime", .integer),
    ]

    package static let devices: [FilterField] = [
        .init("serial"), .init("name", .name), .init("merchant.id"), .init("merchant.name", .name),
        .init("deviceTypeName"), .init("model"), .init("id"), .init("deleted_time", .integer), .init("orderPrefix"),
    ]

    package static let modifierGroups: [FilterField] = [
        .init("modifiedTime", .integer), .init("category.id"), .init("negativeSortOrder", .integer), .init("item.id"),
        .init("sortOrder", .integer), .init("name", .name), .init("id"), .init("showByDefault", .boolean),
    ]

    package static let modifiers: [FilterField] = [
        .init("modifiedTime", .integer), .init("price", .integer), .init("name", .name), .init("alternateName", .name),
        .init("id"), .init("modifierGroup.id"),
    ]

    package static let taxRates: [FilterField] = [
        .init("isDefault", .boolean), .init("rate", .integer), .init("items.id"), .init("name", .name), .init("id"),
        .init("taxAmount", .integer), .init("taxType", .caseless),
    ]

    package static let orderTypes: [FilterField] = [.init("id"), .init("deletedTime", .integer)]

    package static let tipSuggestions: [FilterField] = [
        .init("flatTip", .boolean), .init("percentage", .integer), .init("name", .name), .init("id"),
        .init("enabled", .boolean),
    ]
}

/// A field that an endpoint accepts in filters and in `orderBy`.
package struct FilterField: Sendable {
    /// How a field's values are parsed and compared.
    package enum Kind: Sendable {
        case integer
        case boolean
        /// Compared exactly.
        case text
        /// Compared exactly; a trailing `*` matches any ending (live sandbox notes, names of items).
        case name
        /// Compared case-insensitively: the service itself returns mixed case (recorded responses, order states).
        case caseless
    }

    package let name: String
    package let kind: Kind

    package init(_ name: String, _ kind: Kind = .text) {
        self.name = name
        self.kind = kind
    }
}
