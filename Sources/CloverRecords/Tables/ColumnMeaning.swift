/// What the values of a column are to a person, which decides how they stand out.
package enum ColumnMeaning: Sendable, Equatable {
    case plain
    /// Names a record for programs; people look past it.
    case identifier
    /// A word for how something stands.
    case state
    /// A number, which stands at the right.
    case amount
    /// Of no use when it is cut, such as a time, or a name that people type.
    case whole

    /// - Parameter name: the last name of a field's path, as the service writes it.
    init(field name: String?) {
        switch name {
        case "id": self = .identifier
        case "state", "status", "result", "paymentState", "syncState": self = .state
        default: self = .plain
        }
    }

    /// How a value stands out; nil for one that does not.
    package func style(of value: String) -> TextStyle? {
        switch self {
        case .plain, .amount, .whole: nil
        case .identifier: .faint
        case .state: Self.states[value.lowercased()]
        }
    }

    /// The words of the service's enums, and those of our own journal, readers and sign-ins.
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
