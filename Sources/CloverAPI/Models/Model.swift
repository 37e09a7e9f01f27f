/// What is known of one kind of object that the API sends or takes.
package struct Model: Sendable, Equatable {
    /// Group and name, such as `order.Order`.
    package let name: String
    package let api: API
    /// Where it was seen.
    package let sources: [Source]
    package let fields: [Field]

    package enum API: String, Sendable {
        /// V3.
        case rest
        case ecommerce
        /// Messages between a program and a card reader.
        case device
    }

    /// A description of the API that has the model or the field.
    package enum Source: String, Sendable, CaseIterable {
        /// Clover's iOS SDK 0.3 of 2016.
        case sdk03 = "0.3"
        /// Clover's iOS SDK 1.0.
        case sdk10 = "1.0"
        /// Descriptions made from Clover's reference of 2026.
        case openapi
        /// Clover's guides.
        case docs
    }

    package struct Field: Sendable, Equatable {
        package let name: String
        package let type: FieldType
        package let unit: Unit?
        /// The number is the real value times this; nil when it is the value.
        package let scale: Int?
        package let isNullable: Bool
        /// Only the id of the object is there unless it is expanded.
        package let isReference: Bool
        package let isDeprecated: Bool
        /// A PIN, a bank or card number, a token, a secret.
        package let isSensitive: Bool
        /// The values of a string that is no enum of its own; empty for any string.
        package let cases: [String]
        package let sources: [Source]

        /// Whether the number counts from 1970; false for a length of time, such as a `timeToLive` in seconds.
        package var isInstant: Bool {
            guard unit == .milliseconds || unit == .seconds else { return false }
            switch type {
            case .timestamp: return true
            // Some descriptions of the API have plain numbers for times; their names tell.
            case .integer, .any: return FilterExpression.isTimeField(name) || Self.timeNames.contains(name)
            default: return false
            }
        }

        private static let timeNames: Set<String> = ["created", "createdAt", "lastLogin", "updated"]
    }

    package enum Unit: String, Sendable {
        /// Minor units of the merchant's currency.
        case minor
        /// Since 1970, where the field is a time.
        case milliseconds = "ms"
        case seconds = "s"
        case minutes = "min"
        case percent
    }

    /// The field of this name; nil when there is none.
    package func field(named name: some StringProtocol) -> Field? {
        fields.first { $0.name == name }
    }
}
