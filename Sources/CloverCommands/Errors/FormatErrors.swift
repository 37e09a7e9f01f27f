import CloverCalendar
import CloverConfiguration
import CloverJSON
import CloverOutput
import Glibc

extension ErrorReport {
    /// Records that cannot be printed as requested; found before anything was sent.
    init(_ error: RecordFormatError) {
        self.init(usage: "usage", "\(error)")
        switch error {
        case .workbookOfRecords:
            code = "records_as_workbook"
            hints = ["spreadsheets open --format csv"]
        case .unknownFormat:
            code = "bad_format"
            hints = ["use " + RecordFormat.allValueStrings.joined(separator: ", ")]
        case .field(.malformed):
            code = "bad_field"
            hints = ["write it as id, employee.id, lineItems.elements.0.name or lineItems.elements.length"]
        case .field(.repeated): code = "bad_field"
        case .unknownField(_, let records, let suggestions):
            code = "bad_field"
            if !suggestions.isEmpty { hints = ["did you mean: " + suggestions.joined(separator: ", ")] }
            if let records {
                hints += ["for all fields: clover schema \(records)", "to ask for it anyway, add --no-check"]
            }
        case .noColumns:
            code = "no_columns"
            hints = ["name them, such as --fields id,name"]
        case .zone(.unknown(let name)):
            code = "bad_zone"
            let near = ValueKind.zone.near(name)
            if TimeZoneRules.names().isEmpty {
                hints = ["this machine has no time zone database; install the package tzdata, or use UTC"]
                break
            }
            if !near.isEmpty { hints = ["did you mean: " + near.joined(separator: ", ")] }
            hints += ["use merchant, UTC or a name such as America/New_York; to list names: timedatectl list-timezones"]
        case .zone(.unreadable(_, let number)):
            (code, status) = ("bad_zone", .inputOutput)
            message += ": \(String(cString: strerror(number)))"
        case .conflict: break
        case .needsFormat(_, let formats):
            let ways = formats.map { "--format " + $0.rawValue }
            hints = [ways.count == 1 ? "add \(ways[0])" : "choose one: " + ways.joined(separator: ", ")]
        case .throughList(_, let list, let rest):
            code = "bad_field"
            let members = list.split(separator: ".").map { ".\($0)" }.joined()
            hints = [
                "write \(list).0.\(rest) for the first entry, or \(list).length for the number of entries",
                "for all entries: --jq '[\(members)[].\(rest)]'",
            ]
        case .shopsDiffer:
            hints = ["leave --slurp and input out, and format each record: --jq '.netSales | money'"]
        case .needsFields: hints = ["choose fields with --fields, or a format with columns: csv, tsv, table"]
        case .merchantUnknown(.timeZone):
            (code, status) = ("merchant_unknown", .badData)
            hints = ["name a zone, such as --zone America/New_York"]
        case .noSuchMerchantZone:
            (code, status) = ("bad_merchant_zone", .nonsense)
            hints = ["name a zone, such as --zone America/New_York"]
        case .unknownCurrency:
            (code, status) = ("bad_currency", .badData)
            hints = ["to print amounts unchanged, add --money minor"]
        case .merchantUnknown(.currency):
            (code, status) = ("merchant_unknown", .badData)
            hints = ["to print amounts unchanged, add --money minor"]
        }
    }

    /// A jq program that cannot run.
    init(_ error: JQError) {
        switch error {
        case .compile(let message):
            // The first line of jq's message says what is wrong, the others where.
            let lines = message.split(separator: "\n").map(String.init)
            self.init(
                "jq_compile", .badData, "the jq program does not compile: \(lines.first ?? message)",
                hints: Array(lines.dropFirst()))
        case .invalidJSONArgument, .containsNUL:
            self.init("jq_argument", .usage, "\(error)")
        case .outOfMemory:
            self.init(
                "jq_memory", .badData, "\(error)",
                "a program over all records, as with --slurp, needs memory for all of them: process them one by one")
        case .noThread, .cancelled:
            self.init("jq", .unclassified, "\(error)")
        }
    }

    /// Standard output that cannot be written; nil if its reader has closed it, which ends the program quietly.
    init?(_ error: RecordWriteError) {
        switch error {
        case .closed: return nil
        case .failed(let number):
            self.init(
                "write_failed", .inputOutput, "cannot write to standard output: \(String(cString: strerror(number)))",
                "the output so far is not complete")
        }
    }
}
