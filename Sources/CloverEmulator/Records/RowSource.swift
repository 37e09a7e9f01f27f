/// A list of ready values without filter fields.
struct RowSource: RecordSource {
    let rows: [TableRow]

    var count: Int { rows.count }
    var fields: [FilterField] { [] }

    func makeScratch(expanding tree: ExpandTree) -> Int { 0 }

    func load(_ position: Int, into scratch: inout Int) {
        scratch = position
    }

    func write(_ scratch: inout Int, to writer: inout JSONWriter) {
        rows[scratch].json.write(to: &writer)
    }

    func position(ofID id: String) -> Int? {
        rows.firstIndex { $0.id == id }
    }

    func value(of field: Int, in scratch: Int) -> FieldValue {
        .absent
    }
}
