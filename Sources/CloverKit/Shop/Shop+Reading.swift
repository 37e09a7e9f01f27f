import CloverAPI
import CloverJSON
public import FoundationEssentials

extension Shop {
    /// The JSON of any read: `shop.get("/v3/merchants/{mId}/orders?limit=5")`, as Clover sent it but without line breaks
    /// outside strings. One request, whose paging is yours; neither the path nor the names of its parameters are checked. A list
    /// inside a record ends after 100 entries, without a sign that there are more: `get(_:as:)` completes it.
    ///
    /// ```swift
    /// let bytes = try await shop.get("/v3/merchants/{mId}/orders?limit=5")
    /// print(String(decoding: bytes, as: UTF8.self))
    /// ```
    ///
    /// - Parameter path: an absolute path, or one below the merchant's, such as `orders/ID`; `{mId}` stands for the
    ///   merchant's id. A query follows a question mark, with plain values, which are encoded.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func get(_ path: String) async throws -> Data {
        try await answer(path, isWhole: false)
    }

    /// - Parameter isWhole: whether nested lists that Clover cut are completed.
    private func answer(_ path: String, isWhole: Bool) async throws -> Data {
        try await CloverError.during {
            let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            var query = RecordQuery()
            var expand: [String] = []
            for pair in parts.count > 1 ? parts[1].split(separator: "&") : [] {
                let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let text = halves.count > 1 ? String(halves[1]) : ""
                query.parameters.append(try RecordQuery.Parameter(name: String(halves[0]), text: text))
                if halves[0] == "expand" { expand += text.split(separator: ",").map(String.init) }
            }
            let resource = try ResourcePath(
                parsing: String(parts.first ?? ""), identifier: nil, merchantID: merchantID, isChecked: false)
            let pager = RecordPager(client: client, path: resource, query: query, isChecked: false, now: Self.now)
            let batch = try await isWhole ? pager.wholeAnswer(expand: expand) : pager.answer(limit: nil, offset: nil)
            return batch.records.first.map { Data(batch.bytes[$0.range]) } ?? Data()
        }
    }

    /// Decodes any read, like `get(_:)`, with whole records: a list inside a record that may be cut at 100 entries is read to its
    /// end from its own address, as for `Records.expand(_:)`. The number of records is that of the page, which is yours.
    ///
    /// ```swift
    /// struct Page: Decodable { var elements: [Order] }
    /// let page = try await shop.get("orders?limit=5&expand=lineItems", as: Page.self)
    /// print(page.elements.count)
    /// ```
    ///
    /// - Throws: `CloverError`, also for a list inside a record that cannot be completed: of the kind of its cause, or
    ///   `.incomplete` if it has no address. `DecodingError`, or `CancellationError`.
    public func get<Value: Decodable>(_ path: String, as type: Value.Type) async throws -> Value {
        try JSONDecoder().decode(Value.self, from: try await answer(path, isWhole: true))
    }

    func records<Record: CloverRecord>(_ segments: [String]) -> Records<Record> {
        Records(shop: self, segments: segments)
    }

    func record<Record: CloverRecord>(
        _ segments: [String], _ expanded: [PartialKeyPath<Record.Fields>] = []
    ) async throws -> Record {
        var records = Records<Record>(shop: self, segments: segments)
        records.expanded = expanded.compactMap { Record.Fields.name(of: $0) }
        guard records.expanded.count == expanded.count else {
            throw CloverError.request(
                "a key path to expand is not one of a field of \(records.name)", "name fields: \\.lineItems")
        }
        // To its end, because nested lists may lack entries.
        guard let record = try await records.all().first else {
            throw CloverError.unreadable("the response has no record: \(records.name)")
        }
        return record
    }

    /// The path of segments for people, below the merchant's: `orders/ID`.
    func name(of segments: [String]) -> String {
        let isBelow = segments.starts(with: ["v3", "merchants", merchantID]) && segments.count > 3
        return segments.dropFirst(isBelow ? 3 : 0).joined(separator: "/")
    }

    /// The path of segments, among which may be ids of callers.
    func path(_ segments: [String]) throws -> ResourcePath {
        if let id = segments.first(where: { $0.isEmpty || $0.contains("/") }) {
            throw CloverError.request("'\(id)' is not an id: \(name(of: segments))", "use the id of a record")
        }
        return try ResourcePath(
            parsing: "/" + segments.joined(separator: "/"), identifier: nil, merchantID: merchantID, isChecked: true)
    }
}
