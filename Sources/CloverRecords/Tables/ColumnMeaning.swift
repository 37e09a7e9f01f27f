/// What a column's values mean to a person, which decides how they are highlighted.
package enum ColumnMeaning: Sendable, Equatable {
    case plain
    /// Identifies a record for programs; people rarely read it.
    case identifier
    /// A word for a state.
    case state
    /// A number, aligned right.
    case amount
    /// Useless if truncated, such as a time, or a name that people type.
    case whole

    /// - Parameter name: the last name in a field's path, as the service writes it.
    init(field name: String?) {
        switch name {
        case "id": self = .identifier
        case "state", "status", "result", "paymentState", "syncState": self = .state
        default: self = .plain
        }
    }

    /// The style of a value; nil if it is not highlighted.
    package func style(of value: String) -> TextStyle? {
        switch self {
        case .plain, .amount, .whole: nil
        case .identifier: .faint
        case .state: Self.states[value.lowercased()]
        }
    }

    /// The values of the service's enums, and those of our own journal, readers and sign-ins.
    private static let states: [String: TextStyle] = {
        let words: [(TextStyle, String)] = [
            (.good, "success approved authorized paid locked ready connected yes ok done captured active issued"),
            (
                .warning,
                "open pending created sent unknown initializing updatingfw lowbattery partially_paid initiated waiting"
            ),
            (
                .bad,
                "fail failed declined error voided void voiding canceled cancelled disconnected no expired refused"
            ),
            (.warning, "refunded partially_refunded credited manually_refunded"),
        ]
        var table: [String: TextStyle] = [:]
        for (style, list) in words {
            for word in list.split(separator: " ") { table[String(word)] = style }
        }
        return table
    }()
}
