package import CloverHTTP

/// One operation of the API, as the catalogue describes it: a method on a path.
package struct Endpoint: Sendable, Equatable {
    package let method: Method
    /// The path with its placeholders: `/v3/merchants/{mId}/orders/{orderId}`.
    package let path: String
    package let api: API
    /// The first word of the path below the merchant, such as `orders`; the FAMILY of `clover endpoints FAMILY`.
    package let family: String
    /// Clover's name for the operation, such as `GetOrders`; nil if unknown.
    package let operation: String?
    package let shape: Shape
    /// The model of the records or object in the response, such as `order.Order`; nil if unknown.
    package let model: String?
    /// The model of the request body, `elements<MODEL>` for a list; nil if there is no body or it is unknown.
    package let body: String?
    /// The token permission that the operation requires, such as `ORDERS_R`; nil if unknown.
    package let permission: String?
    /// True if the permission is inferred from the path; no source names it for this operation.
    package let isPermissionInferred: Bool
    /// The service's maximum page size, in records.
    package let maximumPage: Int
    /// The page size, in records, where the catalogue names no other.
    package static let usualPage = 1000
    /// When the service leaves out older records.
    package let history: History
    /// The filter field for the creation time, used to split the list into time windows.
    package let timeField: String?
    /// The filter field for the time of the last change.
    package let changeField: String?
    /// The names to expand, including nested ones such as `lineItems.discounts`.
    package let expandable: [String]
    package let filterable: [String]
    /// Whether `filterable` is complete; if not, an unlisted name may be valid.
    package let isFilterListComplete: Bool
    package let sortable: [String]
    /// Query parameters of this operation, in addition to those that all lists take.
    package let parameters: [String]
    /// The equivalent method of Clover's iOS SDK 0.3, such as `getMerchantOrders`.
    package let sdkMethod: String?
    /// True if the operation was only seen in programs, not in Clover's reference.
    package let isUnconfirmed: Bool
    /// Pitfalls, one line each.
    package let notes: [String]

    package typealias Method = HTTPMethod

    /// The Clover service that handles the operation; each has its own host.
    package enum API: String, Sendable {
        case v3, ecommerce, token, oauth
        case hostedCheckout = "hosted-checkout"
        /// The V3 host, outside `/v3`.
        case platform = "platform-host"
    }

    package enum Shape: String, Sendable {
        /// Pages of `{"elements":[...]}`.
        case list
        case object
        /// Comma-separated text, not paged.
        case csv
        /// Not documented; mostly deletions.
        case undocumented = ""
    }

    /// Clover's 90-day rules (Clover: API usage and rate limits).
    package enum History: Sendable, Equatable {
        case whole
        /// The service returns 90 days at most, whatever the query.
        case cut
        /// The service searches only the last 90 days if one of these fields is filtered.
        case cutByFilter(Set<String>)
    }

    /// `merchant-orders` for `getMerchantOrders`: the names that users of the SDK know.
    package var alias: String? { sdkMethod.map(Self.alias(ofMethod:)) }

    static func alias(ofMethod name: String) -> String {
        var alias = ""
        for character in name.dropFirst(3) {
            if character.isUppercase, !alias.isEmpty { alias.append("-") }
            alias += character.lowercased()
        }
        return alias
    }

    /// Whether the response to a write holds the record that was created or changed. Responses that only confirm, such as to
    /// sort orders and notifications, have models without an id.
    package var returnsRecord: Bool {
        guard shape == .object, let name = model ?? body else { return false }
        return ModelCatalogue.model(named: name)?.field(named: "id") != nil
    }

    /// The extra header field that the operation requires, and what it holds; nil if it requires none. Parsed from
    /// the catalogue's notes, which always use the same wording for it.
    package var wantedHeader: (name: String, meaning: String)? {
        let words = "wants the header "
        guard let note = notes.first(where: { $0.hasPrefix(words) })?.dropFirst(words.count),
            let colon = note.firstIndex(of: ":")
        else { return nil }
        return (String(note[..<colon]), note[note.index(after: colon)...].drop { $0 == " " }.description)
    }

    /// Whether each page of the list is requested by the last record of the one before (Clover: ecommerce, paginating
    /// requests).
    package var isPagedByCursor: Bool { api == .ecommerce && shape == .list }

    /// The segments of the path; a trailing slash adds none.
    package var segments: [Substring] { path.split(separator: "/") }

    /// The names in braces except the merchant's, in order, such as `orderId`.
    package var placeholders: [String] {
        segments.filter { $0.first == "{" && $0 != "{mId}" }.map { String($0.dropFirst().dropLast()) }
    }
}

struct EndpointLine {
    private let columns: [String]

    /// The columns, in the order that Scripts/generate-catalogue writes them.
    private enum Column: Int, CaseIterable {
        case method, path, api, family, operation, shape, model, body, permission, largestPage, history, timeField
        case changeField, sdkMethod, flags, expand, expandNested, filter, sort, parameters, historyFields, notes
    }

    init(_ columns: [String]) {
        self.columns = columns
    }

    /// Nil if the row is malformed.
    var endpoint: Endpoint? {
        guard columns.count == Column.allCases.count, let method = Endpoint.Method(rawValue: text(.method)),
            let api = Endpoint.API(rawValue: text(.api)), let shape = Endpoint.Shape(rawValue: text(.shape))
        else { return nil }
        let permission = text(.permission)
        return Endpoint(
            method: method, path: text(.path), api: api, family: text(.family), operation: given(.operation),
            shape: shape, model: given(.model), body: given(.body),
            permission: permission.isEmpty ? nil : permission.filter { $0 != "~" },
            isPermissionInferred: permission.hasPrefix("~"),
            maximumPage: Int(text(.largestPage)) ?? Endpoint.usualPage, history: history,
            timeField: given(.timeField), changeField: given(.changeField),
            expandable: names(.expand) + names(.expandNested), filterable: names(.filter),
            isFilterListComplete: !text(.flags).contains("i"), sortable: names(.sort), parameters: names(.parameters),
            sdkMethod: given(.sdkMethod), isUnconfirmed: text(.flags).contains("u"), notes: notes)
    }

    private static let lists = TableText(EndpointTable.lists).texts
    private static let allNotes = TableText(EndpointTable.notes).texts

    private func text(_ column: Column) -> String { columns[column.rawValue] }

    private func given(_ column: Column) -> String? {
        text(column).isEmpty ? nil : text(column)
    }

    private func names(_ column: Column) -> [String] {
        guard let number = Int(text(column)), Self.lists.indices.contains(number) else { return [] }
        return Self.lists[number].split(separator: ",").map(String.init)
    }

    private var notes: [String] {
        text(.notes).split(separator: ",").compactMap { Int($0) }.filter(Self.allNotes.indices.contains)
            .map { Self.allNotes[$0] }
    }

    private var history: Endpoint.History {
        switch text(.history) {
        case "always": .cut
        case "filtered": .cutByFilter(Set(names(.historyFields)))
        default: .whole
        }
    }
}
