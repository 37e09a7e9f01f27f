import CloverAPI
import CloverRecords

/// The columns of a table of records when the user names none, by the records' model.
///
/// `name!` stays as long as there is room for anything, `name` goes first when there is not, and `name?` is only there
/// when a record has a value; `name=heading` is short for what its name says at length. A reference is shown by its name where it came with one, and by its id otherwise.
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

    /// Nil when nothing is chosen for the model and nothing is expanded.
    ///
    /// - Parameter expand: the names that are expanded.
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
            // A record that says which currency it is in knows better than its merchant's settings.
            if case .money = column.kind, model.field(named: "currency")?.type == .string {
                column.kind = .money(currency: try FieldPath(parsing: "currency"))
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
        let path = try FieldPath(parsing: field.name)
        guard case .model(let name) = field.type, let model = ModelCatalogue.model(named: name) else {
            return RecordColumn(path, kind: kind, importance: importance)
        }
        let heading = path.heading.hasSuffix(" ref") ? String(path.heading.dropLast(" ref".count)) : path.heading
        // `base.Reference` has only an id; what it leads to may have more.
        let nameField = ["name", "label", "title"].first { model.field(named: $0) != nil }
        return RecordColumn(
            try FieldPath(parsing: field.name + ".id"), kind: kind, heading: heading,
            namePath: try FieldPath(parsing: field.name + "." + (nameField ?? "name")), importance: importance)
    }
}
