package import CloverAPI
import CloverCalendar
import CloverJSON
package import CloverOutput

extension RecordSchema {
    /// The schema of an endpoint's records from the model catalogue; `unknown` without a known model.
    ///
    /// - Parameter expand: names of expansions, which add columns.
    package static func of(_ endpoint: Endpoint?, expand: [String] = []) throws(RecordFormatError) -> RecordSchema {
        try of(model: endpoint?.model, expand: expand)
    }

    package static func of(model name: String?, expand: [String] = []) throws(RecordFormatError) -> RecordSchema {
        guard let model = name.flatMap({ ModelCatalogue.model(named: $0) }) else { return .unknown }
        var defaults = DefaultColumns(expand: expand)
        defaults.add(model)
        var schema = RecordSchema(
            columns: defaults.columns, tableColumns: try TableColumns.of(model, expand: expand, kind: kind(of:)),
            kind: { kind($0, in: model) })
        schema.columnless = defaults.columnless
        return schema
    }

    /// The columns of version 0.1.0 and earlier, which the destinations of exports keep that began with them: without
    /// expansions, and with the ids of only some of the objects that a record names.
    package static func originalColumns(ofModel name: String?) -> [RecordColumn] {
        guard let model = name.flatMap({ ModelCatalogue.model(named: $0) }) else { return [] }
        var defaults = DefaultColumns(expand: [], isOriginal: true)
        defaults.add(model)
        return defaults.columns
    }

    fileprivate static func kind(of field: Model.Field) -> RecordColumn.Kind {
        switch field.unit {
        case .minor: return .money(currency: nil)
        case .milliseconds: return field.isInstant ? .time(.milliseconds) : .plain
        case .seconds: return field.isInstant ? .time(.seconds) : .plain
        case .percent: return percent(scale: field.scale ?? 1)
        case .minutes, nil: return .plain
        }
    }

    /// - Parameter scale: how many of the field's units are one percent; plain unless it is a power of ten.
    private static func percent(scale: Int) -> RecordColumn.Kind {
        var (rest, decimals) = (scale, 0)
        while rest >= 10, rest.isMultiple(of: 10) {
            rest /= 10
            decimals += 1
        }
        return rest == 1 ? .percent(decimals: decimals) : .plain
    }

    /// The kind of a path into expanded objects and lists: `lineItems.elements.0.price`.
    private static func kind(_ path: FieldPath, in model: Model) -> RecordColumn.Kind {
        var model: Model? = model
        var kind = RecordColumn.Kind.plain
        for name in path.names {
            // The list's envelope and indices are not fields of a model.
            if name == "elements" || name.allSatisfy(\.isNumber) { continue }
            guard let field = model?.field(named: name) else { return .plain }
            kind = self.kind(of: field)
            model = field.type.nestedModel.flatMap { ModelCatalogue.model(named: $0) }
        }
        return kind
    }
}

/// Default columns of csv and tsv: a column for each field with a single value, and for the id of each object that a record
/// names; of an expanded object, its fields.
private struct DefaultColumns {
    let expand: [String]
    /// Whether to leave out what version 0.1.0 left out.
    var isOriginal = false
    private(set) var columns: [RecordColumn] = []
    /// Expansions that have no column, because they are lists or have no fixed fields.
    private(set) var columnless: [String] = []

    init(expand: [String], isOriginal: Bool = false) {
        self.expand = expand
        self.isOriginal = isOriginal
    }

    /// - Parameter prefix: path of the object, with a dot at its end; empty for the record.
    mutating func add(_ model: Model, at prefix: String = "") {
        for field in model.fields {
            let path = prefix + field.name
            switch field.type {
            // A field of unknown type may be a single value, such as the reason of a voided line item.
            case .string, .boolean, .double, .integer, .timestamp, .enumeration, .any: add(path, field)
            case .model(let name):
                let inner = ModelCatalogue.model(named: name)
                if let inner, isExpanded(path) {
                    add(inner, at: path + ".")
                } else if field.isReference || !isOriginal && inner?.field(named: "id") != nil {
                    add(path + ".id", field, name: NamedList(field).map { path + "." + $0.nameField })
                }
            case .object, .array, .list, .sequence, .map: if isExpanded(path) { columnless.append(path) }
            }
        }
    }

    /// A name that is not a valid path gets no column.
    ///
    /// - Parameter name: path of the name that the record may have.
    private mutating func add(_ path: String, _ field: Model.Field, name: String? = nil) {
        do throws(FieldPathError) {
            columns.append(
                RecordColumn(
                    try FieldPath(parsing: path), kind: RecordSchema.kind(of: field),
                    namePath: try name.map { name throws(FieldPathError) in try FieldPath(parsing: name) }))
        } catch {
            return
        }
    }

    /// Expanding a part also expands its owner.
    private func isExpanded(_ path: String) -> Bool {
        expand.contains { $0 == path || $0.hasPrefix(path + ".") }
    }
}

/// Default columns of a table of records, by the records' model.
///
/// `name!` is dropped last when the table is too wide, `name` first, and `name?` is shown only when a record has a value;
/// `name=heading` sets a short heading. A reference is shown by its name where the record has one, otherwise by its id.
enum TableColumns {
    private static let chosen: [String: String] = [
        "order.Order": "id! createdTime! state employee paymentState=payment? title? note? total!",
        "order.LineItem": "id name! unitQty? note? refunded? exchanged? createdTime? price!",
        "order.Discount": "id name! percentage? amount!",
        "order.OrderType": "id label! taxable isDefault? isHidden?",
        "order.VoidedLineItem": "deletedTime! lineItem! reason removedBy",
        "payments.Payment": "id! createdTime! result tender? employee? order? tipAmount=tip? amount!",
        "payments.Refund": "id! createdTime! payment employee? voided? amount!",
        "payments.Credit": "id! createdTime! orderRef? employee? voided? amount!",
        "payments.CreditRefund": "id! createdTime! credit employee?",
        "payments.Authorization": "id! createdTime! tabName? cardType? last4? type amount!",
        "payments.Batch": "id! createdTime! state! txCount totalBatchAmount!",
        "inventory.Item": "id name! code? sku? stockCount? hidden? modifiedTime? price!",
        "inventory.ItemStock": "item! quantity! modifiedTime?",
        "inventory.Category": "id name! sortOrder? deleted?",
        "inventory.Modifier": "id name! modifierGroup? price!",
        "inventory.ModifierGroup": "id name! minRequired? maxAllowed? showByDefault?",
        "inventory.Discount": "id name! percentage? amount?",
        "inventory.TaxRate": "id name! isDefault? rate!",
        "inventory.Tag": "id name! showInReporting?",
        "inventory.Attribute": "id name! itemGroup?",
        "inventory.Option": "id name! attribute?",
        "customers.Customer": "id firstName! lastName! customerSince=since marketingAllowed=marketing?",
        "employees.Employee": "id name! nickname? role email?",
        "employees.Role": "id name! systemRole",
        "employees.Shift": "id employee inTime! outTime! cashTipsCollected=tips?",
        "device.Device": "id name! model? productName? serial!",
        "base.Tender": "id label! enabled visible? opensCashDrawer=drawer? supportsTipping=tipping?",
        "cash.CashEvent": "timestamp! type! employee? device? note? amountChange!",
        "merchant.Merchant": "id! name! defaultCurrency=currency? phoneNumber=phone? createdTime?",
        "merchant.TipSuggestion": "id name! isEnabled? percentage? amount?",
    ]

    /// The columns for a model; nil when none are defined for it.
    ///
    /// - Parameter expand: names of expansions, which get a column too.
    static func of(
        _ model: Model, expand: [String], kind: (Model.Field) -> RecordColumn.Kind
    ) throws(RecordFormatError) -> [RecordColumn]? {
        var columns: [RecordColumn] = []
        for word in chosen[model.name]?.split(separator: " ") ?? [] {
            let parts = (word.last == "!" || word.last == "?" ? word.dropLast() : word).split(separator: "=")
            guard let field = model.field(named: parts[0]) else { continue }
            let importance: TableWriter.Column.Importance =
                word.last == "!" ? .essential : word.last == "?" ? .optional : .usual
            var column = try column(field, kind: kind(field), importance: importance)
            // A record's own currency takes precedence over its merchant's settings.
            if case .money = column.kind, model.field(named: "currency")?.type == .string {
                column.kind = .money(currency: try FieldPath.parsed("currency"))
            }
            if parts.count > 1 { column.heading = String(parts[1]) }
            columns.append(column)
        }
        guard !columns.isEmpty else { return nil }
        // Amounts stay on the right.
        var place = columns.count
        if case .money = columns[place - 1].kind { place -= 1 }
        for name in expand where !name.contains(".") {
            guard let field = model.field(named: name), !columns.contains(where: { $0.path.names[0] == name }) else {
                continue
            }
            columns.insert(try column(field, kind: .plain, importance: .usual), at: place)
            place += 1
        }
        return columns
    }

    private static func column(
        _ field: Model.Field, kind: RecordColumn.Kind, importance: TableWriter.Column.Importance
    ) throws(RecordFormatError) -> RecordColumn {
        let path = try FieldPath.parsed(field.name)
        guard case .model(let name) = field.type, let model = ModelCatalogue.model(named: name) else {
            return RecordColumn(path, kind: kind, importance: importance)
        }
        let heading = path.heading.hasSuffix(" ref") ? String(path.heading.dropLast(" ref".count)) : path.heading
        // `base.Reference` has only an id; the referenced object may have a name.
        let nameField = ["name", "label", "title"].first { model.field(named: $0) != nil }
        return RecordColumn(
            try FieldPath.parsed(field.name + ".id"), kind: kind, heading: heading,
            namePath: try FieldPath.parsed(field.name + "." + (nameField ?? "name")), importance: importance)
    }
}
