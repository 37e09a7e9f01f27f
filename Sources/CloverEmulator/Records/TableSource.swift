/// A small collection of the catalogue, or the part of one that belongs to another record.
struct TableSource: RecordSource {
    struct Scratch {
        var place = 0
        let tree: ExpandTree
    }

    private let shop: Shop
    private let table: Table
    private let places: [Int]

    init(shop: Shop, table: Table, places: [Int]? = nil) {
        self.shop = shop
        self.table = table
        self.places = places ?? Array(0..<shop.catalogue.count(table))
    }

    var count: Int { places.count }
    var fields: [FilterField] { table.fields }

    func makeScratch(expanding tree: ExpandTree) -> Scratch {
        Scratch(tree: tree)
    }

    func load(_ position: Int, into scratch: inout Scratch) {
        scratch.place = places[position]
    }

    func write(_ scratch: inout Scratch, to writer: inout JSONWriter) {
        if scratch.tree.isEmpty {
            writer.raw(shop.catalogue.fragments(table)[scratch.place])
        } else {
            var json = shop.catalogue.expanded(table, scratch.place, scratch.tree)
            if table == .employees { addWork(of: scratch.place, scratch.tree, to: &json) }
            json.write(to: &writer)
        }
    }

    /// Orders and payments of an employee, newest first, as far as a nested collection reaches.
    private func addWork(of employee: Int, _ tree: ExpandTree, to json: inout JSONValue) {
        if tree.contains("orders") {
            let source = OrderSource(shop: shop, numbers: shop.records.orders(ofEmployee: employee))
            json.set("orders", .ready(PageWriter.nested(source, expanding: tree.inside("orders"))))
        }
        if tree.contains("payments") {
            let source = PaymentSource(shop: shop, entries: shop.records.payments(ofEmployee: employee))
            json.set("payments", .ready(PageWriter.nested(source, expanding: tree.inside("payments"))))
        }
    }

    func position(ofID id: String) -> Int? {
        guard let place = shop.catalogue.place(table, id: id) else { return nil }
        return places.firstIndex(of: place)
    }

    func value(of field: Int, in scratch: Scratch) -> FieldValue {
        shop.catalogue.row(table, scratch.place)?.fields[fields[field].name] ?? .absent
    }
}
