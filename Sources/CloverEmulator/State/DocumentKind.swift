/// What a record that is kept as JSON is, which says what of it is shown only on request.
package enum DocumentKind: Sendable, Equatable {
    case order, lineItem, payment, customer, refund
    case table(Table)

    /// Members that come only when they are expanded.
    var hidden: Set<String> {
        switch self {
        case .order:
            [
                "lineItems", "discounts", "payments", "refunds", "customers", "credits", "voids", "serviceCharge",
                "orderFulfillmentEvent",
            ]
        case .lineItem: ["discounts", "modifications", "taxRates", "payments"]
        case .payment: ["cardTransaction", "taxRates", "refunds", "lineItemPayments"]
        case .customer: ["addresses", "emailAddresses", "phoneNumbers", "cards", "metadata", "orders"]
        case .table(.authorizations): ["cardTransaction", "externalReferenceId"]
        case .table(.credits): ["cardTransaction", "taxRates"]
        case .table(.items): ["taxRates", "modifierGroups", "categories", "tags", "options", "itemStock"]
        default: []
        }
    }

    /// Members that are references and become whole records when they are expanded.
    func referenced(_ member: String) -> DocumentKind? {
        switch (self, member) {
        case (_, "employee"), (_, "overrideInEmployee"), (_, "overrideOutEmployee"), (_, "owner"): .table(.employees)
        case (_, "device"): .table(.devices)
        case (_, "orderType"): .table(.orderTypes)
        case (_, "tender"), (_, "overrideMerchantTender"): .table(.tenders)
        case (_, "order"), (_, "orderRef"): .order
        case (_, "payment"), (_, "closingPayment"): .payment
        case (_, "credit"): .table(.credits)
        case (_, "modifierGroup"): .table(.modifierGroups)
        case (.order, "payments"), (.order, "voids"): .payment
        case (.order, "customers"): .customer
        default: nil
        }
    }

    /// What the entries of a collection inside the record are.
    func inside(_ member: String) -> DocumentKind? {
        self == .order && member == "lineItems" ? .lineItem : nil
    }
}
