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
}
