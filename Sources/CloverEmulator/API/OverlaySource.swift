/// A list that is made from numbers, with what was written over it: new records in front, changed ones in their places,
/// removed ones left out.
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
    /// Changed records by their positions in the base.
    private let changed: [Int: TableRow]
    /// Positions of the base that are not in the list any more, in order.
    private let missing: [Int]
    /// True when records were moved into the list, in front of older ones.
    private let hasMoved: Bool

    /// - Parameter belongs: tells which written records are in the list.
    init(
        base: Base, overlay: Overlay, kind: DocumentKind, view: ShopView, where belongs: (TableRow) -> Bool
    ) {
        self.base = base
        self.view = view
        self.kind = kind
        overlayVersion = overlay.version
        var added = overlay.added.filter(belongs)
        var changed: [Int: TableRow] = [:]
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
        added += moved.sorted { $0.id < $1.id }
        self.added = added
        self.changed = changed
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
        let before = missing.partitioningIndex { $0 >= place }
        guard before == missing.count || missing[before] != place else { return nil }
        return added.count + place - before
    }

    func createdTime(at position: Int) -> Int {
        if position < added.count { return added[position].json["createdTime"]?.integer ?? 0 }
        let place = basePosition(position)
        return base.createdTime(at: place)
    }

    /// The position in the base: as many further on as are missing up to there.
    private func basePosition(_ position: Int) -> Int {
        let wanted = position - added.count
        guard !missing.isEmpty else { return wanted }
        // `missing[k] - k` positions are left before the k-th missing one.
        var low = 0
        var high = missing.count
        while low < high {
            let middle = (low + high) / 2
            if missing[middle] - middle <= wanted { low = middle + 1 } else { high = middle }
        }
        return wanted + low
    }
}

extension [Int] {
    /// The first index at which the test holds; it fails before and holds from there on.
    fileprivate func partitioningIndex(where holds: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
