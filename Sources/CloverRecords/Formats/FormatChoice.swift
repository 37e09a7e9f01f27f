/// The user's output options; nil means not set. `FormatPlan` resolves all defaults and conflicts.
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
        /// A name in the zone database.
        case named(String)

        /// Parses `merchant`, `UTC` in any case, or a name. `FormatPlan.layout` checks whether the database has it.
        package init(parsing text: String) {
            switch text.lowercased() {
            case "merchant": self = .merchant
            case "utc", "z": self = .utc
            default: self = .named(text)
            }
        }
    }

    /// Configured defaults, overridden by flags. A default that does not apply to a format is silently ignored.
    package struct Habits: Sendable, Equatable {
        package var money: Money?
        package var times: Times?
        /// The zone for times that are formatted anyway.
        package var zone: Zone?
        package var hasHeader = true
        package var isSpreadsheetSafe = false

        package init() {}
    }

    package var format: RecordFormat?
    /// The source of the format if it is a configured default, such as `CLOVER_FORMAT=csv`.
    package var formatHabit: String?
    package var habits = Habits()
    /// The selected fields in column order; empty if none were selected.
    package var fields: [FieldPath] = []
    package var money: Money?
    package var times: Times?
    package var zone: Zone?
    package var hasHeader = true
    package var isSpreadsheetSafe = false

    package init() {}
}
