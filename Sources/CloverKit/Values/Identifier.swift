/// The id of a record of one model, so that an order's id is not taken for a payment's.
///
/// ```swift
/// let id: Identifier<Order> = "ORDER"
/// let order = try await shop.order(id)
/// if let employee = order.employee?.id { print(try await shop.employee(Identifier(employee.text)).name ?? "") }
/// ```
public struct Identifier<Model>: FilterValue, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The id as Clover writes it.
    public let text: String

    /// - Parameter text: the id as Clover writes it.
    public init(_ text: String) { self.text = text }

    /// The same id, where a model refers to another one without naming it: `shop.employee(Identifier(reference.id))`.
    public init<Other>(_ other: Identifier<Other>) { text = other.text }

    public init(stringLiteral value: String) { text = value }

    public init?(json: JSONValue) {
        guard case .string(let text) = json else { return nil }
        self.text = text
    }

    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    public var description: String { text }
    public var json: JSONValue { .string(text) }
    public var filterText: String { text }
}
