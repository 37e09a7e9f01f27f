/// A record of Clover's API: its JSON members, with typed access to those that Clover documents.
///
/// Members that this version does not know stay in `members`, and encoding writes all of them. Numbers have limits: a whole number
/// beyond those of `Int64`, and a fraction with more than about 15 digits, is rounded to a `Double`. One that is too large for a
/// `Double` is kept as text, and cannot be encoded: see ``JSONValue/largeNumber(_:)``. A typed
/// property is nil if the member is absent, is null, or has another type than documented; `members` tells which.
///
/// ```swift
/// var item = Item(members: ["name": .string("Coffee")])
/// item.price = 350
/// print(item.members.keys.sorted(), item["color", as: String.self] ?? "no color")
/// ```
public protocol CloverRecord: FieldValue, NestedRecords, Codable {
    /// All members of the JSON object, known or not.
    var members: [String: JSONValue] { get set }

    /// A record of these members.
    init(members: [String: JSONValue])
}

/// A record, or a list of records: what a field can hold whose own fields are named after a dot.
///
/// ```swift
/// let large = shop.orders.expand(\.lineItems.discounts).filter(\.employee.id == "EMPLOYEE")
/// print(try await large.all().count)
/// ```
public protocol NestedRecords {
    /// The fields by which lists of these records are filtered, sorted and expanded.
    associatedtype Fields: RecordFields
}

extension Array: NestedRecords where Element: NestedRecords {
    public typealias Fields = Element.Fields
}

/// The names of a model's fields.
///
/// ```swift
/// func newest<Record>(_ list: Records<Record>, by time: KeyPath<Record.Fields, Field<Timestamp>>) -> Records<Record> {
///     list.sort(time, .descending).limit(10)
/// }
/// print(try await newest(shop.orders, by: \.createdTime).all().count)
/// ```
public protocol RecordFields: Sendable {
    /// All of them.
    init()
}

/// A field of a model, in a filter, a sort order or an expansion. A field of a nested record follows a dot:
/// `\.employee.id`, `\.lineItems.discounts`.
///
/// ```swift
/// let time: KeyPath<Order.Fields, Field<Timestamp>> = \.createdTime
/// for try await order in shop.orders.sort(time) { print(order.id?.text ?? "") }
/// ```
@dynamicMemberLookup
public struct Field<Value: Sendable>: NamedField {
    let name: String

    /// A field of the nested record, or of the records in the list.
    ///
    /// ```swift
    /// for try await order in shop.orders.filter(\.employee.id == "EMPLOYEE") { print(order.total?.minorUnits ?? 0) }
    /// ```
    public subscript<Nested>(dynamicMember path: KeyPath<Value.Fields, Field<Nested>>) -> Field<Nested>
    where Value: NestedRecords {
        Field<Nested>(name: name + "." + Value.Fields()[keyPath: path].name)
    }
}

/// A field of any type.
protocol NamedField: Sendable {
    var name: String { get }
}

extension RecordFields {
    /// Clover's name of a field; nil for a key path that is not one of a field.
    static func name(of path: PartialKeyPath<Self>) -> String? { (Self()[keyPath: path] as? any NamedField)?.name }
}

extension CloverRecord {
    /// Reads or writes a member. Writing nil removes it.
    ///
    /// ```swift
    /// var item = Item()
    /// item["color"] = "blue"
    /// print(item["color", as: String.self] ?? "")
    /// ```
    public subscript<Value: FieldValue>(name: String, as type: Value.Type = Value.self) -> Value? {
        get { members[name].flatMap { Value(json: $0) } }
        set { members[name] = newValue?.json }
    }

    /// Reads or writes a list that Clover writes as `{"elements": [...]}`. Other members of that object are kept.
    ///
    /// ```swift
    /// var order = Order()
    /// order[elements: "lineItems"] = [LineItem(members: ["price": .integer(350)])]
    /// print(order.lineItems?.count ?? 0)
    /// ```
    public subscript<Value: FieldValue>(elements name: String) -> [Value]? {
        get { members[name].flatMap { [Value](json: $0) } }
        set {
            guard let newValue else {
                members[name] = nil
                return
            }
            var list: [String: JSONValue] = [:]
            if case .object(let old) = members[name] { list = old }
            list["elements"] = newValue.json
            members[name] = .object(list)
        }
    }

    /// Reads a record from the bytes of a JSON object.
    ///
    /// - Parameter name: the path that it was read from.
    /// - Throws: `CloverError` of the kind `.unreadable`.
    init(bytes: ArraySlice<UInt8>, of name: String, _ reader: inout JSONValueReader) throws {
        guard case .object(let members) = bytes.withUnsafeBytes({ reader.value(of: $0) }) else {
            throw CloverError.unreadable("a record of \(name) is not a JSON object")
        }
        self.init(members: members)
    }

    public init?(json: JSONValue) {
        guard case .object(let members) = json else { return nil }
        self.init(members: members)
    }

    public var json: JSONValue { .object(members) }

    public init(from decoder: any Decoder) throws {
        self.init(members: try decoder.singleValueContainer().decode([String: JSONValue].self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(members)
    }
}
