import NIOCore

/// The two lists that come as comma-separated values (RFC 4180).
enum CSVWriter {
    /// A column: its title and where its value is.
    struct Column {
        let title: String
        let value: @Sendable (JSONValue) -> JSONValue?

        init(_ title: String, _ value: @escaping @Sendable (JSONValue) -> JSONValue?) {
            self.title = title
            self.value = value
        }
    }

    static let customers = [
        Column("Customer ID") { $0["id"] }, Column("First Name") { $0["firstName"] },
        Column("Last Name") { $0["lastName"] },
        Column("Email Address") { $0["emailAddresses"]?.elements.first?["emailAddress"] },
        Column("Phone Number") { $0["phoneNumbers"]?.elements.first?["phoneNumber"] },
        Column("Address") { $0["addresses"]?.elements.first?["address1"] },
        Column("City") { $0["addresses"]?.elements.first?["city"] },
        Column("State") { $0["addresses"]?.elements.first?["state"] },
        Column("Zip") { $0["addresses"]?.elements.first?["zip"] },
        Column("Marketing Allowed") { $0["marketingAllowed"] }, Column("Customer Since") { $0["customerSince"] },
    ]

    static let shifts = [
        Column("Shift ID") { $0["id"] }, Column("Employee ID") { $0[path: "employee", "id"] },
        Column("Employee Name") { $0[path: "employee", "name"] }, Column("In Time") { $0["inTime"] },
        Column("Out Time") { $0["outTime"] }, Column("Cash Tips Collected") { $0["cashTipsCollected"] },
        Column("Server Banking") { $0["serverBanking"] },
    ]

    /// The whole list, filtered and sorted; a page of it when the request names a limit.
    static func answer<Source: RecordSource>(
        _ source: Source, _ columns: [Column], _ query: QueryString, _ selector: Selector
    ) throws(APIError) -> Answer {
        let list = try ListQuery(query)
        let selection = try selector.select(list, from: source)
        var tree = ExpandTree()
        tree.add("emailAddresses,phoneNumbers,addresses,employee")
        var scratch = source.makeScratch(expanding: tree)
        var writer = JSONWriter(capacity: 1024)
        var text = columns.map(\.title).joined(separator: ",") + "\r\n"
        let limit = query.values("limit").isEmpty ? selection.count : list.limit
        selection.forEach(offset: list.offset, limit: limit) { position in
            source.load(position, into: &scratch)
            writer.removeAll()
            source.write(&scratch, to: &writer)
            let record = JSONParser.value(of: writer.bytes()) ?? .object([])
            text += columns.map { field($0.value(record)) }.joined(separator: ",") + "\r\n"
        }
        var answer = Answer(status: 200, body: ByteBuffer(string: text))
        answer.contentType = "text/csv"
        answer.filterFields = source.fields.map(\.name).joined(separator: ", ")
        return answer
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
