/// What the records of a model are filtered by, as jq expressions over the record as it is shown with all its
/// expansions. A filter that is not here is the path of a member. `$c` is ``FilterContext``.
enum FilterTruth {
    static let definitions = """
        def at($path): if $path == [] then (if type == "object" and has("elements") then .elements[] else . end)
            elif type == "object" and has("elements") and (has($path[0]) | not) then .elements[] | at($path)
            elif type == "object" and has($path[0]) then .[$path[0]] | at($path[1:]) else empty end;
        def changed($table): .id as $id | $c[$table] | index($id) | if . == null then empty
            else $c.merchant.createdTime + 3600000 * (. * 7 % 500) end;
        def given: select(. != null);
        def key: .id // "\\(.timestamp) \\(.type) \\(.employee.id)";
        """

    /// What is expanded beside everything that the list itself names.
    static func expansion(of operation: CatalogueOperation) -> [String] {
        let names = operation.expandNames.filter { !$0.contains(".") }
        return operation.model == "order.Order" ? names + ["payments.cardTransaction"] : names
    }

    static func expression(_ filter: String, of operation: CatalogueOperation) -> String {
        // What an item is filtered by is the same in every list of items.
        if operation.model == "inventory.Item", operation.shortPath != "items" {
            return "$c.items[.id][\"\(filter)\"][]?"
        }
        if let expression = special[operation.model]?[filter] { return expression }
        return "at([\(filter.split(separator: ".").map { "\"\($0)\"" }.joined(separator: ","))])"
            + " | select(type != \"object\" and type != \"array\")"
    }

    private static let special: [String: [String: String]] = [
        "employees.Employee": ["modifiedTime": changed("employees"), "role.id": ".roles.elements[]?.id"],
        "employees.Role": ["modifiedTime": changed("roles")],
        "employees.Shift": [
            "in_time": ".inTime | given", "out_time": ".outTime | given", "override_in_time": ".overrideInTime | given",
            "in_and_override_time": ".overrideInTime // .inTime | given",
            "out_and_override_time": ".overrideOutTime // .outTime | given", "has_in_time": "has(\"inTime\")",
            "server_banking": ".serverBanking",
        ],
        "base.Tender": [
            "modifiedTime": changed("tenders"), "merchantId": "$c.merchant.id", "instruction": ".instructions | given",
            "systemTenderId": ".id as $id | \"SYSTEM-TENDER-\\($c.tenders | index($id))\"",
        ],
        "device.Device": ["merchant.name": "$c.merchant.name"],
        "order.OrderFee": [
            "amount": "select(.name == \"Delivery fee\") | 250",
            "serviceChargeUuid": "select(.name != \"Delivery fee\") | $c.serviceCharge",
        ],
        "merchant.TipSuggestion": ["flatTip": "false", "enabled": ".isEnabled"],
        "customers.Customer": [
            "emailAddress": ".emailAddresses.elements[]?.emailAddress",
            "phoneNumber": ".phoneNumbers.elements[]?.phoneNumber",
            "fullName": "[.firstName, .lastName] | map(given) | join(\" \")",
        ],
        "payments.Payment": ["voided": ".result == \"VOIDED\"", "cardType": ".cardTransaction.cardType | given"],
        "payments.Authorization": [
            "orderId": ".payment.order.id", "orderModifiedTime": "$c.orders[.payment.order.id].modifiedTime",
            "device.id": ".payment.device.id", "result": ".payment.result", "paymentId": ".payment.id",
            "externalReferenceId": "$c.orders[.payment.order.id].externalReferenceId | given",
            "closingPaymentId": ".closingPayment.id", "merchantId": "$c.merchant.id",
        ],
        "payments.Credit": [
            "reason": "\"Goodwill\"", "failed": "false", "merchantId": "$c.merchant.id",
            "cardType": ".cardTransaction.cardType | given",
            "merchantTender.databaseId": ".tender.id as $id | 4000 + ($c.tenders | index($id))",
            "orderType.databaseId": "$c.orders[.orderRef.id].orderType as $id | 5000 + ($c.order_types | index($id))",
        ],
        "inventory.Attribute": ["modifiedTime": changed("attributes")],
        "inventory.Option": ["modifiedTime": changed("options"), "item.id": items(having: "option.id")],
        "inventory.Discount": ["modifiedtime": changed("discounts")],
        "inventory.ItemGroup": ["modifiedTime": changed("item_groups")],
        "inventory.Modifier": ["modifiedTime": changed("modifiers")],
        "inventory.Tag": ["modifiedTime": changed("tags")],
        "inventory.ModifierGroup": [
            "modifiedTime": changed("modifier_groups"), "negativeSortOrder": "-.sortOrder",
            "item.id": items(having: "modifierGroup.id"),
            "category.id": ".id as $id | $c.items[] | select(.[\"modifierGroup.id\"] | index($id)) | .categoryId[]",
        ],
        "inventory.Item": [
            "item.id": ".id", "itemCode": ".code", "categoryId": ".categories.elements[]?.id",
            "option.id": ".options.elements[]?.id", "modifierGroup.id": ".modifierGroups.elements[]?.id",
            "lowStock": ".itemStock.quantity | given | . < 15",
            // The group has two attributes, and whatever has an option of theirs belongs to it.
            "itemGroup.id": "select(.options.elements[0]?) | $c.item_groups[0]",
            "ageRestrictedType": ".ageRestricted.ageRestrictedType | given",
            "minimumAge": ".ageRestricted.minimumAge | given",
        ],
        "order.Order": [
            "orderType": ".orderType.id", "state": ".state | ascii_downcase",
            "customer.id": ".customers.elements[]?.id",
            "touched": "has(\"lineItems\")",
            "cardTransaction.last4": ".payments.elements[]?.cardTransaction.last4 | given",
        ],
        "order.VoidedLineItem": [
            "quantity": "1", "orderId": ".lineItem.orderRef.id", "revenueClassName": "\"Default\"",
            "isRevenue": ".lineItem.isRevenue", "approvedByUuid": ".approvedBy.id", "sortByName": ".lineItem.name",
            "printed": ".lineItem.printed", "orderType.id": "$c.orders[.lineItem.orderRef.id].orderType",
            "price": ".lineItem.price", "name": ".lineItem.name", "showInReporting": "true",
            "lineItemUuid": ".lineItem.id", "merchantId": ".merchant.id", "removedById": ".removedBy.id",
        ],
    ]

    /// Times of change that no record shows: the shop sets them by the place in the table.
    private static func changed(_ table: String) -> String { "changed(\"\(table)\")" }

    private static func items(having filter: String) -> String {
        ".id as $id | $c.items | to_entries[] | select(.value[\"\(filter)\"] | index($id)) | .key"
    }
}
