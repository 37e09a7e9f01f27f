import ArgumentParser
import CloverCore
import CloverJSON
import CloverOutput
import CloverPayments

/// `clover plan`.
struct Plan: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Keep plans of recurring payments, to which customers subscribe",
        discussion: """
            Examples:
              clover plan create --name Coffee --minor 900 --currency USD --interval month
              clover plan list --jq 'select(.active).plan' -r
              clover plan show PLAN_ID

            To let a customer with a card on file subscribe, run 'clover subscription create'.
            """,
        subcommands: [
            ListCommand<Plan>.self, ShowCommand<Plan>.self, CreatePlan.self, ChangeCommand<Plan>.self,
            EndCommand<Plan>.self,
        ]
    )
}

extension Plan: RecurringNoun {
    static let listing = CommandConfiguration(
        commandName: "list",
        abstract: "List the plans",
        discussion: """
            Examples:
              clover plan list
              clover plan list --jq 'select(.active) | [.plan, .name] | @tsv' -r
              clover plan list --format csv

            Prints one JSON object a line, or a table on a terminal: the ID (plan), name, amount in the smallest \
            unit of the currency, interval and intervalCount, whether it is active, and the number of subscriptions. If the list cannot be \
            read to its end, nothing is printed (76).
            """
    )

    static let showing = CommandConfiguration(
        commandName: "show",
        abstract: "Show one plan",
        discussion: """
            Examples:
              clover plan show PLAN_ID
              clover plan show PLAN_ID | jq .amount
              clover plan show PLAN_ID --profile downtown

            Prints a JSON object as 'clover plan list' does.
            """
    )

    static let changing = CommandConfiguration(
        commandName: "change",
        abstract: "Change a plan's name, amount or note",
        discussion: """
            Examples:
              clover plan change PLAN_ID --amount 27.50 --currency USD
              clover plan change PLAN_ID --name 'Coffee club (large)'
              clover plan change PLAN_ID --note 'from May on'

            The plan is read first, because Clover replaces it as a whole, and again afterwards, because a response may \
            only repeat the request. A change that the plan does not show, or another field that it shows otherwise than \
            before (its note, description and tags, too), is unknown (80), and may be made again.
            """
    )

    static let ending = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a plan",
        discussion: """
            Examples:
              clover plan delete PLAN_ID
              clover subscription list --plan PLAN_ID
              clover plan delete PLAN_ID --verbose

            Clover does not say what becomes of subscriptions to it: cancel them first. If the response is lost, the \
            plan is read again, and deleted again if it is there.
            """
    )

    static let isPlan = true
    static let ended = "deleted"
    static let kept = ["name", "amount", "interval", "intervalCount", "note", "tipAmount", "taxRateUuids"]
    static let columns = [
        "plan", "name", "amount", "currency", "interval", "intervalCount", "active", "subscriptions", "note",
        "createdAt",
    ]
    static let shown: [(title: String, member: String)] = [
        ("PLAN", "plan"), ("NAME", "name"), ("AMOUNT", "amount"), ("INTERVAL", "interval"),
        ("EVERY", "intervalCount"), ("ACTIVE", "active"), ("SUBSCRIPTIONS", "subscriptions"),
    ]

    static func lines(
        _ scope: WholeList, _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> (lines: [JSONLine], empty: String) {
        let recurring = try await RecurringConnection.resolve(choice, in: environment)
        let rows = try await recurring.list.read(RecurringList.plans).rows
        let currency = try await recurring.currency(of: rows, in: environment)
        return (rows.map { line($0.id, $0.tree, in: currency) }, "there are no plans; to make one: clover plan create")
    }

    static func describe(_ row: JSONTree, in currency: String?, to line: inout JSONLine) {
        line.add("name", row["name"]?.string)
        line.add(numbers: [("amount", "amount")], of: row)
        line.add("currency", currency)
        line.add("interval", row["interval"]?.string)
        line.add(numbers: [("intervalCount", "intervalCount")], of: row)
        line.add("active", row["active"]?.bool)
        line.add(numbers: [("subscriptions", "subscriptionCount")], of: row)
        line.add("note", row["note"]?.string)
        line.add("createdAt", row["createdTime"]?.string)
    }

    struct Changes: RecurringChanges {
        @Option(name: .long, help: ArgumentHelp("Name of the plan, 3 to 127 characters.", valueName: "name"))
        var name: String?

        @OptionGroup(title: "How much")
        var amount: ChangedAmountOptions

        @Option(name: .long, help: ArgumentHelp("Note, at most 255 characters.", valueName: "text"))
        var note: String?

        func validate() throws { try Plan.check(name: name, note: note) }

        func texts() -> [String: String] { ["name": name, "note": note].compactMapValues(\.self) }
    }
}

extension Plan {
    /// `clover plan create`.
    struct CreatePlan: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Make a plan, once",
            discussion: """
                Examples:
                  clover plan create --name Coffee --minor 900 --currency USD --interval month
                  clover plan create --name Tea --minor 900 --currency USD --interval year
                  clover plan create --name Milk --minor 900 --currency USD --interval week

                Events are JSON lines: created, sent, then one of active (with the ID, plan), failed and unknown. Clover \
                documents no idempotency key, so the list is read before: if a plan has the name, none is made (64); to \
                make another, add --another. If the response is lost, the list is read again: only what Clover made after \
                the request is the new plan. What is not in the list then is unknown (80), and is never sent again \
                under its key.

                Exit statuses:
                  0   the plan is active
                  64  wrong usage, refused, or a plan has the name
                  69  not reached
                  73  no room for the journal
                  75  an earlier request for the same is open
                  76  the list cannot be read to its end; nothing was sent
                  77  not signed in, or not allowed
                  78  the journal cannot be used
                  80  outcome unknown: see 'clover charge recover'
                  81  stopped before it was sent
                  83  --max-time ran out before it was sent
                """
        )

        @Option(name: .long, help: ArgumentHelp("Name of the plan, 3 to 127 characters.", valueName: "name"))
        var name: String

        @OptionGroup(title: "How much")
        var amount: AmountOptions

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Currency code of the amount, such as USD.", valueName: "code"))
        var currency: String

        @Option(name: .long, help: ArgumentHelp("Interval: day, week, month or year.", valueName: "interval"))
        var interval: RecurringInterval

        @Option(
            name: .long, help: ArgumentHelp("Number of intervals between payments (default: 1).", valueName: "count"))
        var every: Int?

        @Option(name: .long, help: ArgumentHelp("Note, at most 255 characters.", valueName: "text"))
        var note: String?

        @OptionGroup(title: "Safety")
        var creation: RecurringOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            guard amount.argument != nil else {
                throw ValidationError("the amount is missing: use --amount 25.00, or --minor 2500")
            }
            try Plan.check(name: name, note: note)
            guard (1...999).contains(every ?? 1) else { throw ValidationError("--every takes 1 to 999") }
        }

        private struct Body: Encodable {
            var name: String
            var amount: Int64
            var interval: String
            var intervalCount: Int
            var note: String?
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let currency = try AmountArgument.currency(currency)
            guard let amount = try amount.argument?.money(in: currency) else { return ExitStatus.usage.rawValue }
            guard PaymentRail.plan.amountRange.contains(amount.minorUnits) else {
                throw PaymentPlanError.amountOutOfRange(amount, .plan)
            }
            let body = Body(
                name: name, amount: amount.minorUnits, interval: interval.rawValue.uppercased(),
                intervalCount: every ?? 1, note: note)
            return try await creation.create(
                body, in: amount.currency, plan: nil, name: name, connection.choice, messages, in: environment)
        }
    }

}

extension Plan {
    /// The bounds of texts (Clover: create a plan).
    fileprivate static func check(name: String?, note: String?) throws {
        if let name, !(3...127).contains(name.count) { throw ValidationError("--name takes 3 to 127 characters") }
        if let note, note.count > 255 { throw ValidationError("--note takes at most 255 characters") }
    }
}

/// The interval of a plan.
enum RecurringInterval: String, CaseIterable, ExpressibleByArgument {
    case day, week, month, year
}

/// An amount that replaces another one.
struct ChangedAmountOptions: ParsableArguments {
    @OptionGroup
    var amount: AmountOptions

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Currency code of the amount, such as USD.", valueName: "code"))
    var currency: String?

    var isGiven: Bool { amount.argument != nil }

    func validate() throws {
        guard isGiven == (currency != nil) else { throw ValidationError("an amount and --currency need each other") }
    }

    /// The currency, if an amount was given.
    func named() throws -> Currency? { try currency.map { try AmountArgument.currency($0) } }

    /// Nil if none was given.
    func minorUnits() throws -> Int64? {
        guard let currency else { return nil }
        guard let money = try amount.argument?.money(in: try AmountArgument.currency(currency)) else { return nil }
        guard PaymentRail.plan.amountRange.contains(money.minorUnits) else {
            throw PaymentPlanError.amountOutOfRange(money, .plan)
        }
        return money.minorUnits
    }
}
