extension ReportTable {
    /// Whether nothing happened in the period: all numbers are 0.
    package var isEmpty: Bool {
        rows.allSatisfy { row in
            zip(columns, row).allSatisfy { column, value in
                guard case .integer(let number) = value, column.kind == .money || column.kind == .count else {
                    return true
                }
                return number == 0 || column.name == "hour" || column.name == "days"
            }
        }
    }

    /// The rows of this period, then those of another, then the change of the totals. The first column is the period.
    package func compared(with other: ReportTable) -> ReportTable {
        var result = self
        result.columns.insert(Column("period", "PERIOD", .text), at: 0)
        result.rows = rows.map { [.text(period)] + $0 } + other.rows.map { [.text(other.period)] + $0 }
        let (now, before) = (total ?? rows.first, other.total ?? other.rows.first)
        if let now, let before, columns == other.columns {
            let change = zip(now, before).map { pair -> Value in
                if case (.integer(let now), .integer(let before)) = pair { .integer(now - before) } else { .none }
            }
            if let total { result.rows.append([.text("total of \(period)")] + total) }
            if let total = other.total { result.rows.append([.text("total of \(other.period)")] + total) }
            result.rows.append([.text("change")] + change)
            result.summaryRows = result.rows.count - rows.count - other.rows.count
        }
        result.total = nil
        result.period = "\(period), compared with \(other.period)"
        return result
    }

    /// The rows of several shops, with the shop as the first column, and the total of all. Shops with different
    /// currencies have no total.
    ///
    /// - Returns: nil without any shop.
    package init?(ofShops shops: [(name: String, table: ReportTable)]) {
        guard let first = shops.first?.table else { return nil }
        self = first
        // A shop whose prices contain tax has one more column.
        for (_, table) in shops where table.columns.count > columns.count { columns = table.columns }
        let own = columns
        func fitted(_ values: [Value], _ table: ReportTable) -> [Value] {
            own.map { column in
                table.columns.firstIndex { $0.name == column.name }.map { values[$0] } ?? .integer(0)
            }
        }
        rows = shops.flatMap { shop in shop.table.rows.map { [.text(shop.name)] + fitted($0, shop.table) } }
        remarks = shops.flatMap { shop in shop.table.remarks.map { "\(shop.name): \($0)" } }
        columns.insert(Column("shop", "SHOP", .text), at: 0)
        guard Set(shops.map(\.table.currency)).count == 1 else {
            total = nil
            currency = ""
            remarks.append("The shops have different currencies: amounts are in the smallest units of each.")
            return
        }
        let sums = shops.compactMap { shop in (shop.table.total ?? shop.table.rows.first).map { fitted($0, shop.table) }
        }
        total =
            [.none]
            + own.indices.map { place in
                guard own[place].kind == .money || own[place].kind == .count || own[place].kind == .quantity else {
                    return .none
                }
                return sums.reduce(Value.integer(0)) { sum, values in
                    if case (.integer(let left), .integer(let right)) = (sum, values[place]) {
                        .integer(left + right)
                    } else {
                        sum
                    }
                }
            }
        if shops.contains(where: { $0.table.clock != clock }) { clock = "each shop's own days" }
    }
}
