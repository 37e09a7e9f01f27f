package import CloverCalendar
package import CloverJSON
package import CloverSystem

/// How records are printed. What sets a format apart is decided in this file; what it writes, by its `RowEncoder`.
package enum RecordFormat: String, Sendable, CaseIterable {
    /// One JSON value per line.
    case ndjson
    /// One JSON array of all records.
    case json
    /// Comma-separated values with a header (RFC 4180).
    case csv
    /// Tab-separated values with a header, escaped like jq's `@tsv`.
    case tsv
    /// Aligned columns for people.
    case table
    /// A workbook, of reports only.
    case xlsx

    /// - Throws: `.unknownFormat`.
    package init(parsing name: String) throws(RecordFormatError) {
        guard let format = RecordFormat(rawValue: name) else { throw .unknownFormat(name) }
        self = format
    }

    /// Whether the format has columns, and so cannot print whole records.
    package var hasColumns: Bool {
        switch self {
        case .ndjson, .json: false
        case .csv, .tsv, .table, .xlsx: true
        }
    }

    /// Whether each record is written by itself, so that a feed or an export can append to what was written.
    package var isLineWise: Bool {
        switch self {
        case .ndjson, .csv, .tsv: true
        case .json, .table, .xlsx: false
        }
    }

    /// The formats that write each record by itself, for messages: `ndjson, csv or tsv`.
    package static var lineWiseNames: String {
        let names = allCases.filter(\.isLineWise).map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    /// How control characters are kept from a terminal; nil for a table, which is sanitized cell by cell and has its own
    /// colours.
    package var terminalForm: TerminalFilter.Form? {
        switch self {
        case .ndjson, .json: .json
        case .csv, .tsv: .text
        case .table, .xlsx: nil
        }
    }

    /// The encoder of the rows of a layout.
    func rows(
        _ columns: [RecordColumn], of layout: RecordLayout, cells: CellFormatter,
        onHidden: @escaping @Sendable ([String]) -> Void
    ) throws(RecordFormatError) -> any RowEncoder {
        switch self {
        case .ndjson: return JSONRows(columns, cells: cells, isArray: false)
        case .json: return JSONRows(columns, cells: cells, isArray: true)
        case .xlsx: throw .workbookOfRecords
        case .csv:
            return DelimitedRows(
                columns, cells: cells, hasHeader: layout.hasHeader, csv: layout.csv,
                isSpreadsheetSafe: layout.isSpreadsheetSafe)
        case .tsv: return DelimitedRows(columns, cells: cells, hasHeader: layout.hasHeader, csv: nil)
        case .table:
            return TableRows(
                columns, cells: cells, hasHeader: layout.hasHeader, hasLoneHeader: layout.hasLoneHeader,
                terminalWidth: layout.terminalWidth, isColored: layout.isColored, onHidden: onHidden)
        }
    }
}

/// Why records cannot be printed as requested. All of these are found before anything is sent or written.
package enum RecordFormatError: Error, Equatable, Sendable {
    /// No format has this name.
    case unknownFormat(String)
    /// Only reports are printed as a workbook.
    case workbookOfRecords
    /// The text does not name fields.
    case field(FieldPathError)
    /// No record has this field; `records` is their name for 'clover schema', if known.
    case unknownField(String, records: String?, suggestions: [String])
    /// csv, tsv and tables need columns, but neither the user nor a schema names any.
    case noColumns(RecordFormat)
    case zone(TimeZoneError)
    /// Not an active code of ISO 4217.
    case unknownCurrency(String)
    /// Two mutually exclusive options, as written.
    case conflict(String, String)
    /// The option applies to some formats only, and no format was chosen.
    case needsFormat(option: String, [RecordFormat])
    /// The field leads into a list without selecting an entry; `list` is the part that leads to the entries.
    case throughList(field: String, list: String, rest: String)
    /// The option applies to selected fields, but whole records are requested.
    case needsFields(option: String)
    /// The merchant's zone or currency is needed, but the service does not provide it.
    case merchantUnknown(MerchantFact)
    /// The merchant's zone, as named by the service, does not exist.
    case noSuchMerchantZone(String)
    /// A jq program reads records of several shops at once (`option`), and uses a function whose result depends on the shop.
    case shopsDiffer(String)

    package enum MerchantFact: Sendable, Equatable {
        case timeZone
        case currency
    }
}

extension RecordFormatError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownFormat(let name): "unknown format '\(name)'"
        case .workbookOfRecords: "--format xlsx is for reports only"
        case .field(let error): "\(error)"
        case .unknownField(let text, let records, _):
            "\(records.map { "records of \($0) have" } ?? "these records have") no field '\(text)'"
        case .noColumns(let format): "no columns are known for \(format.rawValue)"
        case .zone(let error): "\(error)"
        case .unknownCurrency(let code): "unknown currency '\(code)'"
        case .conflict(let option, let other): "\(option) and \(other) exclude each other"
        case .needsFormat(let option, let formats):
            "\(option) is for \(formats.map(\.rawValue).joined(separator: ", ")) only"
        case .throughList(let field, let list, _):
            "the field '\(field)' does not say which entry of \(list) is meant"
        case .needsFields(let option): "\(option) applies only to selected fields, not to whole records"
        case .merchantUnknown(.timeZone): "the merchant's time zone is not known"
        case .merchantUnknown(.currency): "the merchant's currency is not known"
        case .shopsDiffer(let option):
            "\(option): money, day, hour and iso cannot be used where a program reads all records at once, because the "
                + "records have different time zones or currencies"
        case .noSuchMerchantZone(let name): "the merchant's time zone '\(name)' does not exist"
        }
    }
}

extension FieldPath {
    /// The path with this text.
    package static func parsed(_ text: String) throws(RecordFormatError) -> FieldPath {
        do throws(FieldPathError) { return try FieldPath(parsing: text) } catch { throw .field(error) }
    }
}

extension TimeZoneRules {
    /// The zone with this name.
    package static func named(_ name: String) throws(RecordFormatError) -> TimeZoneRules {
        do throws(TimeZoneError) { return try TimeZoneRules(named: name) } catch { throw .zone(error) }
    }
}
