/// What the emulated app may do, as an app's owner ticks it in the developer dashboard. There is no scope in a request: a
/// merchant accepts the whole list (Clover documentation, OAuth and tokens FAQ).
package enum Permission: Int, Sendable, CaseIterable {
    case merchant, employees, orders, inventory, payments, customers

    /// The number in an access token that stands for all of them.
    package static var bitmap: Int {
        allCases.reduce(0) { $0 | 1 << ($1.rawValue * 2) }
    }

    /// The name on the consent page, and what it means.
    package var text: (name: String, meaning: String) {
        switch self {
        case .merchant: ("Merchant", "See the shop's address, hours, devices, tenders and settings")
        case .employees: ("Employees", "See who works here, and their roles")
        case .orders: ("Orders", "See orders and their line items")
        case .inventory: ("Inventory", "See items, categories, modifiers, taxes and stock")
        case .payments: ("Payments", "See payments, refunds and credits")
        case .customers: ("Customers", "See customers and how to reach them")
        }
    }
}
