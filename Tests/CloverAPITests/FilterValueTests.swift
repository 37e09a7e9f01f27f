import CloverAPI
import CloverCalendar
import Testing

@Suite("values of filters, and names that are near")
struct FilterValueTests {
    private func check(_ filter: String, of path: String) throws(QueryError) {
        let path = try ResourcePath(parsing: path, identifier: nil, merchantID: "M", isChecked: true)
        var query = RecordQuery()
        query.filters = try FilterExpression.parse(filter, times: .init(now: 1_780_000_000_000, zone: .utc))
        try QueryValidator.check(query, of: path)
    }

    @Test(
        "values of the field's type pass",
        arguments: [
            ("total>5000", "orders"), ("total=-1", "orders"), ("total in (1,2)", "orders"), ("title=5.00", "orders"),
            ("total is not null", "orders"), ("createdTime>=-7d", "orders"), ("hidden=true", "items"),
            ("printed=false", "voided_line_items/totals"),
            ("hidden=FALSE", "items"), ("name=12.50", "items"), ("testMode=1", "orders"),
        ])
    func passes(_ filter: String, _ path: String) throws {
        try check(filter, of: path)
    }

    @Test(
        "an amount with decimals or a sign is refused with its cents",
        arguments: [
            ("total>50.00", "50.00", "5000"), ("total>$50", "$50", "5000"), ("total<12,5", "12,5", "1250"),
            ("total=0.07", "0.07", "7"), ("total=0.00", "0.00", "0"), ("total in (100,5.5)", "5.5", "550"),
            ("total=-3.10", "-3.10", "-310"),
        ])
    func amounts(_ filter: String, _ value: String, _ meant: String) throws {
        let error = try #require(throws: QueryError.self) { try check(filter, of: "orders") }
        guard case .wrongValue(let named, _, .amount(let suggestion)) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(named == value)
        #expect(suggestion == meant)
    }

    @Test("text for an amount is refused without a suggestion")
    func text() throws {
        let error = try #require(throws: QueryError.self) { try check("total>much", of: "orders") }
        guard case .wrongValue("much", _, .amount(meant: nil)) = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test(
        "only a likely typing error is near",
        arguments: [
            ("sales", "roles", false), ("ordrs", "orders", true), ("gte", "get", true), ("since", "zone", false),
            ("is", "id", false), ("ab", "a", false), ("employes", "employees", true), ("cron", "cron", false),
            ("order_items", "order_fees", false), ("deletedTime", "createdTime", false),
            ("creatdTime", "createdTime", true), ("line_itms", "line_items", true), ("exitcodes", "exit-codes", true),
            ("format", "formats", true), ("--jq-file", "--profile", false), ("--phone", "--zone", false),
            ("get-contexts", "get", false), ("repo", "report", true), ("--profil", "--profile", true),
        ])
    func near(_ typed: String, _ name: String, _ isNear: Bool) {
        #expect(NearestNames.of(typed, among: [name]) == (isNear ? [name] : []))
    }
}
