import ArgumentParser
import CloverAuth
import CloverCalendar
import CloverCore
import CloverJSON
import CloverOutput
import CloverPayments

/// `clover subscription`.
struct Subscription: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscription",
        abstract: "Subscribe customers to plans, which Clover charges by itself",
        discussion: """
            Examples:
              clover subscription create --plan PLAN_ID --customer CUSTOMER_ID
              clover subscription list --jq 'select(.active).subscription' -r
              clover subscription cancel SUBSCRIPTION_ID

            A customer needs a card on file: see 'clover charge --save-card'. United States and Canada only.
            """,
        subcommands: [
            ListCommand<Subscription>.self, ShowCommand<Subscription>.self, CreateSubscription.self,
            ChangeCommand<Subscription>.self, EndCommand<Subscription>.self,
        ]
    )
}

extension Subscription: RecurringNoun {
    static let listing = CommandConfiguration(
        commandName: "list",
        abstract: "List subscriptions",
        discussion: """
            Examples:
              clover subscription list
              clover subscription list --plan PLAN_ID
              clover subscription list --jq 'select(.active).customer' -r

            Prints one JSON object a line, or a table on a terminal: the ID (subscription), plan, customer, amount in \
            the smallest unit of the currency and that of the plan (planAmount) where Clover shows it, whether it is active, and its dates. If the list cannot be read to its end, nothing is \
            printed (76). Clover's list may be late: one that is not in it may still be there.
            """
    )

    static let showing = CommandConfiguration(
        commandName: "show",
        abstract: "Show one subscription",
        discussion: """
            Examples:
              clover subscription show SUBSCRIPTION_ID
              clover subscription show SUBSCRIPTION_ID | jq .active
              clover subscription show SUBSCRIPTION_ID --profile downtown

            Prints a JSON object as 'clover subscription list' does. Five failed payments deactivate a subscription.
            """
    )

    static let changing = CommandConfiguration(
        commandName: "change",
        abstract: "Change a subscription's amount or last day",
        discussion: """
            Examples:
              clover subscription change SUBSCRIPTION_ID --end 2027-12-31
              clover subscription change SUBSCRIPTION_ID --amount 20.00 --currency USD
              clover subscription change SUBSCRIPTION_ID --minor 2000 --currency USD

            The subscription is read again afterwards, because a response may only repeat the request. A change that it \
            does not show, or another field that it shows otherwise than before, is unknown (80), and may be made again. \
            Clover replaces a subscription as a whole, so that an amount that it shows is sent again: whether it follows \
            that of its plan afterwards is Clover's decision.
            """
    )

    static let ending = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel a subscription",
        discussion: """
            Examples:
              clover subscription cancel SUBSCRIPTION_ID
              clover subscription list --jq 'select(.active).subscription' -r
              clover subscription cancel SUBSCRIPTION_ID --verbose

            The subscription is read again afterwards: done means that it is not active any more, or not there. If the \
            response is lost, it is cancelled again. One that is still shown as active is unknown (80).
            """
    )

    static let isPlan = false
    static let ended = "cancelled"
    static let kept = [
        "collectionMethod", "amount", "tipAmount", "startDate", "endDate", "note", "taxRateUuids", "softDescriptor",
        "level2",
    ]
    static let columns = [
        "subscription", "plan", "customer", "amount", "currency", "planAmount", "active", "startDate", "endDate",
        "lastRunDate", "createdAt",
    ]
    static let shown: [(title: String, member: String)] = [
        ("SUBSCRIPTION", "subscription"), ("PLAN", "plan"), ("CUSTOMER", "customer"), ("AMOUNT", "amount"),
        ("ACTIVE", "active"), ("START", "startDate"), ("END", "endDate"),
    ]

    static func lines(
        _ scope: Scope, _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> (lines: [JSONLine], empty: String) {
        let path = scope.plan.map { RecurringList.subscriptions(ofPlan: $0) } ?? RecurringList.subscriptions
        let recurring = try await RecurringConnection.resolve(choice, in: environment)
        let rows = try await recurring.list.read(path).rows
        let currency = try await recurring.currency(of: rows, in: environment)
        return (
            rows.map { line($0.id, $0.tree, in: currency) },
            "there are no subscriptions; to make one: clover subscription create"
        )
    }

    static func describe(_ row: JSONTree, in currency: String?, to line: inout JSONLine) {
        line.add("plan", row["plan"]?.identifier)
        line.add("customer", RecurringList.customer(of: row))
        line.add(numbers: [("amount", "amount")], of: row)
        line.add("currency", currency)
        line.add("planAmount", RecurringList.planAmount(of: row))
        line.add("active", row["active"]?.bool)
        for name in ["startDate", "endDate", "lastRunDate"] { line.add(name, RecurringList.dateText(row[name])) }
        line.add("createdAt", row["createdTime"]?.string)
    }

    struct Scope: ParsableArguments {
        @Option(name: .long, help: ArgumentHelp("Only those to this plan.", valueName: "id"))
        var plan: String?

        func validate() throws { try IdentifierOption.check(plan, "--plan") }
    }

    struct Changes: RecurringChanges {
        @Option(name: .long, help: ArgumentHelp("Last day.", valueName: "date"))
        var end: String?

        @OptionGroup(title: "How much")
        var amount: ChangedAmountOptions

        func texts() throws -> [String: String] {
            try RecurringDate.text(end, "--end").map { ["endDate": $0] } ?? [:]
        }
    }
}

extension Subscription {
    /// `clover subscription create`.
    struct CreateSubscription: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Subscribe a customer to a plan, once",
            discussion: """
                Examples:
                  clover subscription create --plan PLAN_ID --customer CUSTOMER_ID
                  clover subscription create --plan PLAN_ID --customer CUSTOMER_ID --another
                  clover subscription create --plan PLAN_ID --customer CUSTOMER_ID --dry-run

                Events are JSON lines: created, sent, then one of active (with the ID, subscription), failed and unknown. \
                If Clover does not show the amount that you named, or shows another than the plan's although you named \
                none, the event and a warning say so. \
                Clover documents no idempotency key, so the plan's subscriptions are read before: if the customer has an \
                active one, or an active one shows no customer, none is made (64); to make another, add --another. If \
                the response is lost, they are read again: only what Clover made after the request, from and to the days \
                that you named, is the new one. What is not among them then is unknown \
                (80), and is never sent again under its key.

                Exit statuses:
                  0   the subscription is active
                  64  wrong usage, refused, or the customer has one
                  66  no such plan
                  69  not reached
                  73  no room for the journal
                  75  an earlier request for the same is open
                  76  the plan's subscriptions cannot be read to their end; nothing was sent
                  77  not signed in, or not allowed
                  78  the journal cannot be used
                  80  outcome unknown: see 'clover charge recover'
                  81  stopped before it was sent
                  83  --max-time ran out before it was sent
                """
        )

        @Option(name: .long, help: ArgumentHelp("ID of the plan.", valueName: "id"))
        var plan: String

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("ID of the customer, who has a card on file.", valueName: "id"))
        var customer: String

        @Option(name: .long, help: ArgumentHelp("First day (default: the next day).", valueName: "date"))
        var start: String?

        @Option(name: .long, help: ArgumentHelp("Last day (default: none).", valueName: "date"))
        var end: String?

        @OptionGroup(title: "How much, instead of the plan's amount")
        var amount: ChangedAmountOptions

        @OptionGroup(title: "Safety")
        var creation: RecurringOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        private struct Body: Encodable {
            var customerId: String
            var collectionMethod = "CHARGE_AUTOMATICALLY"
            var startDate: String?
            var endDate: String?
            var amount: Int64?
        }

        func validate() throws {
            for (text, option) in [(start, "--start"), (end, "--end")] { _ = try RecurringDate.text(text, option) }
            // Dates with four digits of the year are ordered as their text is.
            if let start, let end, end < start { throw ValidationError("--end is before --start") }
            try IdentifierOption.check(plan, "--plan")
            try IdentifierOption.check(customer, "--customer")
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            var body = Body(customerId: customer)
            body.startDate = try RecurringDate.text(start, "--start")
            body.endDate = try RecurringDate.text(end, "--end")
            RecurringDate.check(body.startDate, "--start", in: environment)
            RecurringDate.check(body.endDate, "--end", in: environment)
            body.amount = try amount.minorUnits()
            return try await creation.create(
                body, in: try amount.named(), plan: plan, name: customer, connection.choice, messages, in: environment)
        }
    }

}

/// Days as the recurring API has them.
enum RecurringDate {
    static func text(_ text: String?, _ option: String) throws -> String? {
        guard let text else { return nil }
        guard CalendarDate.parse(text) != nil else {
            throw ValidationError("\(option) takes a date such as 2027-01-31, not '\(text)'")
        }
        return text + RecurringList.midnight
    }

    /// Warns of a day that is past in every zone.
    ///
    /// - Parameter day: as it is sent; nil for none.
    static func check(_ day: String?, _ option: String, in environment: CommandEnvironment) {
        let dayLength: Int64 = 86_400_000
        guard let text = day?.prefix(10), let date = CalendarDate.parse(text),
            date < environment.clock.wall() / dayLength - 1
        else { return }
        environment.diagnostics.warning("\(option) \(text) is past; Clover decides what becomes of it")
    }
}
