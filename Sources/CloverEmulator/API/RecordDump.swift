/// All records of a list at one point in time, one per line, without pages, limits and the 90-day rule. Tests compare a
/// client's export with it.
package struct RecordDump {
    private let view: ShopView
    private let tree: ExpandTree

    /// - Parameter expand: values of the `expand` query parameter of lists.
    package init(_ view: ShopView, expand: [String] = []) {
        self.view = view
        tree = ExpandTree(expand)
    }

    /// The records in the list's default order, as the list shows them; `line_items` covers the lines of all orders.
    /// 404 if the name is not a list of the merchant.
    package func answer(to list: String) -> EmulatorResponse {
        var writer = JSONWriter(capacity: 65_536)
        switch list {
        case "orders": write(view.orders(), to: &writer)
        case "payments": write(view.payments(), to: &writer)
        case "refunds": write(view.refunds(), to: &writer)
        case "customers": write(view.customers(), to: &writer)
        case "line_items":
            for id in ids(view.orders()) { writeLines(of: id, to: &writer) }
        default:
            guard let table = Table(rawValue: list) else { return EmulatorResponse(.unknownPath) }
            write(DocumentSource(table, view: view), to: &writer)
        }
        var answer = EmulatorResponse(status: 200, body: writer.buffer())
        answer.contentType = "application/x-ndjson"
        return answer
    }

    private func write<Source: RecordSource>(_ source: Source, to writer: inout JSONWriter) {
        guard ShopView.isIncomplete(tree) else { return writeAll(source, to: &writer) }
        writeAll(CompletedSource(base: source, view: view), to: &writer)
    }

    private func writeAll<Source: RecordSource>(_ source: Source, to writer: inout JSONWriter) {
        var scratch = source.makeScratch(expanding: tree)
        for position in 0..<source.count {
            source.load(position, into: &scratch)
            source.write(&scratch, to: &writer)
            writer.byte(UInt8(ascii: "\n"))
        }
    }

    private func writeLines(of order: String, to writer: inout JSONWriter) {
        if let number = view.madeOrder(order) { return write(LineSource(view: view, order: number), to: &writer) }
        let lines = view.orderDocument(order)?.json["lineItems"]?.elements ?? []
        write(DocumentSource(lines.map { TableRow(id: $0.id ?? "", json: $0) }, .lineItem, view: view), to: &writer)
    }

    private func ids<Source: RecordSource>(_ source: Source) -> [String] {
        guard let field = source.fields.firstIndex(where: { $0.name == "id" }) else { return [] }
        var scratch = source.makeScratch(expanding: .none)
        return (0..<source.count).compactMap { position in
            source.load(position, into: &scratch)
            if case .text(let id) = source.value(of: field, in: scratch) { return id }
            return nil
        }
    }
}
