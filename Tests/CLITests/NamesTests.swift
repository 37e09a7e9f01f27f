import CloverTestSupport
import Testing

@Suite("get: names in place of ids")
struct NamesTests {
    private static let payments = [
        #"{"id":"P1","amount":100,"tender":{"id":"T"},"employee":{"id":"E1"}}"#,
        #"{"id":"P2","amount":200,"tender":{"id":"T"},"employee":{"id":"GONE"}}"#,
        #"{"id":"P3","amount":300,"tender":{"id":"T","label":"Gift"},"employee":{"id":"E2"}}"#,
    ]

    /// The shop, with these responses instead of the usual ones, by list.
    private static func serve(
        _ request: LoopbackRequest, _ faults: [String: String] = [:]
    ) -> LoopbackResponse {
        let list = request.path.split(separator: "/").last.map(String.init) ?? ""
        if let status = faults[list] { return LoopbackResponse(status: status, body: Array("{}".utf8)) }
        if !request.values(of: "offset").isEmpty { return .page([]) }
        switch list {
        case "payments": return .page(payments)
        case "employees": return .page([#"{"id":"E1","name":"Ann","pin":"1234"}"#, #"{"id":"E2","name":"Ann"}"#])
        case "tenders": return .page([#"{"id":"T","label":"Cash"}"#])
        case "properties": return LoopbackResponse(#"{"timezone":"America/Chicago","defaultCurrency":"USD"}"#)
        default: return .page([])
        }
    }

    /// - Returns: the result, and the lists that were requested.
    private func get(
        _ arguments: [String], faults: [String: String] = [:]
    ) async throws -> (result: CommandResult, lists: [String]) {
        try await Sandbox.run(server: { request, _ in Self.serve(request, faults) }) { sandbox, server in
            let result = try await sandbox.clover(["get", "payments", "--limit", "3"] + arguments)
            let lists = server.requests.compactMap { $0.path.split(separator: "/").last.map(String.init) }
            return (result, lists)
        }
    }

    private static let fields = ["--fields", "id,tender.label,employee.name"]

    @Test("a table has names, and the id of an employee who was deleted; each list is read once")
    func table() async throws {
        let (result, lists) = try await get(["--format", "table"])
        expectSuccess(result)
        let rows = result.lines.map { $0.split(separator: " ").map(String.init) }
        #expect(rows.dropFirst().map { $0[1] } == ["Cash", "Cash", "Gift"], "\(result)")
        #expect(rows.dropFirst().map { $0[2] } == ["Ann", "GONE", "Ann"])
        // The second request of a list finds its end.
        #expect(lists.filter { $0 == "employees" }.count == 2 && lists.filter { $0 == "tenders" }.count == 2)
    }

    @Test(
        "only what the output shows is requested",
        arguments: [
            (["--format", "table", "--ids"], []), (["--format", "table", "--fields", "id,employee.id"], []),
            (["--format", "table", "--fields", "id,tender.label"], ["tenders"]), ([], []), (["--format", "csv"], []),
            (["--jq", ".employee.name"], []), (["--names", "--format", "csv", "--fields", "id"], []),
            (["--names", "--jq", ".id"], ["employees", "tenders"]),
        ] as [([String], [String])])
    func requests(_ arguments: [String], _ expected: [String]) async throws {
        let (result, lists) = try await get(arguments)
        #expect(result.ending == .exited(0), "\(result)")
        let named = Set(lists).intersection(["employees", "tenders", "order_types", "items", "categories"])
        #expect(named == Set(expected))
    }

    @Test("--names adds them to records, for jq and csv too, and changes nothing else")
    func added() async throws {
        let (records, _) = try await get(["--names"])
        expectSuccess(records)
        #expect(
            records.lines == [
                #"{"id":"P1","amount":100,"tender":{"id":"T","label":"Cash"},"employee":{"id":"E1","name":"Ann"}}"#,
                #"{"id":"P2","amount":200,"tender":{"id":"T","label":"Cash"},"employee":{"id":"GONE"}}"#,
                #"{"id":"P3","amount":300,"tender":{"id":"T","label":"Gift"},"employee":{"id":"E2","name":"Ann"}}"#,
            ])
        let (program, _) = try await get(["--names", "-r", "--jq", ".employee.name // .employee.id"])
        #expect(program.lines == ["Ann", "GONE", "Ann"])
        let (csv, _) = try await get(["--names", "--format", "csv"] + Self.fields)
        #expect(csv.outputText == "id,tender.label,employee.name\r\nP1,Cash,Ann\r\nP2,Cash,\r\nP3,Gift,Ann\r\n")
        let (all, _) = try await get(["--names", "--format", "csv"])
        #expect(all.lines.first?.contains("tender.id,tender.label,") == true, "\(all)")
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let response: String
        let status: Int32
        let says: String
        var testDescription: String { response }
    }

    @Test(
        "a list that cannot be read leaves ids in a table, with a notice, and is an error where names were requested",
        arguments: [
            Fault(response: "401 Unauthorized", status: 77, says: "the service refused the list with 401"),
            Fault(response: "403 Forbidden", status: 77, says: "the service refused the list with 403"),
            Fault(response: "404 Not Found", status: 66, says: ""),
            Fault(response: "500 Internal Server Error", status: 69, says: "the service failed with 500"),
        ])
    func unreadable(_ fault: Fault) async throws {
        let faults = ["employees": fault.response]
        let (table, _) = try await get(["--format", "table", "--retry", "0"], faults: faults)
        #expect(table.ending == .exited(0), "\(table)")
        let notices = table.errorText.split(separator: "\n")
        #expect(notices.count == 1, "\(table)")
        #expect(
            table.errorText.hasPrefix("clover: the names of employees are not known, so ids are shown: \(fault.says)"))
        #expect(table.outputText.contains("E1") && table.outputText.contains("Cash"), "\(table)")
        let (named, _) = try await get(["--names", "--retry", "0"], faults: faults)
        expectFailure(named, status: fault.status, saying: "employees")
        // The other list is not needed.
        let (csv, _) = try await get(
            ["--names", "--retry", "0", "--format", "csv", "--fields", "id,tender.label"], faults: faults)
        expectSuccess(csv)
    }

    @Test("--names and --ids exclude each other, and --names needs records")
    func conflicts() async throws {
        for options in [["--names", "--ids"], ["--names", "--no-complete"]] {
            let (result, lists) = try await get(options)
            expectFailure(result, status: 64, saying: "exclude each other")
            #expect(lists.isEmpty)
        }
    }

    @Test("--explain counts the requests for names, and sends none")
    func explained() async throws {
        let (result, lists) = try await get(["--names", "--explain"])
        expectSuccess(result)
        let explanation = try JSONValue(result.outputText)
        #expect(explanation["callsAtMost"] == .null)
        #expect(result.outputText.contains("names of employees, tenders, order types, items, categories"))
        let (plain, _) = try await get(["--explain"])
        #expect(!plain.outputText.contains("names of"))
        #expect(lists.isEmpty)
    }
}
