/// What the catalogue knows of one readable endpoint.
package struct Endpoint: Sendable, Equatable {
    /// The path with its placeholders: `/v3/merchants/{mId}/orders/{orderId}`.
    package let path: String
    package let shape: Shape
    /// The name of the records' model, such as `order.Order`; nil when not known.
    package let model: String?
    /// The permission a token needs to read it, such as `ORDERS_R`; nil when not known.
    package let permission: String?
    /// The largest page that the service gives.
    package let maximumPage: Int
    package let expandable: [String]
    package let filterable: [String]
    package let sortable: [String]

    package enum Shape: String, Sendable {
        /// `{"elements":[...]}`, in pages.
        case list
        /// One JSON object.
        case object
    }

    var segments: [Substring] { path.split(separator: "/") }
}
