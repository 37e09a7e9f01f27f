/// A list of records that an endpoint serves, in its default order. Records are generated one at a time.
protocol RecordSource: Sendable {
    /// Memory that is reused for one record after another.
    associatedtype Scratch
    var count: Int { get }
    /// The fields that the endpoint filters and sorts by; empty for endpoints that announce none. Some endpoints also sort by other
    /// members (`Route.sorts`).
    var fields: [FilterField] { get }
    /// Whether positions count from the newest creation time, so that times can be found by binary search.
    var isNewestFirst: Bool { get }
    var historyRule: HistoryRule { get }
    /// The cache key for selections of this list; nil when selections are too small or too special to cache.
    var cacheName: String? { get }

    func makeScratch(expanding tree: ExpandTree) -> Scratch
    /// Generates the record at a position of the default order.
    func load(_ position: Int, into scratch: inout Scratch)
    /// The value of `fields[field]` in the loaded record.
    func value(of field: Int, in scratch: Scratch) -> FieldValue
    func write(_ scratch: inout Scratch, to writer: inout JSONWriter)
    func position(ofID id: String) -> Int?
    /// Creation time at a position, in milliseconds since 1970; called only when `isNewestFirst` is true.
    func createdTime(at position: Int) -> Int
}

extension RecordSource {
    var isNewestFirst: Bool { false }
    var historyRule: HistoryRule { .none }
    var cacheName: String? { nil }
    func createdTime(at position: Int) -> Int { 0 }

    /// The loaded record as lists show it.
    func shown(_ scratch: inout Scratch) -> JSONValue? {
        var writer = JSONWriter()
        write(&scratch, to: &writer)
        return JSONParser.value(of: writer.bytes())
    }

    /// The id of the record at a position; nil if the list does not filter by id.
    func id(at position: Int) -> String? {
        guard let field = fields.firstIndex(where: { $0.name == "id" }) else { return nil }
        var scratch = makeScratch(expanding: .none)
        load(position, into: &scratch)
        guard case .text(let id) = value(of: field, in: scratch) else { return nil }
        return id
    }
}

/// The service's silent 90-day limits (API changelog of May 2023 and February 2025, page on limits of July 2023).
enum HistoryRule: Sendable {
    /// 90 days of 24 hours, in milliseconds.
    static let window = 90 * 86_400_000

    case none
    /// Only 90 days are searched when the request filters by one of these fields; otherwise all history is returned.
    case whenFiltered(Set<String>)
    /// Only 90 days are returned, whatever the request asks for.
    case always

    /// The order fields that trigger the limit (API changelog, May 2023).
    static let orders = HistoryRule.whenFiltered([
        "deletedTime", "externalReferenceId", "createdTime", "total", "payType", "title", "note", "state",
        "manualTransaction", "cardTransaction.last4", "testMode", "touched",
    ])

    /// Whether the limit applies to a request with these filters.
    func applies(to filters: [FilterExpression]) -> Bool {
        switch self {
        case .none: false
        case .always: true
        case .whenFiltered(let names): filters.contains { names.contains($0.field) }
        }
    }
}

/// A list of records stored as JSON: a whole table, or the rows that belong to another record.
struct DocumentSource: RecordSource {
    struct Scratch {
        var place = 0
        let tree: ExpandTree
    }

    let list: [TableRow]
    let kind: DocumentKind
    let view: ShopView
    var fields: [FilterField] = []
    var historyRule = HistoryRule.none

    var count: Int { list.count }

    func makeScratch(expanding tree: ExpandTree) -> Scratch {
        Scratch(tree: tree)
    }

    func load(_ position: Int, into scratch: inout Scratch) {
        scratch.place = position
    }

    func write(_ scratch: inout Scratch, to writer: inout JSONWriter) {
        view.shown(list[scratch.place], kind, scratch.tree).write(to: &writer)
    }

    func position(ofID id: String) -> Int? {
        list.firstIndex { $0.id == id }
    }

    func value(of field: Int, in scratch: Scratch) -> FieldValue {
        view.value(of: fields[field].name, in: list[scratch.place], kind)
    }
}

extension DocumentSource {
    init(_ table: Table, view: ShopView) {
        self.init(list: view.rows(table).list, kind: .table(table), view: view, fields: table.fields)
    }

    /// The entries of a nested collection.
    init(partsOf owner: TableRow?, _ member: String, _ kind: DocumentKind, view: ShopView) {
        let parts = owner?.json[member]?.elements ?? []
        self.init(list: parts.map { TableRow(id: $0.id ?? "", json: $0) }, kind: kind, view: view)
    }
}

/// A generated list with later writes applied: new records first, changed records in place, removed records left out.
struct OverlaySource<Base: RecordSource>: RecordSource {
    struct Scratch {
        var base: Base.Scratch
        var row: TableRow?
        let tree: ExpandTree
    }

    private let base: Base
    private let view: ShopView
    private let kind: DocumentKind
    private let overlayVersion: Int
    private let added: [TableRow]
    /// Changed records, by position in the base.
    private var changed: [Int: TableRow] = [:]
    /// Positions of the base that were removed from the list, ascending.
    private let missing: [Int]
    /// Whether records were moved into the list, in front of older ones.
    private let hasMoved: Bool

    /// - Parameter belongs: decides which written records are in the list.
    init(
        base: Base, overlay: Overlay, kind: DocumentKind, view: ShopView, where belongs: (TableRow) -> Bool
    ) {
        self.base = base
        self.view = view
        self.kind = kind
        overlayVersion = overlay.version
        var missing = overlay.removed.compactMap { base.position(ofID: $0) }
        var moved: [TableRow] = []
        for row in overlay.changed.values {
            let isIn = belongs(row)
            if let position = base.position(ofID: row.id) {
                if isIn { changed[position] = row } else { missing.append(position) }
            } else if isIn {
                moved.append(row)
            }
        }
        added = overlay.added.filter(belongs) + moved.sorted { $0.id < $1.id }
        self.missing = missing.sorted()
        hasMoved = !moved.isEmpty
    }

    var count: Int { added.count + base.count - missing.count }
    var fields: [FilterField] { base.fields }
    var isNewestFirst: Bool { base.isNewestFirst && !hasMoved }
    var historyRule: HistoryRule { base.historyRule }
    var cacheName: String? { base.cacheName.map { "\($0)#\(overlayVersion)" } }

    func makeScratch(expanding tree: ExpandTree) -> Scratch {
        Scratch(base: base.makeScratch(expanding: tree), row: nil, tree: tree)
    }

    func load(_ position: Int, into scratch: inout Scratch) {
        if position < added.count {
            scratch.row = added[position]
            return
        }
        let place = basePosition(position)
        scratch.row = changed.isEmpty ? nil : changed[place]
        if scratch.row == nil { base.load(place, into: &scratch.base) }
    }

    func value(of field: Int, in scratch: Scratch) -> FieldValue {
        guard let row = scratch.row else { return base.value(of: field, in: scratch.base) }
        return view.value(of: fields[field].name, in: row, kind)
    }

    func write(_ scratch: inout Scratch, to writer: inout JSONWriter) {
        guard let row = scratch.row else { return base.write(&scratch.base, to: &writer) }
        view.shown(row, kind, scratch.tree).write(to: &writer)
    }

    func position(ofID id: String) -> Int? {
        if let place = added.firstIndex(where: { $0.id == id }) { return place }
        guard let place = base.position(ofID: id) else { return nil }
        let before = missing.indices.partitioningPoint { missing[$0] >= place }
        guard before == missing.count || missing[before] != place else { return nil }
        return added.count + place - before
    }

    func createdTime(at position: Int) -> Int {
        if position < added.count { return added[position].json["createdTime"]?.integer ?? 0 }
        return base.createdTime(at: basePosition(position))
    }

    /// The position in the base: skips the removed positions before it.
    private func basePosition(_ position: Int) -> Int {
        let wanted = position - added.count
        guard !missing.isEmpty else { return wanted }
        // `missing[k] - k` positions remain before the k-th removed one.
        return wanted + missing.indices.partitioningPoint { missing[$0] - $0 > wanted }
    }
}

extension Range<Int> {
    /// The first number that passes the test, by binary search; the upper bound if none does. The test must fail for
    /// all numbers before it and pass from there on.
    func partitioningPoint(where passes: (Int) -> Bool) -> Int {
        var low = lowerBound
        var high = upperBound
        while low < high {
            let middle = (low + high) / 2
            if passes(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
