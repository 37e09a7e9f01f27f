import CloverConfiguration
import CloverRecords
import Glibc

extension ErrorReport {
    /// Records that cannot be printed as requested; found before anything was sent.
    init(_ error: RecordFormatError) {
        switch error {
        case .unknownFormat:
            self.init(code: "bad_format", status: .usage, message: "\(error)")
            hints = ["use " + RecordFormat.allCases.map(\.rawValue).joined(separator: ", ")]
        case .malformedField:
            self.init(code: "bad_field", status: .usage, message: "\(error)")
            hints = ["write it as id, employee.id, lineItems.elements.0.name or lineItems.elements.length"]
        case .repeatedField:
            self.init(code: "bad_field", status: .usage, message: "\(error)")
        case .unknownField(_, let records, let suggestions):
            self.init(code: "bad_field", status: .usage, message: "\(error)")
            if !suggestions.isEmpty { hints = ["did you mean: " + suggestions.joined(separator: ", ")] }
            if let records {
                hints += ["for all fields: clover schema \(records)", "to ask for it anyway, add --no-check"]
            }
        case .noColumns:
            self.init(code: "no_columns", status: .usage, message: "\(error)")
            hints = ["name them, such as --fields id,name"]
        case .unknownZone(let name):
            self.init(code: "bad_zone", status: .usage, message: "\(error)")
            let near = ValueKind.zone.near(name)
            if !near.isEmpty { hints = ["did you mean: " + near.joined(separator: ", ")] }
            hints += ["use merchant, UTC or a name such as America/New_York; to list names: timedatectl list-timezones"]
        case .unreadableZone(_, let number):
            self.init(
                code: "bad_zone", status: .inputOutput, message: "\(error): \(String(cString: strerror(number)))")
        case .unknownCurrency:
            self.init(code: "bad_currency", status: .badData, message: "\(error)")
            hints = ["to print amounts unchanged, add --money minor"]
        case .conflict:
            self.init(code: "usage", status: .usage, message: "\(error)")
        case .needsFormat(_, let formats):
            self.init(code: "usage", status: .usage, message: "\(error)")
            hints = ["choose one: " + formats.map { "--format " + $0.rawValue }.joined(separator: ", ")]
        case .throughList(_, let list, let rest):
            self.init(code: "bad_field", status: .usage, message: "\(error)")
            let members = list.split(separator: ".").map { ".\($0)" }.joined()
            hints = [
                "write \(list).0.\(rest) for the first entry, or \(list).length for the number of entries",
                "for all entries: --jq '[\(members)[].\(rest)]'",
            ]
        case .needsFields:
            self.init(code: "usage", status: .usage, message: "\(error)")
            hints = ["choose fields with --fields, or a format with columns: csv, tsv, table"]
        case .merchantUnknown(.timeZone):
            self.init(code: "merchant_unknown", status: .badData, message: "\(error)")
            hints = ["name a zone, such as --zone America/New_York"]
        case .noSuchMerchantZone:
            self.init(code: "bad_merchant_zone", status: .nonsense, message: "\(error)")
            hints = ["name a zone, such as --zone America/New_York"]
        case .merchantUnknown(.currency):
            self.init(code: "merchant_unknown", status: .badData, message: "\(error)")
            hints = ["to print amounts unchanged, add --money minor"]
        }
    }
}
