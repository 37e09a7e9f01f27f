import NIOCore

/// Writes lists: pages, collections inside a record, and comma-separated values.
enum PageWriter {
    /// `{"elements":[...],"href":"..."}` with the records of one page. The `href` names the API host with `http`, as
    /// recorded responses do, whatever host the request used.
    ///
    /// - Parameter rows: maximum number of records of the page; the limit, except for deliberately short pages.
    static func page<Source: RecordSource>(
        _ source: Source, _ selection: Selection, _ query: ListQuery, rows: Int, href: String
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 65_536)
        writer.object { writer in
            write(source, selection.dropFirst(query.offset).prefix(rows), expanding: query.expand, to: &writer)
            writer.put("href", "\(href)?\(query.echo)")
        }
        return writer.bytes()
    }

    /// `{"elements":[...]}` with the first records of a source, up to the size of a nested collection.
    static func nested<Source: RecordSource>(_ source: Source, expanding tree: ExpandTree) -> [UInt8] {
        collection(source, 0..<min(source.count, NestedCollection.cap), expanding: tree)
    }

    /// `{"elements":[...]}` with the records at some positions.
    static func collection<Source: RecordSource>(
        _ source: Source, _ positions: some Collection<Int>, expanding tree: ExpandTree
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 32_768)
        writer.object { write(source, positions, expanding: tree, to: &$0) }
        return writer.bytes()
    }

    private static func write<Source: RecordSource>(
        _ source: Source, _ positions: some Collection<Int>, expanding tree: ExpandTree, to writer: inout JSONWriter
    ) {
        writer.key("elements")
        writer.byte(UInt8(ascii: "["))
        var scratch = source.makeScratch(expanding: tree)
        for position in positions {
            writer.separate()
            source.load(position, into: &scratch)
            source.write(&scratch, to: &writer)
        }
        writer.byte(UInt8(ascii: "]"))
    }

    // MARK: Comma-separated values (RFC 4180)

    /// Titles, and paths to values; of lists the first entry.
    static let customerColumns = [
        ("Customer ID", "id"), ("First Name", "firstName"), ("Last Name", "lastName"),
        ("Email Address", "emailAddresses.emailAddress"), ("Phone Number", "phoneNumbers.phoneNumber"),
        ("Address", "addresses.address1"), ("City", "addresses.city"), ("State", "addresses.state"),
        ("Zip", "addresses.zip"), ("Marketing Allowed", "marketingAllowed"), ("Customer Since", "customerSince"),
    ]
    static let shiftColumns = [
        ("Shift ID", "id"), ("Employee ID", "employee.id"), ("Employee Name", "employee.name"), ("In Time", "inTime"),
        ("Out Time", "outTime"), ("Cash Tips Collected", "cashTipsCollected"), ("Server Banking", "serverBanking"),
    ]

    static func table<Source: RecordSource>(
        _ source: Source, _ selection: some Collection<Int>, _ columns: [(title: String, path: String)]
    ) -> String {
        var scratch = source.makeScratch(
            expanding: ExpandTree(["emailAddresses,phoneNumbers,addresses,employee"]))
        var writer = JSONWriter(capacity: 1024)
        var text = columns.map(\.title).joined(separator: ",") + "\r\n"
        for position in selection {
            source.load(position, into: &scratch)
            writer.removeAll()
            source.write(&scratch, to: &writer)
            let record = JSONParser.value(of: writer.bytes())
            let fields = columns.map { _, path in
                field(path.split(separator: ".").reduce(record) { ($0?.list?.first ?? $0)?[String($1)] })
            }
            text += fields.joined(separator: ",") + "\r\n"
        }
        return text
    }

    private static func field(_ value: JSONValue?) -> String {
        guard let value else { return "" }
        guard let text = value.text else { return String(decoding: value.encoded, as: UTF8.self) }
        let needsQuotes = text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        return needsQuotes
            ? "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
            : text
    }
}

/// Limits of collections inside a record.
package enum NestedCollection {
    /// Maximum number of entries of a nested collection. It is cut silently and cannot be paged inside its parent
    /// (Clover REST documentation, paginating elements).
    static let cap = 100
}

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
            let orders = view.orders()
            for id in (0..<orders.count).compactMap({ orders.id(at: $0) }) { writeLines(of: id, to: &writer) }
        default:
            guard let table = Table(rawValue: list) else { return EmulatorResponse(.unknownPath) }
            write(DocumentSource(table, view: view), to: &writer)
        }
        return EmulatorResponse(contentType: "application/x-ndjson", body: ByteBuffer(bytes: writer.bytes()))
    }

    private func writeLines(of order: String, to writer: inout JSONWriter) {
        if let number = view.madeOrder(order) {
            write(OrderSource(.lineItem, view: view, order: number), to: &writer)
        } else {
            write(DocumentSource(partsOf: view.orderDocument(order), "lineItems", .lineItem, view: view), to: &writer)
        }
    }

    private func write<Source: RecordSource>(_ source: Source, to writer: inout JSONWriter) {
        var scratch = source.makeScratch(expanding: tree)
        for position in 0..<source.count {
            source.load(position, into: &scratch)
            source.write(&scratch, to: &writer)
            writer.byte(UInt8(ascii: "\n"))
        }
    }
}
