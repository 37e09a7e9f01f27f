import CloverAPI
import CloverHTTP
import CloverJSON
import CloverMCP
import CloverReports

/// A tool of `clover mcp`: a command, and where the arguments of a call stand on its command line.
struct AssistantTool: Sendable {
    /// The place of an argument.
    enum Place: Sendable {
        case positional
        case option(String)
        /// Strings joined by commas.
        case list(String)
        case flag(String)
        /// The number of records to leave out of the output, for commands that have no such option.
        case skip
        /// Standard input.
        case body
    }

    let tool: Tool
    /// The words before the arguments.
    let command: [String]
    /// The place of each parameter of the tool, in the order of the command line.
    let places: [Place]
    /// Whether the command connects to a merchant's service.
    var isConnected = true
    /// Whether the command can write a receipt, which tells whether its records are complete.
    var hasReceipt = true
    /// The method of a write; nil for a tool that only reads.
    var method: Endpoint.Method?
    /// A status that is a result, not an error.
    var resultStatus: ExitStatus?

    private init(_ tool: Tool, _ command: [String], _ places: [Place]) {
        precondition(tool.parameters.count == places.count)
        self.tool = tool
        self.command = command
        self.places = places
    }

    /// The records of a call that come before its first record.
    func skipped(_ arguments: [String: JSONTree]) -> Int {
        for (parameter, place) in zip(tool.parameters, places) {
            if case .skip = place { return Int(arguments[parameter.name]?.int ?? 0) }
        }
        return 0
    }

    /// Where the call begins in the whole list, by which the next call is numbered.
    func offset(_ arguments: [String: JSONTree]) -> Int64 { arguments["offset"]?.int ?? 0 }

    /// The options of the command that arguments set.
    var options: [String] {
        places.compactMap { place in
            switch place {
            case .option(let name), .list(let name), .flag(let name): name
            case .positional, .skip, .body: nil
            }
        }
    }

    /// The body of a write; nil for a call without one.
    func body(_ arguments: [String: JSONTree]) -> String? {
        for (parameter, place) in zip(tool.parameters, places) {
            if case .body = place { return arguments[parameter.name]?.text }
        }
        return nil
    }

    /// The command line of a call, without the program's name.
    ///
    /// Every value is joined to its option, so that none can become an option itself.
    func words(_ arguments: [String: JSONTree]) throws(ToolArgumentError) -> [String] {
        var words = command
        for (parameter, place) in zip(tool.parameters, places) {
            guard let value = arguments[parameter.name], value != .null else { continue }
            let texts = value.list.map { $0.compactMap(\.string) } ?? [value.string ?? value.text]
            switch place {
            case .positional:
                guard let text = value.string, !text.isEmpty, !text.hasPrefix("-") else {
                    throw ToolArgumentError(
                        "\(tool.name): '\(parameter.name)' is empty or begins with a hyphen",
                        hint: parameter.description)
                }
                words.append(text)
            // Single records have no offset, not even 0.
            case .option("--offset") where value.int == 0: break
            case .option(let name): words += texts.map { "\(name)=\($0)" }
            case .list(let name): words += texts.isEmpty ? [] : ["\(name)=\(texts.joined(separator: ","))"]
            case .flag(let name): words += value.bool == true ? [name] : []
            case .skip: break
            case .body: words.append("--input=-")
            }
        }
        if hasReceipt { words.append("--receipt=-") }
        return words + ["--json"]
    }
}

extension AssistantTool {
    /// The tools, in the order in which clients see them. None of them charges, refunds or voids.
    /// - Parameter allowsWrites: whether records may be changed.
    static func all(allowsWrites: Bool) -> [AssistantTool] {
        [get, report, reconcile, endpoints, schema, exportStatus] + (allowsWrites ? [post, put, delete] : [])
    }

    private static let offset = ToolParameter(
        "offset", .whole(from: 0), "Number of records to skip: the nextOffset of the result before.")
    private static let period = ToolParameter(
        "period", .text,
        "Days in the shop's time zone: yesterday (the default), today, this-week, last-month, 2026-10, 2026-10-15 or 2026-10-01..2026-10-15, both included."
    )
    private static let dayStart = ToolParameter("dayStart", .text, "When the shop's day begins, such as 04:00.")
    private static let without = ToolParameter(
        "without", .texts, "Lists that must not be read: refunds, credits or names.")
    private static let clock = ToolParameter(
        "clock", .choice(["client", "server"]),
        "Whose clock dates a record. With client, the default, offline sales count on the day they were made.")

    private static let get = AssistantTool(
        Tool(
            "get", title: "Read records",
            description:
                "Reads records of the merchant from Clover: orders, payments, items, customers, employees and so on. Amounts are in the currency's smallest unit, times in milliseconds since 1970. For sums, use report. Which paths, filters and expansions exist is in endpoints; which fields, in schema.",
            [
                ToolParameter(
                    "path", .text, "Path relative to the merchant, such as orders or orders/ID/line_items.",
                    isRequired: true),
                ToolParameter("id", .text, "Read only the record with this ID."),
                ToolParameter(
                    "filter", .texts,
                    "FIELD OP VALUE, where OP is one of = != > >= < <=, such as total>=5000 or createdTime>=-7d; all must match."
                ),
                ToolParameter(
                    "period", .text, "Read only records of these days, such as yesterday, 2026-10 or last-month."),
                ToolParameter("expand", .texts, "Nested objects to include, such as lineItems."),
                ToolParameter("sort", .texts, "Fields to sort by, such as total or total:desc."),
                ToolParameter(
                    "fields", .texts, "Return only these fields, such as id, total, employee.id. Keeps results small."),
                ToolParameter("names", .truth, "Add names of employees, tenders and so on to their ids."),
                ToolParameter("limit", .whole(from: 1), "Maximum number of records (default: 100)."),
                ToolParameter("all", .truth, "Read all records, as far as they fit into the result."),
                offset,
            ]),
        ["get"],
        [
            .positional, .positional, .option("--filter"), .option("--period"), .list("--expand"), .option("--sort"),
            .list("--fields"), .flag("--names"), .option("--limit"), .flag("--all"), .option("--offset"),
        ])

    private static let report = AssistantTool(
        Tool(
            "report", title: "Report what a shop sold",
            description:
                "Totals of sales, items, categories, employees, tenders, taxes, tips, discounts, refunds or hours, in the shop's own days. The totals check themselves: a report that does not add up is an error. Amounts are in the smallest unit of the shop's currency, which is defaultCurrency of get merchant.",
            [
                ToolParameter(
                    "report", .choice(ReportName.allCases.map(\.rawValue)), "What to report.", isRequired: true),
                period,
                ToolParameter(
                    "by", .choice(ReportGrouping.allCases.map(\.rawValue)),
                    "One row for each: day, week, month or hour for sales; employee, tender, day, week or month for tips and refunds."
                ),
                ToolParameter(
                    "compare", .choice(ReportComparison.allCases.map(\.rawValue)),
                    "Also report the period before, or the same dates a year before."),
                dayStart, without, clock, offset,
            ]),
        ["report"],
        [
            .positional, .option("--period"), .option("--by"), .option("--compare"), .option("--day-start"),
            .option("--without"), .option("--clock"), .skip,
        ])

    private static let reconcile: AssistantTool = {
        var reconcile = AssistantTool(
            Tool(
                "reconcile", title: "Find what does not add up",
                description:
                    "Compares orders with payments, refunds, credits and the charges of this machine, and names what does not add up, one finding a record. No records and complete: nothing was found.",
                [period, dayStart, without, clock, offset]),
            ["reconcile"],
            [.option("--period"), .option("--day-start"), .option("--without"), .option("--clock"), .skip])
        reconcile.resultStatus = .partlyFailed
        return reconcile
    }()

    private static let endpoints = local(
        Tool(
            "endpoints", title: "What Clover's API offers",
            description:
                "Paths of Clover's API, with what can be filtered, sorted and expanded, and which permission each needs. Nothing is sent.",
            [
                ToolParameter("path", .text, "A family such as orders, or a path such as orders/{orderId}."),
                ToolParameter(
                    "method", .choice(["GET", "POST", "PUT", "DELETE"]), "Only operations with this method."),
                offset,
            ]),
        ["endpoints"], [.positional, .option("--method"), .skip])

    private static let schema = local(
        Tool(
            "schema", title: "Fields of Clover's models",
            description:
                "Fields, types and units of a model. Without a model, the names of all models. Nothing is sent.",
            [ToolParameter("model", .text, "A model such as order.Order, or a path such as orders."), offset]),
        ["schema"], [.positional, .skip])

    private static let exportStatus = local(
        Tool(
            "export_status", title: "How far exports are",
            description:
                "How far each resource is exported by this machine, and when it last was. Nothing is sent.",
            [
                ToolParameter("to", .text, "Only this directory."),
                ToolParameter(
                    "failIfOlderThan", .text, "An error if the last run of anything began longer ago: 2h, 1d."),
                offset,
            ]),
        ["export", "status"], [.option("--to"), .option("--fail-if-older-than"), .skip])

    private static func local(_ tool: Tool, _ command: [String], _ places: [Place]) -> AssistantTool {
        var tool = AssistantTool(tool, command, places)
        tool.isConnected = false
        tool.hasReceipt = false
        return tool
    }
}

extension AssistantTool {
    private static let path = ToolParameter(
        "path", .text, "Path relative to the merchant, such as items or orders/ID/line_items.", isRequired: true)
    private static let body = ToolParameter(
        "body", .object, "The fields to send; amounts in the currency's smallest unit.", isRequired: true)
    private static let isDryRun = ToolParameter("dryRun", .truth, "Return the request instead of sending it.")

    private static let post = write(
        .post,
        Tool(
            "post", title: "Create or change a record",
            description:
                "Creates a record, or with an ID changes the fields that are sent. Takes no money and returns none.",
            effect: .change,
            [path, ToolParameter("id", .text, "Change the record with this ID."), body, isDryRun]),
        [.positional, .positional, .body, .flag("--dry-run")])

    private static let put = write(
        .put,
        Tool(
            "put", title: "Replace a record",
            description: "Replaces a record, on the few paths that support PUT: see endpoints with method PUT.",
            effect: .removal,
            [path, ToolParameter("id", .text, "Replace the record with this ID."), body, isDryRun]),
        [.positional, .positional, .body, .flag("--dry-run")])

    private static let delete = write(
        .delete,
        Tool(
            "delete", title: "Delete a record", description: "Deletes one record for good.", effect: .removal,
            [path, ToolParameter("id", .text, "Delete the record with this ID."), isDryRun]),
        [.positional, .positional, .flag("--dry-run")])

    private static func write(_ method: Endpoint.Method, _ tool: Tool, _ places: [Place]) -> AssistantTool {
        var tool = AssistantTool(tool, [tool.name], places)
        tool.hasReceipt = false
        tool.method = method
        return tool
    }

    /// Members of a body that say that money moved, or how much.
    private static let moneyMembers: Set = ["payments", "paymentState", "refunds", "credits", "voids"]

    /// States that say that money moved, without their underscores.
    private static let moneyStates: Set = [
        "paid", "partiallypaid", "refunded", "partiallyrefunded", "manuallyrefunded", "manuallypartiallyrefunded",
        "credited", "voided", "settled", "captured",
    ]

    /// The first member of a body that says that money moved, such as `paymentState` or `state: paid`; nil if none does.
    private static func moneyMember(_ value: JSONTree) -> String? {
        switch value {
        case .object(let members):
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                if moneyMembers.contains(name) { return name }
                let word = value.string?.lowercased().filter { $0.isLetter } ?? ""
                if name.lowercased().hasSuffix("state"), moneyStates.contains(word) {
                    return "\(name): \(value.string ?? "")"
                }
                if let member = moneyMember(value) { return member }
            }
            return nil
        case .array(let elements): return elements.lazy.compactMap(moneyMember).first
        default: return nil
        }
    }

    /// Refuses a write to a path that moves money, or whose path or body says that it moved: charges are not for assistants.
    func checkMoney(_ arguments: [String: JSONTree]) throws(ToolArgumentError) {
        guard let method, let path = arguments["path"]?.string else { return }
        if let member = arguments["body"].flatMap(Self.moneyMember) {
            throw ToolArgumentError(
                "the body says that money moved (\(member)), which no tool does", hint: "leave it out")
        }
        let resource: ResourcePath
        do throws(QueryError) {
            resource = try ResourcePath(
                parsing: path, identifier: arguments["id"]?.string, merchantID: "-", isChecked: false, method: method)
        } catch {
            // The command refuses it.
            return
        }
        guard !resource.movesMoney else {
            throw ToolArgumentError(
                "\(path) moves money or records that it moved, which no tool does",
                hint: "a person can do it with 'clover charge', or 'clover \(tool.name)'")
        }
    }
}
