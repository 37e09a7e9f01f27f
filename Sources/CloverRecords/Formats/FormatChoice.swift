/// How the user wants records printed; nil leaves it open. `plan` has every default and conflict resolved.
package struct FormatChoice: Sendable, Equatable {
    package enum Money: String, Sendable, CaseIterable {
        case minor
        case major
    }

    package enum Times: String, Sendable, CaseIterable {
        /// As the service sends them.
        case sent
        case iso
    }

    package enum Zone: Sendable, Equatable {
        case utc
        case merchant
        /// A name of the zone database.
        case named(String)

        /// `merchant`, `UTC` in any case, or a name; whether the database has it is found out by `FormatPlan.layout`.
        package init(parsing text: String) {
            switch text.lowercased() {
            case "merchant": self = .merchant
            case "utc", "z": self = .utc
            default: self = .named(text)
            }
        }
    }

    package var format: RecordFormat?
    /// The format was not asked for now, but set in the environment once for all.
    package var isFormatHabit = false
    /// In the order of the columns; empty when none were named.
    package var fields: [FieldPath] = []
    package var money: Money?
    package var times: Times?
    package var zone: Zone?
    package var hasHeader = true
    package var isSpreadsheetSafe = false

    package init() {}
}
