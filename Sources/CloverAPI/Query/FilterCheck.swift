import CloverJSON

/// Compares records with the filters that the service was asked to apply. A record that contradicts one shows that it did not.
///
/// Top-level times, numbers and ASCII texts are compared, texts without regard to case. A field that a record lacks, and any
/// other comparison, says nothing.
struct FilterCheck: Sendable {
    /// The first contradiction, and the number of records that have one.
    private(set) var contradiction: FilterContradiction?
    private let conditions: [Condition]
    /// Start of the run, in milliseconds since 1970. Records may be changed after it, while they are read.
    private let now: Int64

    private struct Condition {
        let filter: FilterExpression
        let isTime: Bool
        let test: Test
    }

    private enum Test {
        case order(String, Double)
        case among([Operand])
        case notEqual(Operand)
    }

    private struct Operand {
        let raw: String
        let number: Double?
        /// Nil if it cannot be compared: letters other than those of ASCII have several forms, and `%` or `*` may be a pattern.
        let text: String?

        init(_ text: some StringProtocol) {
            let isPlain = text.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "*") }
            self.text = isPlain ? text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ") : nil
            number = Double(text)
            raw = String(text)
        }

        /// Nil if it is not known.
        func equals(_ other: Operand) -> Bool? {
            if let number, let other = other.number { return number == other }
            guard let text, let other = other.text else { return nil }
            return text == other
        }
    }

    /// - Parameter now: milliseconds since 1970.
    init(_ filters: [FilterExpression], now: Int64) {
        self.now = now
        conditions = filters.compactMap { filter in
            guard !filter.field.contains("."), let test = Self.test(filter.condition) else { return nil }
            return Condition(filter: filter, isTime: FilterExpression.isTimeField(filter.field), test: test)
        }
    }

    /// Removes the records that contradict a filter, and notes those outside of the window, which is no filter of the user's.
    ///
    /// - Parameter window: the time range of the request, and its field; nil for none.
    mutating func filter(_ batch: inout RecordBatch, in window: (bounds: TimeWindow, field: String)?) {
        guard !conditions.isEmpty || window != nil else { return }
        var found: [FilterContradiction] = []
        batch.removeRecords { batch, record in
            for condition in conditions {
                guard let value = conflict(with: condition, record, of: batch) else { continue }
                found.append(
                    FilterContradiction(
                        field: condition.filter.field, condition: condition.filter.condition, id: batch.id(of: record),
                        value: value, isTime: condition.isTime))
                return true
            }
            if let window, let time = batch.time(window.field, of: record), isOutside(time, window.bounds) {
                found.append(
                    FilterContradiction(
                        field: window.field, condition: ">=\(window.bounds.from)", id: batch.id(of: record),
                        value: "\(time)", isTime: true, isDelivered: true))
            }
            return false
        }
        guard let first = found.first else { return }
        contradiction = contradiction ?? first
        contradiction?.count += found.count
    }

    private static let rounding = TimeWindows.rounding

    private func isOutside(_ time: Int64, _ window: TimeWindow) -> Bool {
        time < window.from &- Self.rounding || time >= window.to &+ Self.rounding && !isNew(time)
    }

    /// Whether the record may have been changed while it was read.
    private func isNew(_ time: Int64) -> Bool { time >= now - Self.rounding }

    /// The value of the record that contradicts a condition; nil if none does.
    private func conflict(with condition: Condition, _ record: Record, of batch: RecordBatch) -> String? {
        let field = condition.filter.field
        if condition.isTime {
            guard let time = batch.time(field, of: record), !LocalFilter.seconds.contains(time) else { return nil }
            return contradicts(time, condition.test) ? "\(time)" : nil
        }
        guard let text = batch.value(of: field, in: record) else { return nil }
        let own = Operand(text)
        switch condition.test {
        case .order(let symbol, let bound):
            guard let number = own.number else { return nil }
            let holds =
                switch symbol {
                case "<": number < bound
                case "<=": number <= bound
                case ">": number > bound
                default: number >= bound
                }
            return holds ? nil : text
        case .among(let operands): return operands.allSatisfy { own.equals($0) == false } ? text : nil
        // Whether the service regards case is not known.
        case .notEqual(let operand):
            return own.equals(operand) == true && (own.number != nil || own.raw == operand.raw) ? text : nil
        }
    }

    private func contradicts(_ time: Int64, _ test: Test) -> Bool {
        let (time, rounding) = (Double(time), Double(Self.rounding))
        switch test {
        case .order(let symbol, let bound):
            if symbol.first == ">" { return time < bound - rounding }
            return time > bound + rounding && !isNew(Int64(time))
        case .among(let operands):
            return operands.allSatisfy { operand in operand.number.map { abs($0 - time) > rounding } ?? false }
        case .notEqual: return false
        }
    }

    /// The test for a condition in the service's form, as `FilterExpression` writes it; nil if it is not compared.
    private static func test(_ condition: String) -> Test? {
        if condition.hasPrefix(" in ("), condition.hasSuffix(")") {
            let listed = condition.dropFirst(" in (".count).dropLast().split(separator: ",")
            return .among(listed.map { Operand($0.drop { $0 == "'" }.prefix { $0 != "'" }) })
        }
        let symbol = String(condition.prefix { "!<>=".contains($0) })
        let operand = Operand(condition.dropFirst(symbol.count))
        switch symbol {
        case "=": return .among([operand])
        case "!=": return .notEqual(operand)
        case "<", "<=", ">", ">=": return operand.number.map { .order(symbol, $0) }
        default: return nil
        }
    }
}

/// A record that the service returned although a filter excludes it.
package struct FilterContradiction: Error, Equatable {
    package let field: String
    /// In the service's form.
    package let condition: String
    package let id: String?
    /// What the record has; a time in milliseconds since 1970.
    package let value: String
    package let isTime: Bool
    /// Whether such records are delivered: the filter is one of the tool's windows, and not the user's.
    package var isDelivered = false
    /// The number of such records.
    package fileprivate(set) var count = 0
}
