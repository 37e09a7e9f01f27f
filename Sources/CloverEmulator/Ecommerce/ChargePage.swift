/// A page of charges or refunds (Clover SDK for iOS, lists of charges).
struct ChargePage {
    private static let limits = 1...100
    private static let defaultLimit = 10

    private let limit: Int
    private let after: String?
    private let before: String?
    private let range: ClosedRange<Int>

    init(_ query: QueryString) throws(PaymentRefusal) {
        after = query.values("starting_after").last
        before = query.values("ending_before").last
        limit = try Self.number("limit", query) ?? Self.defaultLimit
        guard Self.limits.contains(limit) else {
            throw .parameter("parameter_invalid_integer", "limit", "The limit must be from 1 to 100")
        }
        var low = Int.min
        var high = Int.max
        if let time = try Self.number("created", query) { (low, high) = (time, time) }
        if let time = try Self.number("created[gte]", query) { low = max(low, time) }
        if let time = try Self.number("created[gt]", query) { low = max(low, time + 1) }
        if let time = try Self.number("created[lte]", query) { high = min(high, time) }
        if let time = try Self.number("created[lt]", query) { high = min(high, time - 1) }
        // A range that ends before it begins has nothing, which no closed range can say.
        range = low <= high ? low...high : Int.max...Int.max
    }

    /// The envelope with what is on the page.
    ///
    /// - Parameter all: the newest first.
    func json(_ all: [JSONValue], url: String) throws(PaymentRefusal) -> JSONValue {
        var list = all[...]
        if let after { list = list[(try place(of: after, in: all) + 1)...] }
        if let before { list = list[..<max(list.startIndex, try place(of: before, in: all))] }
        let matching = list.filter { range.contains($0["created"]?.integer ?? 0) }
        // Before an id come those nearest to it.
        let isBackwards = before != nil && after == nil
        let page = isBackwards ? matching.suffix(limit) : matching.prefix(limit)
        return .object([
            ("object", .string("list")), ("url", .string(url)), ("has_more", .boolean(page.count < matching.count)),
            ("data", .array(Array(page))),
        ])
    }

    private func place(of id: String, in all: [JSONValue]) throws(PaymentRefusal) -> Int {
        guard let place = all.firstIndex(where: { $0.id == id }) else {
            throw .ecommerce(400, "resource_missing", "No object with the id \(id)")
        }
        return place
    }

    private static func number(_ name: String, _ query: QueryString) throws(PaymentRefusal) -> Int? {
        guard let text = query.values(name).last else { return nil }
        guard let number = Int(text), number < Int.max, number > Int.min else {
            throw .parameter("parameter_invalid_integer", name, "Expected a whole number: \(name)")
        }
        return number
    }
}
