"""What make-catalogue adds to the facts of each operation: pitfalls, names observed to work, permissions by family.

Keys are (method, path below the merchant, or the whole path outside of it).
"""

# Filter names that the service was observed to accept although the reference does not list them.
EXTRA_FILTER = {
    ("GET", "/orders"): ["customer.id"],
    ("GET", "/items"): ["categoryId"],
    ("GET", "/employees"): ["pin"],
    # The 90-day rule for orders mentions it; the documented list is a mistake.
    ("GET", "/employees/{empId}/orders"): ["createdTime"],
    ("GET", "/voided_line_items"): ["merchantId", "removedById"],
}

# Expansions that were observed to work although the reference does not list them.
EXTRA_EXPAND = {
    ("GET", "/customers"): ["orders"],
    ("GET", "/categories/{catId}/items"): ["items"],
}

# Expansions that the reference lists although its records have no such part: those of the owner, or an otherwise unknown
# name.
# They are kept, but nothing is derived from them.
EXPAND_SLIPS = {
    ("GET", "/categories/{catId}/items"): ["modifierRates", "items"],
    ("GET", "/modifier_groups/{modGroupId}/modifiers"): ["modifiers", "items"],
    ("GET", "/tags/{tagId}/items"): ["items", "printers"],
    ("GET", "/tax_rates/{taxId}/items"): ["items"],
}

# The part of a merchant's data that each word of a path belongs to, for permissions (Clover documentation, permissions).
# The reference names a permission for some operations; these are for the others.
FAMILY_PERMISSIONS = {
    "": "MERCHANT", "address": "MERCHANT", "default_service_charge": "MERCHANT", "devices": "MERCHANT",
    "gateway": "MERCHANT", "opening_hours": "MERCHANT", "order_types": "MERCHANT", "order_type_categories": "MERCHANT",
    "system_order_types": "MERCHANT", "properties": "MERCHANT", "tenders": "MERCHANT", "tip_suggestions": "MERCHANT",
    "cash_events": "MERCHANT",
    "customers": "CUSTOMERS", "customers.csv": "CUSTOMERS",
    "employees": "EMPLOYEES", "employee_cards": "EMPLOYEES", "roles": "EMPLOYEES", "shifts": "EMPLOYEES",
    "shifts.csv": "EMPLOYEES",
    "attributes": "INVENTORY", "bulk_items": "INVENTORY", "categories": "INVENTORY", "category_items": "INVENTORY",
    "item_groups": "INVENTORY", "item_modifier_groups": "INVENTORY", "item_stocks": "INVENTORY", "items": "INVENTORY",
    "items_no_revenue_class": "INVENTORY", "modifier_group_sort_orders": "INVENTORY", "modifier_groups": "INVENTORY",
    "modifiers": "INVENTORY", "option_items": "INVENTORY", "options": "INVENTORY", "tag_items": "INVENTORY",
    "tags": "INVENTORY", "tax_rate_items": "INVENTORY", "tax_rates": "INVENTORY", "tax_rules": "INVENTORY",
    # `discounts` is missing: a shop's discounts are inventory, those of an order belong to the order.
    "atomic_order": "ORDERS", "orders": "ORDERS", "orders_v2": "ORDERS", "line_items": "ORDERS",
    "order_fee_line_items": "ORDERS", "print_event": "ORDERS", "service_charge": "ORDERS", "voided_line_items": "ORDERS",
    "bulk_line_items": "ORDERS",
    "authorizations": "PAYMENTS", "batches": "PAYMENTS", "credit_refunds": "PAYMENTS", "credits": "PAYMENTS",
    "payments": "PAYMENTS", "refunds": "PAYMENTS",
}

# Largest page by the last word of the path, if it is not the usual 1000.
LARGEST_PAGE = {"cash_events": 500}

# A filter on one of these makes the service search only the last 90 days of orders.
ORDER_HISTORY_FIELDS = [
    "deletedTime", "externalReferenceId", "createdTime", "total", "payType", "title", "note", "state",
    "manualTransaction", "cardTransaction.last4", "testMode", "touched",
]

_PAIRS = 'takes {"elements":[...]} with pairs of ids; with --param delete=true, the same body removes the pairs'
_HISTORY = "returns at most 90 days and does not report the rest; without a filter on createdTime, about 90 days"
_PUBLIC = "seen only in programs, not in the reference; may not work"

NOTES = {
    ("GET", "/v3/merchants/current"): [_PUBLIC, "returns the merchant of the token, regardless of --merchant"],
    ("GET", "/gateway"): ["describes how the merchant's cards are processed; keep it confidential"],
    ("GET", "/printers"): [_PUBLIC],
    ("GET", "/properties"): ["returns one object", "holds bank account numbers"],
    ("GET", "/default_service_charge"): ["returns one object, not a list"],
    ("GET", "/sync/{table}"): ["deprecated", "the response is not documented"],
    ("GET", "/ecomm_payment_configs"): ["the response is not documented"],
    ("GET", "/cash_events"): ["maximum of 500 records per page"],
    ("GET", "/devices/{deviceId}/cash_events"): ["maximum of 500 records per page"],
    ("GET", "/employees/{empId}/cash_events"): ["maximum of 500 records per page"],
    ("POST", "/order_type_categories"): [_PAIRS],
    ("POST", "/customers"): [
        'email addresses and phone numbers are lists: "emailAddresses":[{"emailAddress":"..."}]; plain fields are ignored',
        "the response omits them unless they are expanded",
    ],
    ("POST", "/customers/{customerId}"): ["changes only the fields in the body; PUT and PATCH are refused with 405"],
    ("POST", "/customers/{customerId}/metadata"): ["creates it, or changes an existing one"],
    ("GET", "/customers.csv"): ["returns CSV text, not JSON; not paged"],
    ("GET", "/shifts.csv"): ["returns CSV text, not JSON; not paged"],
    ("GET", "/employee_cards"): ["removed from newer references; may no longer work", "the model is matched by its name"],
    ("POST", "/employee_cards"): [
        "removed from newer references; may no longer work", "creates or changes a card", "the model is matched by its name",
    ],
    ("GET", "/employee_cards/{employeeCardId}"): [
        "removed from newer references; may no longer work", "the model is matched by its name"],
    ("DELETE", "/employee_cards/{employeeCardId}"): ["removed from newer references; may no longer work"],
    ("GET", "/employees"): ["holds PINs"],
    ("GET", "/employees/{empId}"): ["holds the PIN"],
    ("GET", "/employees/current"): [_PUBLIC],
    ("GET", "/employees/{empId}/orders"): [
        "the documented filter names are those of expand, which must be a mistake; Clover itself is asked about each name"],
    ("GET", "/employees/{empId}/payments"): [_HISTORY, "21 filter names were withdrawn in May 2023"],
    ("GET", "/orders/{orderId}/payments"): [_HISTORY, "21 filter names were withdrawn in May 2023"],
    ("GET", "/payments"): [
        _HISTORY, "21 filter names were withdrawn in May 2023", "returns card data only with --expand cardTransaction",
        "amount includes tax; tipAmount is added to it",
    ],
    ("GET", "/payments/{payId}"): ["returns card data only with --expand cardTransaction"],
    ("GET", "/authorizations"): [_HISTORY],
    ("GET", "/shifts"): ["at least one merchant returned shifts only per employee: employees/ID/shifts"],
    ("DELETE", "/employees/{empId}/shifts/{shiftId}"): [
        "wants the header X-Clover-Account-Id: the id of an employee who may edit shifts"],
    ("POST", "/bulk_items"): ["creates many items at once"],
    ("PUT", "/bulk_items"): ["changes only the fields in the body, for many items at once"],
    ("DELETE", "/categories"): ["deletes the categories of --param categoryIds=A,B"],
    ("POST", "/categories/bulk_sort_orders"): ["maximum of 1000 categories per request", "the fields of its body are not known"],
    ("POST", "/category_items"): [_PAIRS],
    ("POST", "/item_modifier_groups"): [_PAIRS],
    ("GET", "/item_stocks"): ["an item that was never stocked has only the item field"],
    ("GET", "/item_stocks/{itemId}"): ["an item that was never stocked has only the item field", "the id is the item's"],
    ("POST", "/item_stocks/{itemId}"): ["quantity is the new count, not a change", "quantity is returned with a decimal point"],
    ("PUT", "/item_stocks/{itemId}"): ["worked in a sandbox; the reference documents only POST", "quantity is the new count"],
    ("GET", "/items"): ["the category filter is categoryId", "name=Cof* finds names by prefix"],
    ("DELETE", "/items"): ["deletes the items of --param itemIds=A,B"],
    ("POST", "/items/{itemId}"): ["changes only the fields in the body"],
    ("PUT", "/items/{itemId}"): ["worked in a sandbox; the reference documents only POST", "requires a name, otherwise 400"],
    ("GET", "/discounts"): ["the filter for changes is spelled modifiedtime"],
    ("POST", "/modifier_group_sort_orders"): ["maximum of 200 groups per request"],
    ("DELETE", "/modifier_groups"): ["deletes the groups of --param modifierGroupIds=A,B"],
    ("PUT", "/modifier_groups/{modGroupId}/layout"): ["replaces all modifiers of the group and their order"],
    ("POST", "/option_items"): [_PAIRS],
    ("POST", "/tag_items"): [_PAIRS],
    ("DELETE", "/tags"): ["deletes the tags of --param tagIds=A,B"],
    ("GET", "/categories/{catId}/items"): [
        "sortOrder and colorCode are documented for filters, but belong to the category, not to items"],
    ("GET", "/tags/{tagId}/items"): ["the iOS SDK reads one object here; the reference documents a list"],
    ("POST", "/tax_rate_items"): [_PAIRS],
    ("GET", "/tax_rates"): ["a rate of 825000 is 8.25 %"],
    ("GET", "/tax_rules"): ["the fields of its records are not known"],
    ("GET", "/tax_rules/{taxRuleId}"): ["its fields are not known"],
    ("POST", "/atomic_order/checkouts"): ["prices an order without saving it", "the fields of its body are not known"],
    ("GET", "/orders"): [
        "a filter on createdTime, state, total and some other fields silently searches only the last 90 days",
        "expanded lists are silently cut at 100 entries",
        "modifiedTime may be a second before createdTime",
    ],
    ("GET", "/orders/{orderId}"): ["expanded lists are silently cut at 100 entries"],
    ("POST", "/orders/{orderId}"): ["changes only the fields in the body", "an order holds at most 3000 line items"],
    ("POST", "/orders/{orderId}/bulk_line_items"): ["maximum of 100 line items per request"],
    ("POST", "/orders/{orderId}/discounts"): ["a fixed amount must be negative, otherwise 400"],
    ("GET", "/orders/{orderId}/line_items"): ["price is per unit; unitQty is in thousandths, and absent for pieces"],
    ("DELETE", "/orders/{orderId}/line_items"): ["deletes all line items of the order"],
    ("POST", "/orders/{orderId}/payments"): ["records a payment taken elsewhere; moves no money"],
    ("POST", "/orders/{orderId}/payments/{payId}/refund"): [_PUBLIC],
    ("POST", "/payments/{payId}/voids"): [_PUBLIC],
    ("GET", "/payments/{payId}/status"): ["the response is not documented"],
    ("POST", "/orders/{orderId}/service_charge/"): [
        "the path ends with a slash", "takes one charge; for several, use order_fee_line_items",
        "returns a percentage, not a computed amount",
    ],
    ("DELETE", "/orders_v2/{orderId}"): ["deletes with a reason; how to give it is not known"],
    ("GET", "/print_event/{eventId}"): ["a finished print job can no longer be read"],
    ("GET", "/refunds"): ["the amount of a refund is positive", "its filter names are not documented; the service lists them"],
    ("GET", "/batches"): [_PUBLIC],
    ("GET", "/credit_refunds"): ["its filter names are not documented; the service lists them"],
    ("GET", "/voided_line_items"): ["not available for a single order: 405"],
    ("GET", "/v3/apps"): [_PUBLIC],
    ("GET", "/v3/apps/{appId}/merchants/{mId}/metereds/{meteredId}"): [
        "a list of events; the iOS SDK reads one object here"],
    ("POST", "/v3/apps/{appId}/merchants/{mId}/metereds/{meteredId}"): [
        "takes no body; --param count=N, by default 1"],
    ("POST", "/v3/apps/{appId}/devices/{deviceId}/notifications"): ["the model is matched by its name"],
    ("POST", "/v3/apps/{appId}/merchants/{mId}/notifications"): ["the model is matched by its name"],
    ("GET", "/v3/accounts/current"): [_PUBLIC],
    ("GET", "/v3/accounts/current/business-topology"): [_PUBLIC],
    ("GET", "/v3/accounts/current/merchants"): [_PUBLIC],
    ("GET", "/v3/merchant_plans"): [_PUBLIC],
    ("GET", "/v3/resellers"): [_PUBLIC],
    ("POST", "/v3/resellers"): [_PUBLIC],
}

# Outside V3: body, response and shape, matched by their names.
NON_V3 = {
    ("POST", "/v1/charges"): ("ecomm.CreateChargeRequest", "ecomm.Charge", "object"),
    ("GET", "/v1/charges"): (None, "ecomm.Charge", None),
    ("GET", "/v1/charges/{chargeId}"): (None, "ecomm.Charge", "object"),
    ("POST", "/v1/charges/{chargeId}/capture"): ("ecomm.CaptureCharge", "ecomm.Charge", "object"),
    ("POST", "/v1/refunds"): ("ecomm.CreateRefundRequest", "ecomm.Refund", "object"),
    ("GET", "/v1/refunds"): (None, "ecomm.RefundList", "object"),
    ("GET", "/v1/refunds/{refundId}"): (None, "ecomm.Refund", "object"),
    ("GET", "/v1/orders"): (None, "ecomm.Order", None),
    ("GET", "/v1/orders/{orderId}"): (None, "ecomm.Order", "object"),
    ("POST", "/v1/orders"): ("ecomm.CreateOrderRequest", "ecomm.Order", "object"),
    ("POST", "/v1/orders/{orderId}/pay"): ("ecomm.PayForOrderRequest", "ecomm.Order", "object"),
    ("POST", "/v1/orders/{orderId}/returns"): ("ecomm.ReturnOrderRequest", "ecomm.OrderReturn", "object"),
    ("POST", "/v1/customers"): ("ecomm.CreateCustomerRequest", "ecomm.Customer", "object"),
    ("POST", "/v1/customers/{customerId}"): ("ecomm.CustomerRequest", "ecomm.Customer", "object"),
    ("GET", "/pakms/apikey"): (None, None, "object"),
}

# Fields that are masked by default: PINs, bank and card numbers, tokens, secrets.
SENSITIVE = {
    "account.Account.csrfToken", "account.AccountInvitation.claimCode", "account.AccountRecord.claimCode",
    "account.AccountRecord.passwordHash", "account.AuthFactor.backupCodes", "account.AuthFactor.totpKey",
    "apps.App.appSecret", "apps.WebHook.secret", "base.CardData.pan", "base.CardData.track1", "base.CardData.track2",
    "base.CardData.track3", "customers.Card.token", "customers.IdentityDocument.number",
    "developer.Developer.bankAccountNumber", "developer.Developer.bankRoutingNumber", "developer.Developer.dob",
    "developer.Developer.sensitiveData", "developer.Developer.ssn", "developer.Developer.tin",
    "device.DeviceProvision.activationCode", "device.DeviceProvision.lastActivationCode",
    "device.DeviceProvisionStatus.activationCode", "device.DeviceProvisionStatus.lastActivationCode",
    "employees.Employee.pin", "employees.Employee.unhashedPin", "employees.EmployeeCard.number",
    "merchant.Gateway.keyInfo", "merchant.Gateway.keyPrefix", "merchant.MerchantBoarding.signingKey",
    "merchant.MerchantBoarding.taxId", "merchant.MerchantBoarding.transArmorKey",
    "merchant.MerchantHierarchy.abaAccountNumber", "merchant.MerchantHierarchy.ddaAccountNumber",
    "merchant.MerchantProperties.abaAccountNumber", "merchant.MerchantProperties.ddaAccountNumber",
    "pay.PaymentRequestCardDetails.cvv", "pay.PaymentRequestCardDetails.pan",
    "pay.PaymentRequestCardDetails.plainCardData", "pay.PaymentRequestCardDetails.track1",
    "pay.PaymentRequestCardDetails.track2", "pay.PaymentRequestCardDetails.track3",
    "pay.PaymentRequestCardDetails.uniqueToken", "pay.TransactionData.debugApplicationPan",
    "pay.TransactionData.debugPlainTrack1", "pay.TransactionData.debugPlainTrack2",
    "pay.TransactionData.debugTrack2EquivalentData", "pay.TransactionData.pinBlock",
    "pay.TransactionData.pinBlockContainer", "pay.TransactionData.transArmorKey", "payments.Authorization.token",
    "payments.CardTransaction.cardholderName", "payments.CardTransaction.token",
    "payments.CardTransaction.vaultedCard", "payments.GatewayTxs.token",
    "payments.GermanInfo.cardTrack2", "payments.GermanInfo.sepaElvIban", "payments.GiftCard.cardNumber",
    "payments.GiftCard.track2", "payments.GiftCardResponse.accountNumber", "payments.SepaElvTransactionInfo.iban",
    "payments.ServiceFeeRequest.vaultedCard", "payments.VaultedCard.token",
    "remotemessage.PairingRequestMessage.authenticationToken", "remotemessage.PayIntent.vaultedCard",
    "remotepay.BaseTransactionRequest.vaultedCard", "resellers.ResellerFdmpConfiguration.unhashedSecret",
    "resellers.ResellerFdmpConfiguration.userKey",
}
