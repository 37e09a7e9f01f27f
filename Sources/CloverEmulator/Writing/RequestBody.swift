import NIOCore

/// Parses the bodies of writes: JSON, known fields, correct types.
enum RequestBody {
    /// Members a client cannot set.
    private static let fixed: Set<String> = ["id", "href"]

    /// The value of a body.
    ///
    /// - Throws: `unsupportedMediaType` if it is not declared as JSON, `badRequest` if it is not JSON.
    static func value(of request: APIRequest) throws(APIError) -> JSONValue {
        guard isJSON(request.contentType) else { throw .unsupportedMediaType }
        guard let value = JSONParser.value(of: Array(request.body.readableBytesView)) else {
            throw .badRequest("Malformed JSON")
        }
        return value
    }

    /// Whether a content type is JSON.
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
}

/// The service's rules for the records of a table.
struct TableRules {
    /// The model of bodies.
    let model: String
    /// Required members of a new record.
    var required: [String] = []
    /// Default members of a new record.
    var defaults: [(key: String, value: JSONValue)] = []
    /// The member with the modification time; nil if it is not shown.
    var modified: String?
    /// The member with the creation time.
    var created: String?

    /// Fails for tables whose records cannot be written individually.
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

/// The fields of request body models.
package enum ModelFields {
    /// The type of a field.
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
