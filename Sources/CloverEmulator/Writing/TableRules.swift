/// What the service asks of the records of a table, and what it adds.
struct TableRules {
    /// The model of bodies.
    let model: String
    /// Members a new record cannot be without.
    var required: [String] = []
    /// Members a new record has when the request does not name them.
    var defaults: [(key: String, value: JSONValue)] = []
    /// The member that tells when the record was changed; nil when it is not shown.
    var modified: String?
    /// The member that tells when the record was made.
    var created: String?

    /// Nil for tables that cannot be written to record by record.
    init?(_ table: Table) {
        switch table {
        case .items:
            model = "inventory.Item"
            required = ["name", "price"]
            defaults = [
                ("hidden", .boolean(false)), ("available", .boolean(true)), ("autoManage", .boolean(false)),
                ("priceType", .string("FIXED")), ("defaultTaxRates", .boolean(true)), ("isRevenue", .boolean(true)),
                ("deleted", .boolean(false)),
            ]
            modified = "modifiedTime"
        case .categories:
            model = "inventory.Category"
            required = ["name"]
            defaults = [("sortOrder", .integer(0)), ("deleted", .boolean(false))]
            modified = "modifiedTime"
        case .tags:
            model = "inventory.Tag"
            required = ["name"]
            defaults = [("showInReporting", .boolean(false))]
        case .discounts:
            model = "inventory.Discount"
            required = ["name"]
        case .modifierGroups:
            model = "inventory.ModifierGroup"
            required = ["name"]
            defaults = [("showByDefault", .boolean(true)), ("modifierIds", .string(""))]
        case .modifiers:
            model = "inventory.Modifier"
            required = ["name"]
            defaults = [("price", .integer(0))]
        case .taxRates:
            model = "inventory.TaxRate"
            required = ["name", "rate"]
            defaults = [("isDefault", .boolean(false))]
        case .itemGroups:
            model = "inventory.ItemGroup"
            required = ["name"]
        case .attributes:
            model = "inventory.Attribute"
            required = ["name"]
        case .options:
            model = "inventory.Option"
            required = ["name"]
        case .employees:
            model = "employees.Employee"
            required = ["name"]
            defaults = [
                ("inviteSent", .boolean(false)), ("role", .string("EMPLOYEE")), ("isOwner", .boolean(false)),
            ]
        case .roles:
            model = "employees.Role"
            required = ["name"]
            defaults = [("systemRole", .string("EMPLOYEE"))]
        case .shifts: model = "employees.Shift"
        case .employeeCards:
            model = "employees.EmployeeCard"
            required = ["employee"]
            defaults = [("status", .string("ACTIVE"))]
            modified = "modifiedTime"
            created = "createdTime"
        case .tenders:
            model = "base.Tender"
            required = ["label"]
            defaults = [
                ("editable", .boolean(true)), ("opensCashDrawer", .boolean(false)),
                ("supportsTipping", .boolean(false)), ("enabled", .boolean(true)), ("visible", .boolean(true)),
            ]
        case .orderTypes:
            model = "order.OrderType"
            required = ["label"]
            defaults = [
                ("taxable", .boolean(true)), ("isDefault", .boolean(false)), ("isHidden", .boolean(false)),
                ("isDeleted", .boolean(false)),
            ]
        case .openingHours: model = "hours.HoursSet"
        case .tipSuggestions: model = "merchant.TipSuggestion"
        case .authorizations:
            model = "payments.Authorization"
            required = ["payment"]
            created = "createdTime"
        case .printEvents:
            model = "order.PrintOrder"
            required = ["orderRef"]
            defaults = [("state", .string("CREATED"))]
            modified = "modifiedTime"
            created = "createdTime"
        default: return nil
        }
    }
}
