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

    /// What is set once for all runs. It gives way to what is asked for now, and where a format has no use for it
    /// nothing is said.
    package struct Habits: Sendable, Equatable {
        package var money: Money?
        package var times: Times?
        /// Of times that are written out anyway.
        package var zone: Zone?
        package var hasHeader = true
        package var isSpreadsheetSafe = false

        package init() {}
    }

    package var format: RecordFormat?
    /// Where the format comes from when it was not asked for now, but is set once for all: `CLOVER_FORMAT=csv`.
    package var formatHabit: String?
    package var habits = Habits()
    /// In the order of the columns; empty when none were named.
    package var fields: [FieldPath] = []
    package var money: Money?
    package var times: Times?
    package var zone: Zone?
    package var hasHeader = true
    package var isSpreadsheetSafe = false

    package init() {}
}
