/// The kinds of objects that have an id. The raw value is scrambled into the id, so ids of different kinds never meet.
package enum RecordKind: UInt8, Sendable, CaseIterable {
    case merchant = 1
    case application = 2
    case order = 3
    case lineItem = 4
    case modification = 5
    case discount = 6
    case payment = 7
    case refund = 8
    case item = 9
    case category = 10
    case modifierGroup = 11
    case modifier = 12
    case taxRate = 13
    case tender = 14
    case orderType = 15
    case customer = 16
    case emailAddress = 17
    case phoneNumber = 18
    case address = 19
    case employee = 20
    case role = 21
    case catalogueDiscount = 22
    case tag = 23
    case openingHours = 24
    case tipSuggestion = 25
    case paymentTax = 26
    case cardReference = 27
    case shift = 28
    case cashEvent = 29
    case itemGroup = 30
    case attribute = 31
    case option = 32
    case credit = 33
    case creditRefund = 34
    case authorization = 35
    case voidedLine = 36
    case orderFee = 37
    case orderFeeLine = 38
    case systemOrderType = 39
    case printer = 40
    case employeeCard = 41
    case taxRule = 42
    case batch = 43
    case card = 44
    case serviceCharge = 45
    case lineItemPayment = 46
    case fulfilment = 47
    case additionalCharge = 48
    case attributeOfPayment = 49
    case meteredEvent = 50
    case account = 51
    case merchantPlan = 52
    case reseller = 53
    /// Everything that was written after the shop was made.
    case written = 54
    /// Rows that come while somebody pages.
    case drift = 55
    /// What was deleted before anybody wrote to the shop.
    case deleted = 56
    /// Charges, payments by device, their orders and refunds.
    case money = 57
    case export = 58
}
