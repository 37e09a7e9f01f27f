import ArgumentParser
import CloverCore
import CloverPayments

extension Charge {
    /// `clover charge`, or `clover charge create`.
    struct Create: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Charge a card",
            discussion: """
                Examples:
                  clover charge --amount 12.50 --currency USD --device C030UQ12345678
                  clover charge --amount 12.50 --currency USD --card - <card.json
                  clover charge --amount 12.50 --currency USD --reader --tip 2.00

                One of --source, --card, --device and --reader says how. A card is JSON on standard input, \
                {"number":"...","exp_month":"12","exp_year":"2030","cvv":"..."}, or asked for on a terminal; it is made \
                into a token at once, and never stored or shown.

                Events are JSON lines: created, sent, progress, then one of approved, partial, declined, cancelled, \
                failed and unknown. --quiet prints that last line alone. Ctrl-C cancels while no card was shown; after \
                that the outcome is waited for. What the service refuses by a limit was not charged; it goes out again when the \
                service lets it, under the same key. The wait is told, and ends with Ctrl-C, SIGTERM or --max-time.

                Exit statuses:
                  0   the whole amount was approved
                  64  wrong usage, or the service refused what was sent
                  65  the card on standard input is none
                  69  not reached, and not charged; or no reader that can read cards
                  73  no room for the journal, and not charged
                  75  the device is busy, and nothing was charged
                  77  not signed in, or not allowed
                  78  the journal cannot be used
                  79  a part was approved, and taken (--accept-partial)
                  80  outcome unknown: see 'clover charge recover'
                  81  declined or cancelled; also a part that was voided again
                  83  --max-time ran out before it was sent; nothing was charged
                """
        )

        @OptionGroup(title: "How much")
        var amount: AmountOptions

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("The currency, such as USD.", valueName: "code"))
        var currency: String

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("A tip on top of the amount, written as it is; of a sale only.", valueName: "amount"))
        var tip: String?

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("The tax inside the amount, written as it is.", valueName: "amount"))
        var tax: String?

        @OptionGroup(title: "How")
        var rail: RailOptions

        @Flag(help: "What is done at once: all of it, a tip later, or a hold that is captured later.")
        var type: ChargeTypeFlag = .sale

        @Flag(
            name: .customLong("accept-partial"), help: "Take a part when the card has no more; otherwise it is voided.")
        var acceptsPartial = false

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp(
                "Wait so long for a card to be shown at most, in whole seconds up to 300; 0 waits as long as it takes.",
                valueName: "duration"), transform: Self.wholeSeconds)
        var timeout: Int?

        @OptionGroup(title: "What it is for")
        var details: DetailOptions

        @OptionGroup(title: "Safety")
        var operation: OperationOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            guard amount.argument != nil else { throw ValidationError("say how much: --amount 12.50, or --minor 1250") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            let currency = try AmountArgument.currency(currency)
            guard let amount = try amount.argument?.money(in: currency) else { return ExitStatus.usage.rawValue }
            var plan = ChargePlan(rail: try rail.rail(), amount: amount)
            plan.tip = try self.amount.part(tip, "--tip")?.money(in: currency).minorUnits
            plan.tax = try self.amount.part(tax, "--tax")?.money(in: currency).minorUnits
            plan.type = type.type
            plan.acceptsPartial = acceptsPartial
            plan.timeout = timeout
            plan.idempotencyKey = operation.idempotencyKey
            let settings = try await environment.settings(for: connection.choice)
            try rail.apply(to: &plan, settings)
            try details.apply(to: &plan)
            var run = CreateCharge(plan: plan, connection: connection.choice)
            run.source = rail.cardInput
            run.drivers = try rail.driver.choice()
            run.isDryRun = operation.isDryRun
            run.maximumTime = try operation.patience.seconds(settings)
            run.isJSON = messages.json
            run.isQuiet = environment.diagnostics.level == .quiet
            try await run.run(in: environment)
            return ExitStatus.done.rawValue
        }

        /// The service counts in whole seconds (Clover: X-Clover-Timeout), of which none is no limit.
        private static func wholeSeconds(_ text: String) throws -> Int {
            if let seconds = Int(text) { return seconds }
            guard let seconds = Int(exactly: try DriverOptions.seconds(text, "--timeout")) else {
                throw ValidationError("--timeout takes whole seconds, such as 30s or 2m")
            }
            return seconds
        }
    }
}

/// The type of a charge as flags that exclude each other.
enum ChargeTypeFlag: String, EnumerableFlag {
    case sale, auth, preauth

    static func help(for value: ChargeTypeFlag) -> ArgumentHelp? {
        switch value {
        case .sale: "Charge at once, and finally (default)."
        case .auth: "Charge at once; a tip may be set until closeout. Devices and readers only."
        case .preauth: "Hold the amount; 'clover charge capture' takes it."
        }
    }

    var type: ChargeType {
        switch self {
        case .sale: .sale
        case .auth: .auth
        case .preauth: .preauth
        }
    }
}
