import ArgumentParser
import CloverAuth
import CloverCore
import CloverHTTP
import CloverOutput
import CloverPayments
import CloverReaders

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

                One of --source, --card, --customer, --device and --reader selects the way to charge. A card is JSON on standard \
                input, {"number":"...","exp_month":"12","exp_year":"2030","cvv":"..."}, or typed at a prompt on a \
                terminal; it is exchanged for a token at once, and never stored or shown.

                --save-card EMAIL makes a customer with the card before it is charged, for later charges with \
                --customer; --consent states that the cardholder agreed. If a customer has the address, nothing is \
                saved or charged. If an earlier save has no response and no customer has the address yet, nothing is \
                either, unless you add --save-again. --dry-run prints the request that saves it first. See also 'clover charge card'.

                Events are JSON lines: created, sent, progress, then one of approved, partial, declined, cancelled, \
                failed and unknown. --quiet prints only that last line. Ctrl-C cancels the charge until a card is \
                presented; after that, the command waits for the outcome. What Clover refused, other than by a decline, \
                is 'provisional' while its records show no payment; 'clover charge recover --all' reads them again for \
                seven days. A key of your own is looked for at Clover, among the ecommerce charges of a day, before it is \
                sent. A request that the service refuses because \
                of a rate limit is sent again under the same key when the service allows it. The command reports such a \
                wait, which ends with Ctrl-C, SIGTERM or --max-time; the outcome is unknown then, unless the service's \
                records can be read.

                Exit statuses:
                  0   the whole amount was approved
                  64  wrong usage, or the service refused what was sent
                  65  standard input holds no valid card
                  69  not reached, and not charged; or no reader that can read cards
                  73  no room for the journal, and not charged
                  74  standard output cannot be written: standard error says what was charged
                  75  your own key could not be looked for, or an earlier save is open
                  76  the customers cannot be understood; nothing was charged
                  77  not signed in, or not allowed
                  78  the journal cannot be used
                  79  a part was approved and kept (--accept-partial; a reader's part and an
                      ecommerce hold always)
                  80  outcome unknown: see 'clover charge recover'
                  81  declined or cancelled; also a part that was voided again
                  83  --max-time ran out before it was sent; nothing was charged
                """
        )

        @OptionGroup(title: "How much")
        var amount: AmountOptions

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Currency code, such as USD.", valueName: "code"))
        var currency: String

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Tip on top of the amount, in the same unit; for a sale only.", valueName: "amount"))
        var tip: String?

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Tax included in the amount, in the same unit.", valueName: "amount"))
        var tax: String?

        @OptionGroup(title: "How")
        var rail: RailOptions

        @OptionGroup(title: "How")
        var saving: SavedCardOptions

        @Flag(help: "Type of charge: a final sale, a sale with a later tip, or a hold that is captured later.")
        var type: ChargeTypeFlag = .sale

        @Flag(
            name: .customLong("accept-partial"),
            help:
                "Accept a partial approval if the card does not cover the amount; without this, it is voided, but for one that a reader took."
        )
        var acceptsPartial = false

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp(
                """
                Maximum time to wait for a card, in whole seconds up to 300; 0 for no limit (default with a reader: \
                300).
                """,
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
            guard amount.argument != nil else {
                throw ValidationError("the amount is missing: use --amount 12.50, or --minor 1250")
            }
            if saving.email != nil, rail.customer != nil {
                throw ValidationError("--save-card goes with --card - or --source: the customer's card is on file")
            }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
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
            plan.cardOnFile = saving.email.map { CardOnFile(email: $0, isAgain: saving.isAgain) }
            try details.apply(to: &plan)
            var drivers = try rail.driver.choice()
            let maximumTime = try operation.limits.seconds(settings)
            let run = ChargeRun(isJSON: messages.json, maximumTime: maximumTime, in: environment)
            let payment = try await PaymentConnection.resolve(
                connection.choice, waiting: plan.timeout ?? (plan.rail.waitsForCard ? ChargePlan.maximumTimeout : 0),
                in: environment.limitingDatabase(toRun: maximumTime))
            if plan.rail.sendsClientAddress, plan.clientAddress == nil { plan.clientAddress = LocalAddress.current() }
            try plan.check(environment: payment.environmentName)
            drivers.connection = connection.choice
            if plan.rail.hasReader { plan.driver = try await drivers.driverText(in: environment) }
            if plan.rail.hasDevice { plan.posID = plan.posID ?? CloudDriver.defaultPOSID }
            let reader = try await run.prepare { [plan, drivers] in
                try await self.reader(plan, drivers, in: environment)
            }
            let charge = try plan.operation(
                environment: payment.environmentName, merchantID: payment.merchantID, now: environment.clock.wall())
            if operation.isDryRun { return try await preview(charge, payment, in: environment) }
            try await run.prepare { [plan] in try await checkKeptCurrency(plan, payment, in: environment) }
            if plan.rail.hasDevice, plan.deviceAddress == nil {
                try await run.prepare { [plan] in
                    try await checkDevice(plan, payment, in: environment)
                    try await checkCurrency(plan, payment, in: environment)
                }
            }
            if plan.rail.hasReader {
                environment.diagnostics.notice(
                    "a reader's charge cannot be refunded, voided or given a tip from here afterwards: for that, use "
                        + "the merchant's dashboard or a Clover device")
            }
            let source = try await cardSource(in: environment)
            let journal = try await environment.limitingDatabase(toRun: maximumTime).chargeJournal()
            let result = try await run.run(journal, payment, reader: reader, drivers: drivers) {
                runner -> (charge: PaymentOperation, void: OperationState?, followUp: PaymentOperation?) in
                let made = try await runner.chargeOnce(charge, source: source)
                let recovery = Recovery(runner: runner)
                let void = try await recovery.reversePartialApproval(made)
                let isNew = made.id == charge.id
                return (made, void, isNew ? nil : try await recovery.contradictedFollowUp(of: made.id))
            }
            let followUps = result.charge.isPartial ? try await journal.followUps(of: result.charge.id) : []
            try run.finish(result.charge, void: result.void, after: followUps, contradicted: result.followUp)
            if let other = result.charge.outcome.otherCustomer, let customer = result.charge.request.customer {
                environment.diagnostics.warning(
                    "Clover names the customer \(other) for this charge, and not \(customer): "
                        + "see whose card was charged")
            }
            return ExitStatus.done.rawValue
        }

        private func reader(
            _ plan: ChargePlan, _ drivers: ReaderDriverChoice, in environment: CommandEnvironment
        ) async throws -> (any PaymentReader)? {
            guard plan.rail.hasReader else { return nil }
            switch try await ReaderPaymentSession.choose(
                plan.reader, drivers, connection.choice, isPreview: operation.isDryRun, in: environment)
            {
            case .reader(let reader): return reader
            case .incapable(let driver): throw PaymentPlanError.readerCannotCharge(driver: driver)
            case .none where operation.isDryRun: return nil
            case .none: throw PaymentPlanError.readerCannotCharge(driver: nil)
            }
        }

        /// Refuses a device of another merchant. If the token may not list devices, the check is left to the service.
        private func checkDevice(
            _ plan: ChargePlan, _ payment: PaymentConnection, in environment: CommandEnvironment
        ) async throws {
            guard let serial = plan.device else { return }
            switch await DeviceList.has(serial, payment.client, merchantID: payment.merchantID) {
            case true: return
            case false:
                throw PaymentPlanError.foreignDevice(
                    serial: serial, merchantID: payment.merchantID, environment: payment.environmentName)
            case nil:
                environment.diagnostics.detail("cannot list the merchant's devices; leaving the check to the service")
            }
        }

        /// Refuses a currency other than the merchant's: a payment on a device names no currency and is always in the
        /// merchant's. If the token may not read the currency, a notice says so.
        private func checkCurrency(
            _ plan: ChargePlan, _ payment: PaymentConnection, in environment: CommandEnvironment
        ) async throws {
            let facts = try await MerchantSettings.request(payment.service, merchantID: payment.merchantID)
            guard let currency = facts.defaultCurrency else {
                environment.diagnostics.notice(
                    "cannot read the merchant's currency; the device charges in that currency and ignores --currency")
                return
            }
            try Self.check(currency, plan, payment)
        }

        /// Refuses a currency other than the merchant's, where an earlier run has kept that. The service is asked again
        /// before a refusal, because the merchant's currency may have changed since.
        private func checkKeptCurrency(
            _ plan: ChargePlan, _ payment: PaymentConnection, in environment: CommandEnvironment
        ) async throws {
            let cache = MerchantSettingsCache(payment.merchantID, payment.service, in: environment)
            guard let kept = await cache.settings(at: environment.clock.wall())?.defaultCurrency,
                kept.uppercased() != plan.amount.currency.code
            else { return }
            let facts = try await MerchantSettings.request(payment.service, merchantID: payment.merchantID)
            try Self.check(facts.defaultCurrency ?? kept, plan, payment)
        }

        private static func check(
            _ currency: String, _ plan: ChargePlan, _ payment: PaymentConnection
        ) throws(PaymentPlanError) {
            guard currency.uppercased() == plan.amount.currency.code else {
                throw .otherCurrency(
                    plan.amount.currency, merchantID: payment.merchantID, merchantCurrency: currency.uppercased())
            }
        }

        private func cardSource(in environment: CommandEnvironment) async throws -> CardSource? {
            if rail.card != nil {
                let card = try await CardPrompt.read(in: environment)
                environment.diagnostics.mask.hide(card.number)
                environment.diagnostics.mask.hide(code: card.code)
                return .card(card)
            }
            if let customer = rail.customer { return .token(Secret(customer)) }
            guard let token = rail.source.map({ Secret($0) }) else { return nil }
            environment.diagnostics.mask.hide(token)
            return .token(token)
        }

        private func preview(
            _ charge: PaymentOperation, _ payment: PaymentConnection, in environment: CommandEnvironment
        ) async throws -> Int32 {
            if charge.rail.hasReader {
                let line = try ReaderPaymentSession.preview(charge)
                try await environment.standardOutput.write(Array((line + "\n").utf8))
            } else {
                try await OperationOptions.preview(charge, payment, messages, in: environment)
            }
            return ExitStatus.done.rawValue
        }

        /// The service counts in whole seconds (Clover: X-Clover-Timeout); zero means no limit.
        private static func wholeSeconds(_ text: String) throws -> Int {
            if let seconds = Int(text) { return seconds }
            guard let seconds = Int(exactly: try DriverOptions.seconds(text, "--timeout")) else {
                throw ValidationError("--timeout takes whole seconds, such as 30s or 2m")
            }
            return seconds
        }
    }
}

/// The type of a charge, as flags that exclude each other.
enum ChargeTypeFlag: String, EnumerableFlag {
    case sale, auth, preauth

    static func help(for value: ChargeTypeFlag) -> ArgumentHelp? {
        switch value {
        case .sale: "Charge the amount at once; final (default)."
        case .auth: "Charge the amount at once; a tip can be added until closeout. Devices and readers only."
        case .preauth: "Hold the amount; 'clover charge capture' collects it."
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

/// What the charge is for.
struct DetailOptions: ParsableArguments {
    @Option(
        name: .customLong("external-id"), parsing: .unconditional,
        help: ArgumentHelp(
            "Your own ID for the payment, at most 32 characters, 12 for ecommerce (default: generated).",
            valueName: "id"))
    var externalID: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Invoice number for statements, at most 12 characters.", valueName: "text"))
    var reference: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Description of an ecommerce charge.", valueName: "text"))
    var description: String?

    @Option(
        name: .customLong("receipt-email"), parsing: .unconditional,
        help: ArgumentHelp("Send a receipt of an ecommerce charge to this address.", valueName: "address"))
    var receiptEmail: String?

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Metadata to store with an ecommerce charge, at most 500 characters in all.", valueName: "name=value"))
    var metadata: [String] = []

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("ID of an order to store in the metadata of an ecommerce charge.", valueName: "id"))
    var order: String?

    func validate() throws {
        try IdentifierOption.check(externalID, "--external-id", isOwn: true)
        try IdentifierOption.check(reference, "--reference", isOwn: true)
        try IdentifierOption.check(description, "--description", isOwn: true)
        try IdentifierOption.check(receiptEmail, "--receipt-email", isOwn: true)
        try IdentifierOption.check(order, "--order")
    }

    func apply(to plan: inout ChargePlan) throws {
        plan.externalID = externalID
        plan.reference = reference
        plan.description = description
        plan.receiptEmail = receiptEmail
        plan.order = order
        for pair in metadata {
            guard let mark = pair.firstIndex(of: "="), mark != pair.startIndex else {
                throw PaymentPlanError.malformedMetadata
            }
            let name = String(pair[..<mark])
            guard plan.metadata[name] == nil, name != "order" || order == nil else {
                throw PaymentPlanError.repeatedMetadata(name: name)
            }
            plan.metadata[name] = String(pair[pair.index(after: mark)...])
        }
    }
}

extension PaymentConnection {
    /// Refuses a currency other than the merchant's, for requests without a currency: the service takes the merchant's.
    func checkCurrency(_ currency: Currency, in environment: CommandEnvironment) async throws {
        let settings = try await MerchantSettings.read(service, merchantID: merchantID, in: environment)
        guard let own = settings.defaultCurrency?.uppercased(), own != currency.code else { return }
        throw PaymentPlanError.otherCurrency(currency, merchantID: merchantID, merchantCurrency: own)
    }
}
