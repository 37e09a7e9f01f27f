import CloverAPI
import CloverHTTP
import CloverJSON
import FoundationEssentials

/// Writes are sent once, or again where that is the same as once. An error says which of three things is true: nothing was
/// changed; it was done, but the response was lost (`.responseLost`); or it may have been done (`.outcomeUnknown`).
extension Shop {
    /// Creates a record, or changes the members that are set: `shop.post(item, to: "items")`,
    /// `shop.post(change, to: "items/ID")`.
    ///
    /// ```swift
    /// var item = Item()
    /// item.name = "Coffee"
    /// item.price = 350
    /// guard let made = try await shop.post(item, to: "items"), let id = made.id else { return }
    /// try await shop.post(Item(members: ["price": .integer(400)]), to: "items/\(id)")
    /// ```
    ///
    /// - Parameters:
    ///   - record: the members to send. The types of those that the catalogue has are checked against it; others are sent
    ///     unchanged, so that a record can be sent that was read from a newer Clover. Clover ignores names that it does not know.
    ///   - path: below the merchant's, such as `orders/ID/line_items`.
    /// - Returns: the record in Clover's response, whose lists end after 100 entries; nil if there is none. To have it whole, read it.
    /// - Throws: `CloverError`; `CancellationError` if nothing was sent.
    @discardableResult
    public func post<Record: CloverRecord>(_ record: Record, to path: String) async throws -> Record? {
        try await write(.post, record.json, path, isRecord: true).flatMap { Record(json: $0) }
    }

    /// Replaces a record, like `post(_:to:)`.
    ///
    /// ```swift
    /// var modifier = Modifier()
    /// modifier.name = "Oat milk"
    /// modifier.price = 50
    /// try await shop.put(modifier, to: "modifier_groups/GROUP/modifiers/MODIFIER")
    /// ```
    ///
    /// - Returns: what `post(_:to:)` returns.
    /// - Throws: `CloverError`; `CancellationError` if nothing was sent.
    @discardableResult
    public func put<Record: CloverRecord>(_ record: Record, to path: String) async throws -> Record? {
        try await write(.put, record.json, path, isRecord: true).flatMap { Record(json: $0) }
    }

    /// Sends any JSON, like `post(_:to:)`, where the body is not one record: `["elements": [...]]` for several. A name that the
    /// catalogue does not have is an error of the kind `.request`.
    ///
    /// ```swift
    /// let pair = JSONValue.object(["item": .object(["id": .string("ITEM")]), "category": .object(["id": .string("CATEGORY")])])
    /// try await shop.post(.object(["elements": .array([pair])]), to: "category_items")
    /// ```
    ///
    /// - Returns: Clover's response, of which only the first record if it is a list; nil if it is empty.
    /// - Throws: `CloverError`; `CancellationError` if nothing was sent.
    @discardableResult
    public func post(_ json: JSONValue, to path: String) async throws -> JSONValue? {
        try await write(.post, json, path)
    }

    /// Deletes one record: `shop.delete("items/ID")`. Whole lists are refused.
    ///
    /// ```swift
    /// try await shop.delete("items/ITEM")
    /// ```
    ///
    /// - Throws: `CloverError`; `CancellationError` if nothing was sent.
    public func delete(_ path: String) async throws {
        _ = try await write(.delete, nil, path)
    }

    /// - Parameter isRecord: whether the JSON may be what Clover sent, with members that the catalogue does not have.
    private func write(
        _ method: HTTPMethod, _ json: JSONValue?, _ text: String, isRecord: Bool = false
    ) async throws -> JSONValue? {
        try await CloverError.during {
            let path = try ResourcePath(
                parsing: text, identifier: nil, merchantID: merchantID, isChecked: true, method: method)
            guard path.endpoint?.api == .v3, path.endpoint?.wantedHeader == nil else {
                throw CloverError.request("\(path.display) is not a record of V3", "use the program: clover charge")
            }
            if let name = path.placeholders.first { throw QueryError.unfilledName(name, path: path.display) }
            guard method != .delete || !path.isCollection else {
                throw CloverError.request("\(path.display) is a whole list", "delete its records one by one")
            }
            var body: [UInt8]?
            if let json {
                do {
                    let bytes = Array(try JSONEncoder().encode(json))
                    let check = BodyCheck(model: path.endpoint?.body, acceptsUnknown: isRecord)
                    if let problem = try check.problem(in: bytes) { throw problem }
                    body = bytes
                } catch {
                    guard var refusal = CloverError.wrapping(error) as? CloverError else { throw error }
                    refusal.message += ": \(method.rawValue) \(path.display)"
                    throw refusal
                }
            }
            var request = ServiceRequest(
                method, client.url(of: path, query: ""), body: body.map { HTTPRequestBody(bytes: $0) },
                movesMoney: path.movesMoney)
            request.expectRecord(at: path)
            let response = try await client.write(request)
            guard let record = response.records.records.first else { return nil }
            guard let json = JSONValue(bytes: response.records.bytes[record.range]) else {
                throw ResponseLostError(
                    status: response.status, url: Redaction.url(request.url), reason: "the record is not JSON")
            }
            return json
        }
    }
}
