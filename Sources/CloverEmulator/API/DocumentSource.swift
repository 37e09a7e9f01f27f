/// A list of records that are kept as JSON: a table, or the part of one that belongs to another record.
struct DocumentSource: RecordSource {
    struct Scratch {
        var place = 0
        let tree: ExpandTree
    }

    private let view: ShopView
    private let kind: DocumentKind
    private let list: [TableRow]
    let fields: [FilterField]
    let historyRule: HistoryRule

    init(
        _ list: [TableRow], _ kind: DocumentKind, view: ShopView, fields: [FilterField] = [],
        historyRule: HistoryRule = .none
    ) {
        self.list = list
        self.kind = kind
        self.view = view
        self.fields = fields
        self.historyRule = historyRule
    }

    /// A whole table.
    init(_ table: Table, view: ShopView, fields: [FilterField]? = nil) {
        self.init(view.rows(table).list, .table(table), view: view, fields: fields ?? table.fields)
    }

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
