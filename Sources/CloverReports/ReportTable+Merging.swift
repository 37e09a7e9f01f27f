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
        // Only one of the periods may have a column, such as the tax that prices contain.
        let all = Self.columns(of: [self, other])
        return fitted(to: all).compared(withSame: other.fitted(to: all))
    }

    private func compared(withSame other: ReportTable) -> ReportTable {
        var result = self
        result.columns.insert(.period, at: 0)
        result.rows = rows.map { [.text(period)] + $0 } + other.rows.map { [.text(other.period)] + $0 }
        result.rows += totals.map { [.text("\(period), total")] + $0 }
        result.rows += other.totals.map { [.text("\(other.period), total")] + $0 }
        for kind in Self.kinds(of: sums + other.sums) {
            let pair = [sums, other.sums].map { all in all.first { Self.texts(of: $0) == kind } }
            let change = columns.indices.map { place -> Value in
                let values = pair.map { $0?[place] ?? .integer(0) }
                if case (.integer(let now), .integer(let before)) = (values[0], values[1]) {
                    return .integer(now - before)
                }
                return columns[place].kind == .text ? values[0] == .integer(0) ? values[1] : values[0] : .none
            }
            result.rows.append([.text("change")] + change)
            if let ratios = ratios(pair) { result.notes.append("Change: \(ratios).") }
        }
        result.summaryRows = result.rows.count - rows.count - other.rows.count
        result.totals = []
        result.period = "\(period), compared with \(other.period)"
        result.remarks += other.remarks.filter { !remarks.contains($0) }.map { "\(other.period): \($0)" }
        return result
    }

    /// The columns of the table that has most. Tables of one report differ only in columns that some of them lack.
    private static func columns(of tables: [ReportTable]) -> [Column] {
        tables.map(\.columns).max { $0.count < $1.count } ?? []
    }

    /// The same rows under these columns, matched by name: 0 in those that the table lacks.
    private func fitted(to wanted: [Column]) -> ReportTable {
        guard wanted != columns else { return self }
        let places = wanted.map { column in columns.firstIndex { $0.name == column.name } }
        func fitted(_ values: [Value]) -> [Value] { places.map { place in place.map { values[$0] } ?? .integer(0) } }
        var result = self
        result.columns = wanted
        result.rows = rows.map(fitted)
        result.totals = totals.map(fitted)
        return result
    }

    /// How far the amounts of two totals, the later one first, are apart: `NET +3.1 %, COLLECTED -0.4 %`; nil where none can
    /// be compared.
    private func ratios(_ pair: [[Value]?]) -> String? {
        guard let (now, before) = pair[0].flatMap({ now in pair[1].map { (now, $0) } }) else { return nil }
        let words = columns.indices.compactMap { place -> String? in
            guard columns[place].kind == .money,
                case (.integer(let new), .integer(let old)) = (now[place], before[place]),
                old != 0
            else { return nil }
            let tenths = Rounding.halfUp(
                Int64(clamping: (new - old).magnitude), times: 1000, over: Int64(clamping: old.magnitude))
            let sign = tenths == 0 ? "" : (new < old) == (old > 0) ? "-" : "+"
            return "\(columns[place].heading) \(sign)\(tenths / 10).\(tenths % 10) %"
        }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// The rows of several shops, with the shop as the first column, and the total of all. If the shops have different
    /// currencies, the second column is the currency, and each currency has a total.
    ///
    /// - Returns: nil without any shop.
    package init?(ofShops shops: [(name: String, table: ReportTable)]) {
        // A shop whose prices contain tax has one more column.
        let all = Self.columns(of: shops.map(\.table))
        let shops = shops.map { (name: $0.name, table: $0.table.fitted(to: all)) }
        guard let first = shops.first?.table else { return nil }
        self = first
        let currencies = Set(shops.map(\.table.currency)).sorted()
        func named(_ shop: Value, _ table: ReportTable, _ values: [Value]) -> [Value] {
            (currencies.count > 1 ? [shop, .identifier(table.currency)] : [shop]) + values
        }
        rows = shops.flatMap { shop in shop.table.rows.map { named(.text(shop.name), shop.table, $0) } }
        remarks = shops.flatMap { shop in shop.table.remarks.map { "\(shop.name): \($0)" } }
        columns.insert(.shop, at: 0)
        if currencies.count > 1 {
            columns.insert(.currency, at: 1)
            currency = ""
            remarks.append("The shops have different currencies, which are not added.")
        }
        totals = currencies.flatMap { currency in
            let tables = shops.map(\.table).filter { $0.currency == currency }
            let all = tables.flatMap { table in table.sums.map { named(.none, table, $0) } }
            return Self.kinds(of: all).map { kind in
                let same = all.filter { Self.texts(of: $0) == kind }
                return columns.indices.map { place in
                    let values = same.map { $0[place] }
                    return if case .text? = values.first { values[0] } else { Self.sum(values, columns[place].kind) }
                }
            }
        }
        addShops(shops)
    }

    /// The same table of each of its currencies, without the column; itself if it has one currency.
    package var byCurrency: [ReportTable] {
        guard let place = currencyColumn else { return [self] }
        var codes: [String] = []
        for row in rows where !codes.contains(currency(of: row)) { codes.append(currency(of: row)) }
        return codes.map { code in
            var table = self
            table.currency = code
            table.columns.remove(at: place)
            table.rows = rows.filter { currency(of: $0) == code }
            table.totals = totals.filter { currency(of: $0) == code }
            for index in table.rows.indices { table.rows[index].remove(at: place) }
            for index in table.totals.indices { table.totals[index].remove(at: place) }
            return table
        }
    }

    /// The totals, or the only row.
    private var sums: [[Value]] { totals.isEmpty ? Array(rows.prefix(1)) : totals }

    /// What tells one total from another, such as whether it is revenue.
    private static func texts(of row: [Value]) -> [Value] { row.filter { if case .text = $0 { true } else { false } } }

    private static func kinds(of rows: [[Value]]) -> [[Value]] {
        rows.map(texts).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The sum of a column; none if it cannot be added, or if a part of it is unknown.
    private static func sum(_ values: [Value], _ kind: Kind) -> Value {
        guard kind == .money || kind == .count || kind == .quantity else { return .none }
        var sum: Int64 = 0
        for value in values {
            guard case .integer(let number) = value else { return .none }
            sum += number
        }
        return .integer(sum)
    }
}
