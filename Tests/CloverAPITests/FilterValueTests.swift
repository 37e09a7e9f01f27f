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
            ("hidden=FALSE", "items"), ("name=12.50", "items"), ("voided=true", "payments"),
            ("result=success", "payments"), ("result=REVERSED", "payments"), ("payType in (FULL,SPLIT_ITEM)", "orders"),
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

    @Test(
        "numbers are no booleans, and a case with a typing error is refused with the nearest cases",
        arguments: [
            ("hidden=1", "items", FilterValue.Kind.truth), ("testMode=0", "orders", .truth),
            ("voided=maybe", "payments", .truth),
            ("payType=FUL", "orders", .oneOf(["SPLIT_GUEST", "SPLIT_ITEM", "SPLIT_CUSTOM", "FULL"], near: ["FULL"])),
        ])
    func kinds(_ filter: String, _ path: String, _ kind: FilterValue.Kind) throws {
        let error = try #require(throws: QueryError.self) { try check(filter, of: path) }
        guard case .wrongValue(_, _, kind) = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test("a value that is near no case is returned, so that it can be reported")
    func unlisted() throws {
        let path = try ResourcePath(parsing: "payments", identifier: nil, merchantID: "M", isChecked: true)
        var query = RecordQuery()
        query.filters = try FilterExpression.parse("result in (SUCCESS,REVERSED)", times: .init(now: 0, zone: .utc))
        let unlisted = try QueryValidator.unlistedValues(in: query, of: path)
        #expect(unlisted.map(\.value) == ["REVERSED"])
        #expect(unlisted.first?.cases.contains("SUCCESS") == true)
    }

    @Test("a state of an order that is none of the usual ones is returned with the near ones, and not refused")
    func usual() throws {
        let path = try ResourcePath(parsing: "orders", identifier: nil, merchantID: "M", isChecked: true)
        var query = RecordQuery()
        query.filters = try FilterExpression.parse("state in (lockd,Open,settled)", times: .init(now: 0, zone: .utc))
        try QueryValidator.check(query, of: path)
        let unlisted = try QueryValidator.unlistedValues(in: query, of: path)
        #expect(unlisted.map(\.value) == ["lockd", "settled"])
        #expect(unlisted.map(\.near) == [["locked"], []])
    }

    @Test(
        "of several near names, only the nearest are suggested, the likeliest first",
        arguments: [
            ("bsh", ["zsh", "bash", "fish"], ["bash"]),
            ("item", ["item_groups", "item_stocks", "items"], ["items", "item_groups", "item_stocks"]),
            ("ordertypes", ["order_fees", "order_types"], ["order_types"]),
        ])
    func nearest(_ typed: String, _ names: [String], _ near: [String]) {
        #expect(NearestNames.of(typed, among: names) == near)
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
            ("get-contexts", "get", false), ("priceType", "price", false),
            ("pricetype", "price", false), ("orderss", "order", true), ("repo", "report", true),
            ("--profil", "--profile", true),
        ])
    func near(_ typed: String, _ name: String, _ isNear: Bool) {
        #expect(NearestNames.of(typed, among: [name]) == (isNear ? [name] : []))
    }
}
