import CLinux
import CXLSXWriter
import CloverCalendar
import CloverSystem
import Glibc

/// Writes reports as a workbook for spreadsheets (Office Open XML): one sheet for each table, and a last one with what
/// the numbers mean.
///
/// Amounts are numbers in major units with the decimals of the currency, dates are dates, and texts are never formulas.
/// A column of several hundred rows can be filtered and sorted: the total is apart, below the filter.
package enum ReportWorkbook {
    /// Spreadsheets have this many rows; one is the head and one the total.
    package static let rowLimit = Int(LXW_ROW_MAX) - 2

    /// The bytes of the file.
    ///
    /// - Parameter proof: how complete the report is, such as `complete: 12 requests`; empty for nothing.
    /// - Throws: `.libraryMissing`, `.tooManyRows`, `.failed`.
    package static func bytes(_ tables: [ReportTable], proof: String = "") throws(ReportWorkbookError) -> [UInt8] {
        if let long = tables.first(where: { $0.rows.count > rowLimit }) { throw .tooManyRows(long.rows.count) }
        let library = try XLSXWriterLibrary.load()
        // The library writes to a path only. A file in memory has one, and leaves nothing behind.
        let number = memfd_create("workbook", clover_mfd_cloexec)
        guard number >= 0 else { throw .failed(reason: String(cString: strerror(errno))) }
        let file = Descriptor(owning: number)
        let writer = try WorkbookWriter(library, path: "/proc/self/fd/\(number)")
        var names: Set<String> = []
        for table in tables { writer.add(table, sheet: sheetName(table.title, &names)) }
        writer.addNotes(tables, proof, sheet: sheetName("About", &names))
        try writer.close()
        do throws(ErrorNumber) {
            return try file.read(limit: Int(try file.status().st_size))
        } catch {
            throw .failed(reason: "\(error)")
        }
    }

    /// A name that spreadsheets accept: at most 31 characters, none of `[]:*?/\`, unique in any case.
    static func sheetName(_ title: String, _ used: inout Set<String>) -> String {
        let allowed = TerminalText.line(title).filter { !"[]:*?/\\'".contains($0) }
        let base = allowed.isEmpty ? "Report" : allowed
        var name = cut(base, to: 31)
        var number = 1
        while !used.insert(name.lowercased()).inserted {
            number += 1
            name = cut(base, to: 31 - " \(number)".count) + " \(number)"
        }
        return name
    }

    /// Spreadsheets count UTF-16 code units.
    static func cut(_ text: String, to limit: Int) -> String {
        var result = ""
        var used = 0
        for character in text {
            used += character.utf16.count
            if used > limit { break }
            result.append(character)
        }
        return result
    }
}

/// Why a workbook cannot be written.
package enum ReportWorkbookError: Error, Equatable, Sendable {
    /// libxlsxwriter cannot be loaded; `detail` is the dynamic linker's text.
    case libraryMissing(detail: String)
    /// A sheet has 1,048,576 rows.
    case tooManyRows(Int)
    /// `reason` is the library's or the system's text.
    case failed(reason: String)
}

/// One open workbook. `close` must be called; the library frees everything then.
private struct WorkbookWriter {
    private let functions: clover_xlsxwriter
    private let workbook: UnsafeMutablePointer<lxw_workbook>
    private let failure = Failure()

    /// The first error of the library.
    private final class Failure {
        var code: lxw_error?
    }

    init(_ library: XLSXWriterLibrary, path: String) throws(ReportWorkbookError) {
        functions = library.functions.pointee
        guard let workbook = functions.workbook_new(path) else { throw .failed(reason: "not enough memory") }
        self.workbook = workbook
    }

    func close() throws(ReportWorkbookError) {
        let closed = functions.workbook_close(workbook)
        let code = failure.code ?? closed
        guard code == LXW_NO_ERROR else {
            throw .failed(reason: functions.lxw_strerror(code).map { String(cString: $0) } ?? "error \(code.rawValue)")
        }
    }

    private func check(_ code: lxw_error) {
        if code != LXW_NO_ERROR, failure.code == nil { failure.code = code }
    }

    private typealias Sheet = UnsafeMutablePointer<lxw_worksheet>
    private typealias Format = UnsafeMutablePointer<lxw_format>

    /// The formats of a sheet: one for each kind of value, and for each number of decimals of amounts.
    private final class FormatCache {
        private let make: (ReportTable.Kind, Int) -> Format?
        private var formats: [ReportTable.Kind: [Int: Format?]] = [:]

        init(_ make: @escaping (ReportTable.Kind, Int) -> Format?) { self.make = make }

        subscript(_ kind: ReportTable.Kind, _ decimals: Int) -> Format? {
            let decimals = kind == .money ? decimals : 0
            if let known = formats[kind]?[decimals] { return known }
            let format = make(kind, decimals)
            formats[kind, default: [:]][decimals] = .some(format)
            return format
        }
    }

    private func addSheet(_ name: String) -> Sheet? {
        let sheet = functions.workbook_add_worksheet(workbook, name)
        if sheet == nil { check(LXW_ERROR_SHEETNAME_ALREADY_USED) }
        return sheet
    }

    private func format(_ number: String? = nil, isBold: Bool = false, _ change: (Format) -> Void = { _ in }) -> Format?
    {
        guard let format = functions.workbook_add_format(workbook) else { return nil }
        if isBold { functions.format_set_bold(format) }
        if let number { functions.format_set_num_format(format, number) }
        change(format)
        return format
    }

    // MARK: A table

    func add(_ table: ReportTable, sheet name: String) {
        guard let sheet = addSheet(name) else { return }
        let plain = FormatCache { kind, decimals in Self.numberFormat(kind, decimals: decimals).flatMap { format($0) } }
        let total = FormatCache { kind, decimals in
            format(Self.numberFormat(kind, decimals: decimals), isBold: true) {
                functions.format_set_top($0, UInt8(LXW_BORDER_THIN.rawValue))
            }
        }
        let rows = table.rows.map(table.named)
        let decimals = (rows + table.totals).map(table.decimals)
        let rules = table.columns.contains { $0.kind == .time } ? table.zoneRules : [:]
        let zones = (table.rows + table.totals).map { rules[table.shop(of: $0).zone] ?? .utc }
        for (column, head) in table.columns.enumerated() {
            let style = format(isBold: true) {
                functions.format_set_bottom($0, UInt8(LXW_BORDER_THIN.rawValue))
                if head.kind.isNumber { functions.format_set_align($0, UInt8(LXW_ALIGN_RIGHT.rawValue)) }
            }
            check(functions.worksheet_write_string(sheet, 0, lxw_col_t(column), head.heading, style))
            for (row, values) in rows.enumerated() {
                let format = plain[head.kind, decimals[row]]
                write(values[column], head.kind, decimals[row], zones[row], sheet, row + 1, column, format)
            }
            for (place, sums) in table.totals.enumerated() {
                let row = table.rows.count + place
                let value = column == table.shownColumns.first && sums[column] == .none ? .text("Total") : sums[column]
                // An empty cell of the total still has its line.
                let shown = value == .none ? ReportTable.Value.text("") : value
                let format = total[head.kind, decimals[row]]
                write(shown, head.kind, decimals[row], zones[row], sheet, row + 1, column, format)
            }
            let width = Self.width(of: column, in: table)
            check(functions.worksheet_set_column(sheet, lxw_col_t(column), lxw_col_t(column), width, nil))
        }
        functions.worksheet_freeze_panes(sheet, 1, 0)
        if !table.rows.isEmpty, !table.columns.isEmpty {
            let (last, right) = (lxw_row_t(table.rows.count), lxw_col_t(table.columns.count - 1))
            check(functions.worksheet_autofilter(sheet, 0, 0, last, right))
        }
        functions.worksheet_set_landscape(sheet)
        functions.worksheet_fit_to_pages(sheet, 1, 0)
        check(functions.worksheet_repeat_rows(sheet, 0, 0))
    }

    private func write(
        _ value: ReportTable.Value, _ kind: ReportTable.Kind, _ decimals: Int, _ zone: TimeZoneRules, _ sheet: Sheet,
        _ row: Int, _ column: Int, _ format: Format?
    ) {
        let (row, column) = (lxw_row_t(row), lxw_col_t(column))
        switch value {
        case .none: return
        case .text(let text):
            check(functions.worksheet_write_string(sheet, row, column, Self.printable(text), format))
        case .integer(let number):
            // A spreadsheet keeps 15 digits; a longer number would be another number.
            guard number.magnitude < 1_000_000_000_000_000 else {
                check(functions.worksheet_write_string(sheet, row, column, "\(number)", format))
                return
            }
            let shown = Self.number(number, kind, decimals, zone)
            check(functions.worksheet_write_number(sheet, row, column, shown, format))
        }
    }

    /// The value of a cell. Dates are days since 1899-12-30, and times are fractions of days (ECMA-376, 18.17.4).
    private static func number(
        _ number: Int64, _ kind: ReportTable.Kind, _ decimals: Int, _ zone: TimeZoneRules
    ) -> Double {
        let daysBefore1970 = 25_569.0
        switch kind {
        case .text, .identifier, .count: return Double(number)
        case .money: return Double(number) / pow(10, Double(decimals))
        case .quantity: return Double(number) / 1000
        case .percent: return Double(number) / 1_000_000
        case .date: return daysBefore1970 + Double(number)
        case .time:
            let seconds = (number - (number % 1000 + 1000) % 1000) / 1000
            return daysBefore1970 + Double(seconds + Int64(zone.offset(at: Int(seconds)))) / 86_400
        }
    }

    private static func numberFormat(_ kind: ReportTable.Kind, decimals: Int) -> String? {
        switch kind {
        // "#,##0.###" would show 9 as "9.".
        case .text, .identifier, .quantity: nil
        case .count: "#,##0"
        case .money: "#,##0" + (decimals > 0 ? "." + String(repeating: "0", count: decimals) : "")
        case .percent: "0.00#%"
        case .date: "yyyy-mm-dd"
        case .time: "yyyy-mm-dd hh:mm"
        }
    }

    /// A text without characters that XML forbids, of at most the 32,767 that a cell can have.
    private static func printable(_ text: String) -> String {
        ReportWorkbook.cut(TerminalText.line(text), to: 32_767)
    }

    private static func width(of column: Int, in table: ReportTable) -> Double {
        let text = ReportValueText(table)
        let rows = table.rows.prefix(500) + table.totals
        let widest = rows.reduce(table.columns[column].heading.count + 3) { max($0, text.text($1, column).count) }
        return Double(min(60, widest + 2))
    }

    // MARK: Notes

    func addNotes(_ tables: [ReportTable], _ proof: String, sheet name: String) {
        guard let first = tables.first, let sheet = addSheet(name) else { return }
        let bold = format(isBold: true)
        let wrapped = format { functions.format_set_text_wrap($0) }
        var row: lxw_row_t = 0
        func line(_ head: String, _ text: String, isTitle: Bool = false) {
            check(functions.worksheet_write_string(sheet, row, 0, Self.printable(head), bold))
            check(functions.worksheet_write_string(sheet, row, 1, Self.printable(text), isTitle ? bold : wrapped))
            row += 1
        }
        if !proof.isEmpty { line("Proof", proof, isTitle: true) }
        for (index, finding) in first.findings.enumerated() {
            line(index == 0 ? "Findings" : "", finding, isTitle: true)
        }
        if row > 0 { row += 1 }
        for table in tables {
            line("Report", table.title, isTitle: true)
            line("Period", table.period)
            line("Clock", table.clock)
            line("Currency", table.currency)
            for (index, sentence) in table.sentences.enumerated() { line(index == 0 ? "Notes" : "", sentence) }
            row += 1
        }
        check(functions.worksheet_set_column(sheet, 0, 0, 12, nil))
        check(functions.worksheet_set_column(sheet, 1, 1, 100, nil))
        setTitle(first.title)
    }

    /// The library copies the texts.
    private func setTitle(_ title: String) {
        title.withCString { text in
            var properties = lxw_doc_properties()
            properties.title = UnsafeMutablePointer(mutating: text)
            check(functions.workbook_set_properties(workbook, &properties))
        }
    }
}

extension ReportTable.Kind {
    /// Whether values are numbers that are aligned right.
    var isNumber: Bool {
        switch self {
        case .text, .identifier, .date, .time: false
        case .count, .money, .quantity, .percent: true
        }
    }
}
