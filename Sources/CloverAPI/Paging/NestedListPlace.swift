/// Where the entries of a nested list can be read by themselves, in pages.
enum NestedListPlace {
    /// The first word of the paths of what has the list: by the model of the record, or by the member that holds it.
    private static let families: [String: String] = [
        "order.Order": "orders", "order": "orders", "orders": "orders",
        "employees.Employee": "employees", "employee": "employees", "employees": "employees", "owner": "employees",
        "overrideInEmployee": "employees", "overrideOutEmployee": "employees",
        "inventory.Item": "items", "item": "items", "items": "items",
        "inventory.Category": "categories", "categories": "categories",
        "inventory.ModifierGroup": "modifier_groups", "modifierGroup": "modifier_groups",
        "modifierGroups": "modifier_groups",
        "inventory.Tag": "tags", "tags": "tags",
        "inventory.TaxRate": "tax_rates", "taxRates": "tax_rates",
        "inventory.Attribute": "attributes", "attributes": "attributes",
        "device.Device": "devices", "device": "devices", "devices": "devices",
    ]

    /// The path of a list of a record that was read from `path`; nil when the catalogue knows none.
    static func path(of list: CutList, in path: ResourcePath) -> ResourcePath? {
        guard path.segments.count > 2, path.segments.starts(with: ["v3", "merchants"]), let name = list.names.last
        else { return nil }
        var segments = Array(path.segments.prefix(3))
        let owner = list.names.dropLast().last ?? path.endpoint?.model
        if owner != "merchant.Merchant" {
            guard let owner, let family = families[owner], let id = list.ownerID else { return nil }
            segments += [family, id]
        }
        segments.append(snakeCase(name))
        guard EndpointCatalogue.endpoint(at: segments)?.shape == .list else { return nil }
        do {
            return try ResourcePath(
                parsing: "/" + segments.joined(separator: "/"), identifier: nil, merchantID: path.segments[2],
                isChecked: true)
        } catch {
            // An id that cannot stand in a path.
            return nil
        }
    }

    /// Members are in camel case, paths in snake case.
    private static func snakeCase(_ name: String) -> String {
        name.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
    }
}
