import CloverAPI

/// A condition on the records of a list: `\.total >= 5000`. Clover applies it, or the library where Clover cannot.
///
/// ```swift
/// let start = Timestamp(milliseconds: 1_790_000_000_000)
/// let end = Timestamp(milliseconds: 1_790_086_400_000)
/// let orders = shop.orders.filter(\.createdTime >= start).filter(\.createdTime < end).filter(\.state != "open")
/// for try await order in orders { print(order.id?.text ?? "") }
/// ```
public struct RecordFilter<Fields: RecordFields>: Sendable {
    private let field: String
    private let condition: String

    init<Value: FilterValue>(_ path: KeyPath<Fields, Field<Value>>, _ symbol: String, _ value: Value) {
        field = Fields()[keyPath: path].name
        condition = symbol + value.filterText
    }

    var expression: FilterExpression { FilterExpression(field: field, condition: condition) }
}

/// Records whose field equals the value.
///
/// ```swift
/// print(try await shop.employees.filter(\.role == "ADMIN").all().count)
/// ```
public func == <Fields: RecordFields, Value: FilterValue>(
    path: KeyPath<Fields, Field<Value>>, value: Value
) -> RecordFilter<Fields> { RecordFilter(path, "=", value) }

/// Records whose field differs from the value.
///
/// ```swift
/// print(try await shop.orders.filter(\.state != "open").all().count)
/// ```
public func != <Fields: RecordFields, Value: FilterValue>(
    path: KeyPath<Fields, Field<Value>>, value: Value
) -> RecordFilter<Fields> { RecordFilter(path, "!=", value) }

/// Records whose field is greater than the value.
///
/// ```swift
/// print(try await shop.orders.filter(\.total > 5000).all().count)
/// ```
public func > <Fields: RecordFields, Value: FilterValue>(
    path: KeyPath<Fields, Field<Value>>, value: Value
) -> RecordFilter<Fields> { RecordFilter(path, ">", value) }

/// Records whose field is greater than the value, or equals it.
///
/// ```swift
/// print(try await shop.orders.filter(\.total >= 5000).all().count)
/// ```
public func >= <Fields: RecordFields, Value: FilterValue>(
    path: KeyPath<Fields, Field<Value>>, value: Value
) -> RecordFilter<Fields> { RecordFilter(path, ">=", value) }

/// Records whose field is less than the value.
///
/// ```swift
/// print(try await shop.orders.filter(\.total < 100).all().count)
/// ```
public func < <Fields: RecordFields, Value: FilterValue>(
    path: KeyPath<Fields, Field<Value>>, value: Value
) -> RecordFilter<Fields> { RecordFilter(path, "<", value) }

/// Records whose field is less than the value, or equals it.
///
/// ```swift
/// print(try await shop.orders.filter(\.total <= 100).all().count)
/// ```
public func <= <Fields: RecordFields, Value: FilterValue>(
    path: KeyPath<Fields, Field<Value>>, value: Value
) -> RecordFilter<Fields> { RecordFilter(path, "<=", value) }
