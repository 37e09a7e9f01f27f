import NIOCore

/// Parses the bodies of writes: JSON, known fields, correct types.
enum RequestBody {
    /// Members a client cannot set.
    private static let fixed: Set<String> = ["id", "href"]

    /// - Throws: `unsupportedMediaType` if it is not declared as JSON, `badRequest` if it is not JSON.
    static func value(of request: APIRequest) throws(APIError) -> JSONValue {
        guard isJSON(request.contentType) else { throw .unsupportedMediaType }
        guard let value = JSONParser.value(of: Array(request.body.readableBytesView)) else {
            throw .badRequest("Malformed JSON")
        }
        return value
    }

    static func isJSON(_ contentType: String?) -> Bool {
        let type = (contentType ?? "").split(separator: ";").first.map { $0.lowercased() } ?? ""
        return type.split(separator: " ").first == "application/json"
    }

    /// The members of a body that its model knows; others are silently ignored, as in the live sandbox notes about
    /// customers. Collections are stored as `{"elements":[...]}`, whichever form they arrive in.
    ///
    /// - Throws: `badRequest` that names a field with a value of the wrong type.
    static func object(_ request: APIRequest, _ model: String) throws(APIError) -> JSONValue {
        try object(try value(of: request), model)
    }

    static func object(_ value: JSONValue, _ model: String) throws(APIError) -> JSONValue {
        guard case .object(let members) = value else { throw .badRequest("Expected a JSON object") }
        let fields = ModelFields.fields(of: model)
        var known: [(key: String, value: JSONValue)] = []
        for (name, value) in members where !fixed.contains(name) {
            guard let kind = fields[name] else { continue }
            if value.isNull {
                known.append((name, .null))
            } else if kind == .list {
                // A string in place of a list is ignored too (same notes).
                if let list = value.list { known.append((name, .kept(list))) }
            } else if fits(value, kind) {
                known.append((name, value))
            } else {
                throw .badRequest("Invalid value for field: \(name)")
            }
        }
        return .object(known)
    }

    /// The entries of a bulk body: a list, or a list under one of the names.
    static func list(_ request: APIRequest, _ names: String...) throws(APIError) -> [JSONValue] {
        let value = try value(of: request)
        if let list = value.list { return list }
        for name in names {
            if let list = value[name]?.list { return list }
        }
        throw .badRequest("Expected elements")
    }

    private static func fits(_ value: JSONValue, _ kind: ModelFields.Kind) -> Bool {
        switch (kind, value) {
        case (.anything, _), (.boolean, .boolean), (.text, .string), (.object, .object): true
        case (.integer, _): value.integer != nil
        case (.number, .integer), (.number, .number): true
        default: false
        }
    }
}

extension JSONValue {
    /// Sets the members of another object; null removes a member.
    mutating func merge(_ other: JSONValue) {
        for (name, value) in other.members {
            if value.isNull { remove(name) } else { set(name, value) }
        }
    }

    /// Appends an entry to a collection.
    mutating func add(_ value: JSONValue, to member: String) {
        set(member, .kept((self[member]?.elements ?? []) + [value]))
    }

    /// A copy with another value of a member; nil removes it.
    func with(_ key: String, _ value: JSONValue?) -> JSONValue {
        var copy = self
        if let value { copy.set(key, value) } else { copy.remove(key) }
        return copy
    }
}

/// The service's rules for the records of a table.
struct TableRules {
    let model: String
    var required: [String] = []
    var defaults: JSONValue = [:]
    /// Whether the modification time and the creation time are shown.
    var showsModified = false
    var showsCreated = false

    /// Tables whose records cannot be written individually have none.
    static let all: [Table: TableRules] = [
        .items: TableRules(
            model: "inventory.Item", required: ["name", "price"],
            defaults: [
                "hidden": false, "available": true, "autoManage": false, "priceType": "FIXED", "defaultTaxRates": true,
                "isRevenue": true, "deleted": false,
            ], showsModified: true),
        .categories: TableRules(
            model: "inventory.Category", required: ["name"], defaults: ["sortOrder": 0, "deleted": false],
            showsModified: true),
        .tags: TableRules(model: "inventory.Tag", required: ["name"], defaults: ["showInReporting": false]),
        .discounts: TableRules(model: "inventory.Discount", required: ["name"]),
        .modifierGroups: TableRules(
            model: "inventory.ModifierGroup", required: ["name"],
            defaults: ["minRequired": 0, "showByDefault": true, "modifierIds": "", "deleted": false]),
        .modifiers: TableRules(
            model: "inventory.Modifier", required: ["name"],
            defaults: ["available": true, "price": 0, "deleted": false], showsModified: true),
        .taxRates: TableRules(
            model: "inventory.TaxRate", required: ["name", "rate"],
            defaults: ["taxType": "VAT_EXEMPT", "isDefault": false]),
        .itemGroups: TableRules(model: "inventory.ItemGroup", required: ["name"]),
        .attributes: TableRules(model: "inventory.Attribute", required: ["name"]),
        .options: TableRules(model: "inventory.Option", required: ["name"]),
        .employees: TableRules(
            model: "employees.Employee", required: ["name"],
            defaults: ["inviteSent": false, "role": "EMPLOYEE", "isOwner": false]),
        .roles: TableRules(model: "employees.Role", required: ["name"], defaults: ["systemRole": "EMPLOYEE"]),
        .shifts: TableRules(model: "employees.Shift"),
        .employeeCards: TableRules(
            model: "employees.EmployeeCard", required: ["employee"], defaults: ["status": "ACTIVE"],
            showsModified: true, showsCreated: true),
        .tenders: TableRules(
            model: "base.Tender", required: ["label"],
            defaults: [
                "editable": true, "opensCashDrawer": false, "supportsTipping": false, "enabled": true, "visible": true,
            ]),
        .orderTypes: TableRules(
            model: "order.OrderType", required: ["label"],
            defaults: [
                "taxable": true, "isDefault": false, "filterCategories": false, "isHidden": false,
                "avgOrderTime": 0, "hoursAvailable": "BUSINESS", "isDeleted": false,
            ]),
        .openingHours: TableRules(model: "hours.HoursSet"),
        .tipSuggestions: TableRules(model: "merchant.TipSuggestion"),
        .authorizations: TableRules(model: "payments.Authorization", required: ["payment"], showsCreated: true),
        .printEvents: TableRules(
            model: "order.PrintOrder", required: ["orderRef"], defaults: ["state": "CREATED"], showsModified: true,
            showsCreated: true),
    ]

    /// - Throws: `unknownPath` for a table without rules.
    static func of(_ table: Table) throws(APIError) -> TableRules {
        guard let rules = all[table] else { throw .unknownPath }
        return rules
    }
}

/// The fields of request body models.
package enum ModelFields {
    package enum Kind: Character, Sendable {
        case integer = "i"
        case number = "d"
        case boolean = "b"
        case text = "s"
        case list = "l"
        case object = "o"
        case anything = "v"
    }

    private static let models: [String: [String: Kind]] = {
        var models: [String: [String: Kind]] = [:]
        for line in ModelTable.lines.description.split(separator: "\n") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count == 2 else { continue }
            var fields: [String: Kind] = [:]
            for field in columns[1].split(separator: ",") {
                let parts = field.split(separator: ":")
                guard parts.count == 2, let letter = parts[1].first else { continue }
                fields[String(parts[0])] = Kind(rawValue: letter)
            }
            models[String(columns[0])] = fields
        }
        return models
    }()

    /// The fields of a model, by name; empty for an unknown model.
    package static func fields(of model: String) -> [String: Kind] {
        models[model] ?? [:]
    }
}
