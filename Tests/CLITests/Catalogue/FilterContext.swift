import CloverTestSupport

/// What records of one list say of those of another, for ``FilterTruth``: the merchant, the ids of tables in their order,
/// what each item is filtered by, and of each order its type and last change. A file, as jq reads it.
struct FilterContext: Sendable {
    let options: String

    private static let tables = [
        "roles", "tenders", "employees", "attributes", "options", "discounts", "item_groups", "modifier_groups",
        "modifiers", "tags", "order_types",
    ]

    init(_ shop: CatalogueShop, items: CatalogueOperation) async throws {
        var members: [String] = []
        let merchant = try await shop.raw([shop.absolute("merchant")], jq: "{id, name, createdTime}")
        members.append("\"merchant\":\(merchant.joined())")
        let charge = try await shop.raw([shop.absolute("default_service_charge")], jq: ".id | tojson")
        members.append("\"serviceCharge\":\(charge.joined())")
        let ids = try await shop.raw(Self.tables.map { shop.absolute($0) + "?limit=1000" }, jq: "[.elements[].id]")
        members += zip(Self.tables, ids).map { "\"\($0)\":\($1)" }
        let orders = try await shop.rawList(
            "orders", page: 1000,
            jq: ".elements[] | {(.id): {orderType: .orderType.id, modifiedTime, externalReferenceId}}")
        members.append("\"orders\":\(Self.object(orders))")
        let known = "{" + members.joined(separator: ",") + "}"
        let file = try shop.sandbox.directory.write("context-1.json", Array(known.utf8))
        let filters = items.filterNames.map {
            "\"\($0)\": [\(FilterTruth.expression($0, of: items))]"
        }
        let truth = try await shop.rawList(
            "items", query: "expand=" + FilterTruth.expansion(of: items).joined(separator: ","), page: 1000,
            jq: "$c[0] as $c | \(FilterTruth.definitions) .elements[] | {(.id): {\(filters.joined(separator: ", "))}}",
            options: "--slurpfile c \(file)")
        members.append("\"items\":\(Self.object(truth))")
        let whole = "{" + members.joined(separator: ",") + "}"
        options = "--slurpfile c \(try shop.sandbox.directory.write("context.json", Array(whole.utf8)))"
    }

    /// One object of many with a member each.
    private static func object(_ lines: [String]) -> String {
        "{" + lines.map { String($0.dropFirst().dropLast()) }.joined(separator: ",") + "}"
    }
}
