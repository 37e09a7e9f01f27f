/// What the catalogue knows of one operation of the API: a method on a path.
package struct Endpoint: Sendable, Equatable {
    package let method: Method
    /// The path with its placeholders: `/v3/merchants/{mId}/orders/{orderId}`.
    package let path: String
    package let api: API
    /// What `clover endpoints FAMILY` finds it by: the first word below the merchant, such as `orders`.
    package let family: String
    /// Clover's name of the operation, such as `GetOrders`; nil when not known.
    package let operation: String?
    package let shape: Shape
    /// The name of the model of the records, or of the object, that is answered, such as `order.Order`; nil when not
    /// known.
    package let model: String?
    /// The name of the model of the request's body; `elements<MODEL>` for a list of them. Nil when there is none, or it is not known.
    package let body: String?
    /// The permission a token needs for it, such as `ORDERS_R`; nil when not known.
    package let permission: String?
    /// The permission follows from what the path is about; no source names it for this operation.
    package let isPermissionInferred: Bool
    /// The largest page that the service gives.
    package let maximumPage: Int
    /// When older records are left out.
    package let history: History
    /// The time, fixed when a record is made, by which the list can be filtered into windows.
    package let timeField: String?
    /// The time of the last change by which the list can be filtered.
    package let changeField: String?
    /// Expansions by name, those of parts (`lineItems.discounts`) among them.
    package let expandable: [String]
    package let filterable: [String]
    /// Whether `filterable` is all there is; where it is not, an unknown name may be right.
    package let isFilterListComplete: Bool
    package let sortable: [String]
    /// Query parameters of its own, beside those that all lists have.
    package let parameters: [String]
    /// The method of Clover's iOS SDK 0.3 that did the same, such as `getMerchantOrders`.
    package let sdkMethod: String?
    /// Seen in programs, not in Clover's reference.
    package let isUnconfirmed: Bool
    /// What one has to know of it, a line each.
    package let notes: [String]

    package enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// Which of Clover's services answers; each has its own host.
    package enum API: String, Sendable {
        case v3, ecommerce, token, oauth
        case hostedCheckout = "hosted-checkout"
        /// The host of V3, outside of `/v3`.
        case platform = "platform-host"
    }

    package enum Shape: String, Sendable {
        /// `{"elements":[...]}`, in pages.
        case list
        /// One JSON object.
        case object
        /// Comma-separated text in one piece.
        case csv
        /// No source says; deletions above all.
        case undocumented = ""
    }

    /// Clover's 90-day rules (Clover: API usage and rate limits).
    package enum History: Sendable, Equatable {
        case whole
        /// Only 90 days of it are answered, whatever the query.
        case cut
        /// Only the last 90 days are searched when one of these fields is filtered.
        case cutByFilter(Set<String>)
    }

    /// `merchant-orders` for `getMerchantOrders`: the words of the SDK's users.
    package var alias: String? { sdkMethod.map(Self.alias(ofMethod:)) }

    static func alias(ofMethod name: String) -> String {
        var alias = ""
        for character in name.dropFirst(3) {
            if character.isUppercase, !alias.isEmpty { alias.append("-") }
            alias += character.lowercased()
        }
        return alias
    }

    /// The header field that the operation wants beside the usual ones, and what it holds; nil when it wants none. The
    /// catalogue's notes tell it in the same words each time.
    package var wantedHeader: (name: String, meaning: String)? {
        let words = "wants the header "
        guard let note = notes.first(where: { $0.hasPrefix(words) })?.dropFirst(words.count),
            let colon = note.firstIndex(of: ":")
        else { return nil }
        return (String(note[..<colon]), note[note.index(after: colon)...].drop { $0 == " " }.description)
    }

    /// The segments of the path; a slash at its end makes none.
    package var segments: [Substring] { path.split(separator: "/") }

    /// The names in braces but the merchant's, in order: `orderId`.
    package var placeholders: [String] {
        segments.filter { $0.first == "{" && $0 != "{mId}" }.map { String($0.dropFirst().dropLast()) }
    }
}
