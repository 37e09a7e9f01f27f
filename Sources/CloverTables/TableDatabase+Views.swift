import CloverExport

/// Views for people: amounts in major units, times of the shop.
extension TableDatabase {
    /// Creates the views whose tables are there, also those that others dropped, and those anew whose definition changed. A
    /// view or table of the same name that the user made, or changed, stays.
    func updateViews() throws {
        for (name, definition) in try definitions() {
            let sql = "CREATE VIEW \(name) AS\n\(definition)"
            let known = try store.value("SELECT definition FROM clover_export_views WHERE name = $1", .text(name)).text
            if let there = try store.relation(name) {
                // One that the user made or changed stays.
                guard case .view(let found) = there, found != sql, found == known else { continue }
            }
            guard try store.replaceView(name, sql) else { continue }
            try store.run(
                """
                INSERT INTO clover_export_views (name, definition) VALUES ($1, $2)
                ON CONFLICT (name) DO UPDATE SET definition = excluded.definition
                """, .text(name), .text(sql))
        }
    }

    private func definitions() throws -> [(name: String, definition: String)] {
        var views: [(name: String, definition: String)] = []
        let (orders, lines) = (try columns("orders"), try columns("orders__line_items"))
        let divisor = "1" + String(repeating: "0", count: shop.decimals) + ".0"
        func major(_ amount: String, as name: String) -> String {
            store.rounded("\(amount) / \(divisor)", to: shop.decimals) + " AS \(name)"
        }
        if orders.contains("state"), lines.isSuperset(of: ["name", "price", "item_id"]) {
            let quantity =
                lines.contains("unit_qty") ? store.rounded("coalesce(line.unit_qty / 1000.0, 1)", to: 3) : "1"
            var parts = [
                "line.parent_id AS order_id", "line.id AS line_item_id", "\(time(orders, of: "orders")) AS ordered_at",
                "line.item_id", "line.name", "\(quantity) AS quantity", major("line.price", as: "price"),
                major("round(line.price * \(quantity))", as: "amount"), "line.currency",
            ]
            for name in ["refunded", "exchanged", "is_revenue", "note"] where lines.contains(name) {
                parts.append("line.\(name)")
            }
            for name in ["state", "payment_state"] where orders.contains(name) {
                parts.append("orders.\(name) AS order_\(name)")
            }
            let isThere = orders.contains("deleted_at") ? " WHERE orders.deleted_at IS NULL" : ""
            views.append(
                (
                    "sales_lines",
                    """
                    SELECT \(parts.joined(separator: ", "))
                    FROM orders__line_items AS line JOIN orders ON orders.id = line.parent_id\(isThere)
                    """
                ))
        }
        let payments = try columns("payments")
        if payments.isSuperset(of: ["amount", "tender_id", "result"]) {
            let hasTenders = try columns("tenders").contains("label")
            let day = store.day(of: time(payments, of: "payments"))
            var labels = payments.contains("tender_label") ? ["payments.tender_label"] : []
            if hasTenders { labels.append("tenders.label") }
            labels.append("payments.tender_id")
            let label = labels.count > 1 ? "coalesce(\(labels.joined(separator: ", ")))" : labels[0]
            var parts = ["\(day) AS day", "\(label) AS tender", "count(*) AS payments"]
            for name in ["amount", "tip_amount", "tax_amount"] where payments.contains(name) {
                parts.append(major("sum(payments.\(name))", as: name))
            }
            parts.append("payments.currency")
            views.append(
                (
                    "payments_by_tender",
                    """
                    SELECT \(parts.joined(separator: ", "))
                    FROM payments\(hasTenders ? " LEFT JOIN tenders ON tenders.id = payments.tender_id" : "")
                    WHERE payments.result = 'SUCCESS'
                    GROUP BY \(day), \(label), payments.currency
                    """
                ))
        }
        return views
    }

    /// The shop's local time where the zone is known, otherwise UTC.
    private func time(_ columns: Set<String>, of table: String) -> String {
        let name = ["created_time_local", "created_time_utc"].first(where: columns.contains) ?? "created_time"
        return "\(table).\(name)"
    }

    /// Columns of a table that exports made, and that are there; none for any other.
    private func columns(_ table: String) throws -> Set<String> {
        let rows = try store.run("SELECT column_name FROM clover_export_columns WHERE table_name = $1", .text(table))
        return try Set(rows.compactMap { $0[0].text }).intersection(store.columns(of: table).keys)
    }

    /// Views of exports that others dropped.
    func missingViews() throws -> [ExportFinding] {
        try store.run("SELECT name FROM clover_export_views ORDER BY name").compactMap { $0[0].text }
            .filter { try store.relation($0) == nil }
            .map {
                ExportFinding(
                    .changed, file: $0,
                    "the view \($0) is missing; the next run makes it again, if its columns are as they were")
            }
    }
}
