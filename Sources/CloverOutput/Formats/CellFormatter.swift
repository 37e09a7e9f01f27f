import CloverCalendar
import CloverJSON

/// Reads the values of a row in the chosen styles for money and times.
struct CellFormatter: Sendable {
    /// The kind of a value as text.
    enum Kind: Sendable {
        case empty
        case text
        /// A number as sent, a count, or an amount in major units.
        case number
        case word
        /// An object or array, as compact JSON.
        case nested
        /// A formatted time or amount.
        case styled
    }

    /// The paths to look for: those of the columns, then those of their currencies and names.
    let paths: [FieldPath]
    private let columns: [RecordColumn]
    /// For each column, the slot with its currency.
    private let currencySlots: [Int?]
    /// For each column, the slot with a name to show instead.
    private let nameSlots: [Int?]
    private let money: MoneyStyle
    private let times: TimeStyle
    /// Whether rates are shown in percent, with the sign.
    private let showsPercent: Bool
    private var instants: InstantWriter
    private var scratch: [UInt8] = []

    init(_ columns: [RecordColumn], money: MoneyStyle, times: TimeStyle, showsPercent: Bool) {
        self.columns = columns
        self.showsPercent = showsPercent
        self.money = money
        self.times = times
        instants =
            switch times {
            case .asSent: InstantWriter(.utc)
            case .iso(let zone), .short(let zone): InstantWriter(zone)
            }
        var paths = columns.map(\.path)
        currencySlots = columns.map { column in
            guard case .money(let path?) = column.kind, money != .minor else { return nil }
            let slot = paths.firstIndex(of: path) ?? paths.count
            if slot == paths.count { paths.append(path) }
            return slot
        }
        nameSlots = columns.map { column in
            guard let path = column.namePath else { return nil }
            paths.append(path)
            return paths.count - 1
        }
        self.paths = paths
    }

    /// Calls `body` once with the text of a value; strings are decoded.
    @inline(__always)
    mutating func read(
        _ column: Int, of record: UnsafeRawBufferPointer, _ values: [FieldValue],
        body: (UnsafeRawBufferPointer, Kind) -> Void
    ) {
        var value = values[column]
        if let slot = nameSlots[column], values[slot].isText { value = values[slot] }
        if columns[column].kind != .plain, let kind = style(column, of: record, values) {
            scratch.withUnsafeBytes { body($0, kind) }
            return
        }
        let kind: Kind
        switch value.kind {
        case .missing, .null:
            return body(UnsafeRawBufferPointer(start: nil, count: 0), .empty)
        case .text: return body(UnsafeRawBufferPointer(rebasing: record[value.range]), .text)
        case .number: return body(UnsafeRawBufferPointer(rebasing: record[value.range]), .number)
        case .word: return body(UnsafeRawBufferPointer(rebasing: record[value.range]), .word)
        case .escapedText:
            let inside = UnsafeRawBufferPointer(rebasing: record[value.range])
            scratch.replaceSubrange(0..<scratch.count, with: JSONString.decoded(inside).utf8)
            kind = .text
        case .nested:
            scratch.removeAll(keepingCapacity: true)
            CompactJSON.append(UnsafeRawBufferPointer(rebasing: record[value.range]), to: &scratch)
            kind = .nested
        case .count:
            scratch.replaceSubrange(0..<scratch.count, with: String(value.start).utf8)
            kind = .number
        }
        scratch.withUnsafeBytes { body($0, kind) }
    }

    /// Appends a value as JSON, as it was sent unless a style changes it; `null` if it is missing.
    mutating func appendJSON(
        _ column: Int, of record: UnsafeRawBufferPointer, _ values: [FieldValue], to output: inout [UInt8]
    ) {
        let value = values[column]
        if columns[column].kind != .plain, let kind = style(column, of: record, values) {
            // Formatted values contain nothing that JSON would escape.
            if kind == .styled { output.append(UInt8(ascii: "\"")) }
            output.append(contentsOf: scratch)
            if kind == .styled { output.append(UInt8(ascii: "\"")) }
            return
        }
        switch value.kind {
        case .missing: output.append(contentsOf: "null".utf8)
        case .count: output.append(contentsOf: String(value.start).utf8)
        default: output.append(contentsOf: UnsafeRawBufferPointer(rebasing: record[value.jsonRange]))
        }
    }

    /// Stores the formatted value in `scratch`; returns nil if it stays as it was sent.
    private mutating func style(
        _ column: Int, of record: UnsafeRawBufferPointer, _ values: [FieldValue]
    ) -> Kind? {
        let value = values[column]
        if value.kind == .text, columns[column].kind == .time(.text) { return instantText(value, of: record) }
        guard value.kind == .number else { return nil }
        let digits = UnsafeRawBufferPointer(rebasing: record[value.range])
        scratch.removeAll(keepingCapacity: true)
        switch columns[column].kind {
        case .plain: return nil
        case .money:
            switch money {
            case .minor: return nil
            case .major(let fallback):
                let currency = currency(of: column, record, values, fallback)
                return MinorUnits.appendMajor(digits, decimals: currency.decimals, to: &scratch) ? .number : nil
            case .signed(let fallback):
                let currency = currency(of: column, record, values, fallback)
                return MinorUnits.appendSigned(digits, in: currency, to: &scratch) ? .styled : nil
            }
        case .time(let unit):
            guard times != .asSent, let count = JSONNumber.integer(digits) else { return nil }
            return styleTime(count, unit)
        case .percent(let decimals):
            return showsPercent && appendPercent(digits, decimals) ? .styled : nil
        }
    }

    /// A number in percent, without trailing zeros: `8.25%`.
    private mutating func appendPercent(_ digits: UnsafeRawBufferPointer, _ decimals: Int) -> Bool {
        if decimals == 0 {
            scratch.append(contentsOf: digits)
        } else {
            guard MinorUnits.appendMajor(digits, decimals: decimals, to: &scratch) else { return false }
            while scratch.last == UInt8(ascii: "0") { scratch.removeLast() }
            if scratch.last == UInt8(ascii: ".") { scratch.removeLast() }
        }
        scratch.append(UInt8(ascii: "%"))
        return true
    }

    /// The same for a time that is already formatted.
    private mutating func instantText(_ value: FieldValue, of record: UnsafeRawBufferPointer) -> Kind? {
        scratch.removeAll(keepingCapacity: true)
        guard times != .asSent,
            let count = InstantReader.milliseconds(UnsafeRawBufferPointer(rebasing: record[value.range]))
        else { return nil }
        return styleTime(count, .text)
    }

    private mutating func styleTime(_ count: Int64, _ unit: TimeUnit) -> Kind? {
        let isWritten =
            if case .iso = times {
                instants.appendISO(count, unit: unit, to: &scratch)
            } else {
                instants.appendShort(count, unit: unit, to: &scratch)
            }
        return isWritten ? .styled : nil
    }

    /// The record's own currency, if it names one. With an unknown code, the amount stays as it was sent.
    private func currency(
        of column: Int, _ record: UnsafeRawBufferPointer, _ values: [FieldValue], _ fallback: Currency
    ) -> Currency {
        guard let slot = currencySlots[column] else { return fallback }
        let value = values[slot]
        guard value.isText else { return fallback }
        let bytes = UnsafeRawBufferPointer(rebasing: record[value.range])
        if let known = Currency.named(bytes) { return known }
        let code =
            value.kind == .escapedText ? JSONString.decoded(bytes) : String(decoding: bytes, as: UTF8.self)
        return .foreign(code)
    }
}
