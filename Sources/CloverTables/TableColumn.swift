/// A column of a table, and where its values come from.
package struct TableColumn: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case text, integer, real, boolean
        /// Minor units of the record's currency.
        case money
        /// A time, as the service sends it.
        case milliseconds, seconds
        /// A scalar that the catalogue does not know. The column converts nothing.
        case any
        /// The time of the column before it, in UTC.
        case utc
        /// The same time in the shop's zone, without fractions of a second.
        case local
        /// Id of the record that a nested list belongs to.
        case parent
        /// Place of an entry in its list, from 0.
        case position
        /// The record as JSON.
        case record
    }

    package let name: String
    /// Names of the members on the way to the value, separated by dots; empty for a column that is not a member.
    package let field: String
    package let kind: Kind

    /// `created_time` for `createdTime`, `employee_id` for `employee.id`. Anything but ASCII letters and digits becomes an
    /// underscore.
    package static func name(of field: some StringProtocol) -> String {
        var name = ""
        var afterSmall = false
        for character in field.unicodeScalars {
            switch character {
            case "A"..."Z":
                if afterSmall { name += "_" }
                name += String(character).lowercased()
                afterSmall = false
            case "a"..."z", "0"..."9":
                name.unicodeScalars.append(character)
                afterSmall = true
            default:
                name += "_"
                afterSmall = false
            }
        }
        return name
    }

    /// A name in double quotes, as SQL wants it (SQLite: keywords).
    package static func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    package var quoted: String { Self.quoted(name) }
}

/// A value of a row.
package enum Cell {
    case null
    case integer(Int64)
    case real(Double)
    case boolean(Bool)
    /// Milliseconds since 1970.
    case time(Int64)
    /// Seconds since 1970 that the shop's clock shows, as if it were in UTC.
    case localTime(Int)
    /// UTF-8 text inside the record; valid only while the record's bytes are.
    case bytes(UnsafeRawBufferPointer)
    case text(String)
}

/// What rows need to know of the merchant.
package struct ShopFacts: Sendable, Equatable {
    /// ISO 4217 code; nil if unknown.
    package var currency: String?
    /// Number of decimals of the currency's major unit.
    package var decimals: Int
    /// Time zone by name; nil if unknown.
    package var zone: String?

    package init(currency: String?, decimals: Int, zone: String?) {
        self.currency = currency
        self.decimals = decimals
        self.zone = zone
    }
}
