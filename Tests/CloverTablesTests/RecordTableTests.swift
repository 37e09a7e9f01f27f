import CloverAPI
import CloverCalendar
import CloverTables
import Testing

@Suite("tables: records become rows")
struct RecordTableTests {
    private static let shop = ShopFacts(currency: "USD", decimals: 2, zone: "America/New_York")

    private func table(
        _ resource: String = "orders", model: String? = "order.Order", lists: [String] = [], isList: Bool = false,
        taken: [String: String] = [:]
    ) throws -> RecordTable {
        RecordTable(
            resource, model: model.flatMap { ModelCatalogue.model(named: $0) }, lists: lists, isList: isList,
            shop: Self.shop, zone: try TimeZoneRules(named: "America/New_York"), taken: [resource: taken],
            limits: TableLimits(columns: 1000))
    }

    /// The rows of a record: for each table the columns that have a value.
    private func rows(_ record: String, _ table: RecordTable) -> [(table: String, values: [String: String])] {
        var rows: [(table: String, values: [String: String])] = []
        Array(record.utf8).withUnsafeBytes { bytes in
            table.read(bytes, number: 0) { table, cells in
                var values: [String: String] = [:]
                #expect(cells.count == table.columns.count)
                for (column, cell) in zip(table.columns, cells) {
                    switch cell {
                    case .null: break
                    case .integer(let number): values[column.name] = "\(number)"
                    case .real(let number): values[column.name] = "\(number)"
                    case .bytes(let bytes): values[column.name] = "'" + String(decoding: bytes, as: UTF8.self) + "'"
                    case .text(let text): values[column.name] = "'" + text + "'"
                    case .boolean(let isTrue): values[column.name] = "\(isTrue)"
                    case .time(let milliseconds): values[column.name] = "UTC \(milliseconds)"
                    case .localTime(let seconds): values[column.name] = "local \(seconds)"
                    }
                }
                rows.append((table.name, values))
            }
        }
        return rows
    }

    @Test(
        "names of columns",
        arguments: [
            ("createdTime", "created_time"), ("employee.id", "employee_id"), ("isVat", "is_vat"),
            ("unitQty", "unit_qty"),
            ("address1", "address1"), ("URL", "url"), ("Größe 2", "gr__e_2"), ("line_items", "line_items"),
        ])
    func names(field: String, name: String) {
        #expect(TableColumn.name(of: field) == name)
    }

    @Test("of two members with one name the last counts, as in jq")
    func repeated() throws {
        let record =
            #"{"id":"A","id":"B","total":1,"total":2,"createdTime":1000,"createdTime":null,"employee":{"id":"E1"},"#
            + #""employee":{"name":"Ada"},"lineItems":{"elements":[{"id":"L1"}]},"lineItems":{"elements":[{"id":"L2"}]}}"#
        let found = rows(record, try table(lists: ["lineItems"]))
        #expect(found.map(\.table) == ["orders", "orders__line_items"])
        let row = try #require(found.first?.values)
        #expect(row["id"] == "'B'" && row["total"] == "2" && row["employee_name"] == "'Ada'", "\(row)")
        let absent = ["created_time", "created_time_utc", "created_time_local", "employee_id"]
        #expect(absent.allSatisfy { row[$0] == nil }, "\(row)")
        #expect(found.last?.values["id"] == "'L2'")
        // The next record has each once.
        #expect(rows(#"{"id":"C","total":3}"#, try table()).first?.values["total"] == "3")
    }

    @Test("the catalogue decides the columns: id first, scalars with their types, ids of objects, the record last")
    func catalogue() throws {
        let columns = try table().columns
        #expect(columns.first?.name == "id")
        #expect(columns.last?.name == "record")
        func kind(_ name: String) -> TableColumn.Kind? { columns.first { $0.name == name }?.kind }
        #expect(kind("total") == .money)
        #expect(kind("created_time") == .milliseconds)
        #expect(kind("created_time_utc") == .utc)
        #expect(kind("created_time_local") == .local)
        #expect(kind("employee_id") == .text)
        #expect(kind("test_mode") == .boolean)
        #expect(kind("currency") == .text)
        #expect(kind("line_items") == nil)
        #expect(Set(columns.map(\.name)).count == columns.count)
    }

    @Test("scalars, ids of objects, times in UTC and in the shop's zone, escapes, and the record as it is")
    func values() throws {
        let record = #"""
            {"id":"A","currency":"USD","total":680,"testMode":false,"isVat":true,"title":"a\"b\u00e9","note":"","state":null,\#
            "employee":{"id":"E"},"createdTime":1752677976690,"lineItems":{"elements":[{"id":"L"}]},"href":"https://x"}
            """#
        let row = try #require(rows(record, try table()).first?.values)
        #expect(
            row == [
                "id": "'A'", "currency": "'USD'", "total": "680", "test_mode": "false", "is_vat": "true",
                "title": "'a\"b\u{e9}'", "note": "''", "employee_id": "'E'", "created_time": "1752677976690",
                "created_time_utc": "UTC 1752677976690", "created_time_local": "local 1752663576",
                "record": "'\(record)'",
            ])
    }

    @Test("what the catalogue does not know becomes a column when it has a value; lists and deep objects do not")
    func unknown() throws {
        let table = try table()
        let count = table.columns.count
        _ = rows(#"{"id":"A","newFlag":null,"newList":[1],"newObject":{}}"#, table)
        #expect(table.columns.count == count)
        let row = try #require(
            rows(#"{"id":"B","newFlag":true,"newNumber":1.5,"n":{"text":"x","deep":{"er":{"x":1}}},"a\"b":1}"#, table)
                .first?.values)
        #expect(table.columns[count...].map(\.name) == ["new_flag", "new_number", "n_text"])
        #expect(table.columns[count...].map(\.kind) == [.any, .any, .text])
        #expect(row["new_flag"] == "true")
        #expect(row["new_number"] == "1.5")
        #expect(row["n_text"] == "'x'")
        // A row without them does not keep the values of the row before.
        let next = try #require(rows(#"{"id":"C"}"#, table).first?.values)
        #expect(next == ["id": "'C'", "currency": "'USD'", "record": #"'{"id":"C"}'"#])
    }

    @Test("the order of members, and which of them are missing, may differ from record to record")
    func order() throws {
        let members: [(json: String, values: [String: String])] = [
            (#""total":1"#, ["total": "1"]), (#""note":"n\"""#, ["note": "'n\"'"]),
            (#""state":"open""#, ["state": "'open'"]),
            (#""employee":{"name":"Ada","id":"E"}"#, ["employee_name": "'Ada'", "employee_id": "'E'"]),
            (#""employee":{"id":"F"}"#, ["employee_id": "'F'"]), (#""new":2"#, ["new": "2"]),
            (#""title":"t""#, ["title": "'t'"]),
        ]
        let table = try table()
        for step in 1..<members.count {
            for missing in 0..<members.count {
                for first in members.indices {
                    let given = members.indices.dropLast(missing).map { members[(first + $0 * step) % members.count] }
                    let record = "{" + (given.map(\.json) + [#""id":"A""#]).joined(separator: ",") + "}"
                    var expected = ["id": "'A'", "currency": "'USD'", "record": "'\(record)'"]
                    for member in given {
                        // Nothing of an earlier object of this name stays.
                        if member.values["employee_id"] != nil { expected["employee_name"] = nil }
                        expected.merge(member.values) { $1 }
                    }
                    #expect(rows(record, table).first?.values == expected)
                }
            }
        }
    }

    @Test("a scalar in an object that the catalogue knows has the catalogue's kind")
    func nested() throws {
        let table = try table("payments", model: "payments.Payment")
        let row = try #require(
            rows(
                #"{"id":"P","amount":5,"order":{"id":"O","total":7,"createdTime":1000},"cardTransaction":{"last4":"0012"}}"#,
                table
            ).first?.values)
        #expect(row["order_id"] == "'O'")
        #expect(row["order_total"] == "7")
        #expect(row["order_created_time_utc"] == "UTC 1000")
        #expect(row["card_transaction_last4"] == "'0012'")
        // A payment names no currency: it is the shop's.
        #expect(row["currency"] == "'USD'")
    }

    @Test("a name that another column has stays in the record: of a user's column, or of another field")
    func conflict() throws {
        let table = try table(taken: ["rating": "", "new_flag": "newFlag", "total": "total"])
        let row = try #require(
            rows(#"{"id":"A","rating":5,"new_flag":1,"newFlag":2,"total":3}"#, table).first?.values)
        #expect(row["rating"] == nil)
        #expect(row["new_flag"] == "2")
        #expect(row["total"] == "3")
        #expect(Set(table.columns.map(\.name)).count == table.columns.count)
    }

    @Test("a name that the database or --mark-deleted uses stays in the record, unless the table has such a column")
    func reserved() throws {
        let record = #"{"id":"A","rowid":1,"OID":2,"ctid":"x","xmin":3,"tableoid":4,"deletedAt":5,"note":"n"}"#
        let row = try #require(rows(record, try table()).first?.values)
        #expect(Set(row.keys).isDisjoint(with: ["rowid", "oid", "ctid", "xmin", "tableoid", "deleted_at"]))
        #expect(row["note"] == "'n'")
        let earlier = try table(taken: ["rowid": "rowid", "deleted_at": "deletedAt"])
        let known = try #require(rows(record, earlier).first?.values)
        #expect(known["rowid"] == "1" && known["deleted_at"] == "5")
    }

    @Test("columns of earlier records are there, so that a value that is gone is written as NULL")
    func known() throws {
        let columns = try table(taken: ["old_text": "oldText", "n_since": "n.since"]).columns
        #expect(columns.contains { $0.name == "old_text" })
        #expect(columns.contains { $0.name == "n_since" && $0.field == "n.since" })
    }

    @Test("entries of lists in a record follow it, with its id and their place; lists in lists, too")
    func lists() throws {
        let lists = RecordTable.lists(
            among: ["lineItems.discounts", "employee", "lineItems", "payments.x", "discounts"], of: "order.Order")
        #expect(lists == ["discounts", "lineItems", "lineItems.discounts"])
        let table = try table(lists: lists)
        let found = rows(
            #"""
            {"id":"A","lineItems":{"elements":[{"id":"L1","price":3,"discounts":{"elements":[{"id":"D","amount":-1}]}},\#
            {"id":"L2"},{"name":"no id"}]},"discounts":{"elements":[]}}
            """#, table)
        #expect(
            found.map(\.table) == [
                "orders", "orders__line_items", "orders__line_items__discounts", "orders__line_items",
                "orders__line_items",
            ])
        #expect(found[1].values["parent_id"] == "'A'")
        #expect(found[1].values["parent_position"] == "0")
        #expect(found[1].values["price"] == "3")
        #expect(found[2].values["parent_id"] == "'L1'")
        #expect(found[2].values["amount"] == "-1")
        #expect(found[3].values["parent_position"] == "1")
        #expect(found[4].values["id"] == "'#2'")
    }

    @Test("entries that come by themselves name their record, and are numbered for each")
    func part() throws {
        let table = try table("orders__line_items", model: "order.LineItem", isList: true)
        let positions = ["A", "A", "B", "A"].map { parent in
            rows(#"{"parentId":"\#(parent)","id":"L"}"#, table).first?.values["parent_position"]
        }
        #expect(table.columns.prefix(3).map(\.name) == ["parent_id", "id", "parent_position"])
        #expect(positions.count == 4)
    }

    @Test("numbers that do not fit, and times out of range")
    func extremes() throws {
        let row = try #require(
            rows(#"{"id":7,"total":99999999999999999999,"createdTime":9223372036854775807,"x":1e400}"#, try table())
                .first?.values)
        #expect(row["id"] == "'7'")
        #expect(row["total"] == "1e+20")
        #expect(row["created_time"] == "9223372036854775807")
        #expect(row["created_time_utc"] == nil)
    }
}
