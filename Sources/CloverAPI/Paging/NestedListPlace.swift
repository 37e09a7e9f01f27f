/// Finds the path where the entries of a nested list can be read separately, in pages.
enum NestedListPlace {
    /// The first path segment of the list's owner, by the record's model or by the member that holds the owner.
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

    /// The path of a list in a record that was read from `path`; nil if the catalogue has none.
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
            // The id is not valid in a path.
            return nil
        }
    }

    /// Member names use camel case, paths snake case.
    private static func snakeCase(_ name: String) -> String {
        name.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
    }
}
