/// Names of the catalogue that no answer can show to work, and why. Everything else is proved.
enum Unprovable {
    /// A list's own names given by mistake: Clover lists what the owner has, or what is found nowhere else.
    private static let slips: [String: [String]] = [
        "categories/{catId}/items": ["modifierRates", "items"],
        "modifier_groups/{modGroupId}/modifiers": ["modifiers", "items"],
        "tags/{tagId}/items": ["items", "printers"],
        "tax_rates/{taxId}/items": ["items"],
    ]

    static func expansions(of path: String) -> [String] {
        if let names = slips[path] { return names }
        switch path {
        // The columns of the text are the same whatever is expanded.
        case "customers.csv": return ["addresses", "emailAddresses", "phoneNumbers", "cards", "metadata"]
        // A payment that went wrong was not paid back, and paid for no line.
        case "orders": return ["voids.lineItemPayments", "voids.refunds"]
        default: return []
        }
    }

    static func filters(of path: String) -> [String] {
        switch path {
        // The list is that of expand: a slip, so that Clover itself is asked about names.
        case "employees/{empId}/orders":
            return [
                "lineItems", "serviceCharge", "discounts", "credits", "payments", "customers", "orderFulfillmentEvent",
                "refunds",
            ]
        // The list is the category's: no item has these.
        case "categories/{catId}/items": return ["sortOrder", "colorCode"]
        // What a filter would do to one record, no source says.
        case "customers/{customerId}":
            return [
                "customerSince", "firstName", "lastName", "emailAddress", "phoneNumber", "marketingAllowed", "fullName",
                "id", "deletedTime",
            ]
        case "attributes/{attributeId}/options/{optionId}":
            return ["modifiedTime", "item.id", "name", "attribute.id", "id", "deletedTime"]
        default: return []
        }
    }
}
