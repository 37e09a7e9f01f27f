/// One deleted record of each kind that can be filtered by its deletion, made after the likeness of a present one.
enum DeletedRecords {
    /// The tables that have one.
    static let tables: [Table] = [
        .items, .categories, .tags, .tenders, .employees, .roles, .devices, .orderTypes, .itemGroups, .attributes,
        .options, .shifts, .orderFees, .authorizations, .credits,
    ]
    /// How many orders are younger than the deleted one.
    static let age = 20

    /// How the present record's model says that it is deleted; others do not show it.
    private static func members(_ table: Table, time: Int) -> [(String, JSONValue)] {
        switch table {
        case .items: [("deleted", .boolean(true)), ("deletedTime", .integer(time))]
        case .categories: [("deleted", .boolean(true))]
        case .employees: [("deletedTime", .integer(time))]
        case .orderTypes: [("isDeleted", .boolean(true))]
        default: []
        }
    }

    static func record(like row: TableRow, of table: Table, in shop: Shop) -> TableRow {
        let id = id(tables.firstIndex(of: table) ?? 0, in: shop)
        let time = time(in: shop)
        var copy = TableRow(id: id, json: row.json, fields: row.fields)
        copy.json.set("id", .string(id))
        for (name, value) in members(table, time: time) { copy.json.set(name, value) }
        copy.fields["id"] = .text(id)
        copy.fields["deletedTime"] = .integer(time)
        copy.fields["deleted_time"] = .integer(time)
        copy.fields["deleted"] = .boolean(true)
        return copy
    }

    static func order(like row: TableRow, in shop: Shop) -> TableRow {
        let id = id(tables.count, in: shop)
        var copy = TableRow(id: id, json: row.json, fields: row.fields)
        copy.json.set("id", .string(id))
        copy.json.set("href", .string(shop.catalogue.webAddress("orders/\(id)")))
        copy.json.set("deletedTimestamp", .integer(time(in: shop)))
        return copy
    }

    static func customer(like row: TableRow, in shop: Shop) -> TableRow {
        let id = id(tables.count + 1, in: shop)
        var copy = TableRow(id: id, json: row.json, fields: row.fields)
        copy.json.set("id", .string(id))
        copy.json.set("href", .string(shop.catalogue.webAddress("customers/\(id)")))
        copy.fields["deletedTime"] = .integer(time(in: shop))
        return copy
    }

    private static func id(_ place: Int, in shop: Shop) -> String {
        shop.ids.identifier(.deleted, place).description
    }

    /// An hour before the end of the shop's history.
    private static func time(in shop: Shop) -> Int {
        shop.settings.now - 3_600_000
    }
}
