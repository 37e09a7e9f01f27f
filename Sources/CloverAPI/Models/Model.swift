/// One kind of object that the API sends or accepts, as the catalogue describes it.
package struct Model: Sendable, Equatable {
    /// Group and name, such as `order.Order`.
    package let name: String
    package let api: API
    /// The sources that have the model.
    package let sources: [Source]
    package let fields: [Field]

    package enum API: String, Sendable {
        /// V3.
        case rest
        case ecommerce
        /// Messages between a program and a card reader.
        case device
    }

    /// A description of the API that has the model or field.
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
        /// The number is the real value times this factor; nil if it is the value itself.
        package let scale: Int?
        package let isNullable: Bool
        /// True if only the object's id is returned unless it is expanded.
        package let isReference: Bool
        package let isDeprecated: Bool
        /// True for a PIN, a bank or card number, a token or a secret.
        package let isSensitive: Bool
        /// The allowed values of a string without a named enum; empty for any string.
        package let cases: [String]
        package let sources: [Source]

        /// Whether the number is a time since 1970, not a duration such as a `timeToLive` in seconds.
        package var isInstant: Bool {
            guard unit == .milliseconds || unit == .seconds else { return false }
            switch type {
            case .timestamp: return true
            // Some descriptions of the API use plain numbers for times; the name decides.
            case .integer, .any: return FilterExpression.isTimeField(name) || Self.timeNames.contains(name)
            default: return false
            }
        }

        private static let timeNames: Set<String> = ["created", "createdAt", "lastLogin", "updated"]
    }

    package enum Unit: String, Sendable {
        /// Minor units of the merchant's currency.
        case minor
        /// Since 1970, if the field is a time.
        case milliseconds = "ms"
        case seconds = "s"
        case minutes = "min"
        case percent
    }

    /// The field with this name; nil if there is none.
    package func field(named name: some StringProtocol) -> Field? {
        fields.first { $0.name == name }
    }
}
