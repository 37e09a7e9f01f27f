import ArgumentParser
import CloverAuth
import CloverCore
import CloverPayments

/// What is special about one kind of operation on an existing charge: its description and its own options.
protocol FollowUpOptions: ParsableArguments {
    static var kind: OperationKind { get }
    static var configuration: CommandConfiguration { get }
    /// The amount and tip as typed; their currency is the charge's.
    var typedAmount: AmountArgument? { get }
    var typedTip: AmountArgument? { get }

    /// Validates the options, after those that all kinds share.
    func check() throws

    /// Adds the options that only this kind has.
    func fill(_ plan: inout FollowUpPlan)
}

extension FollowUpOptions {
    var typedAmount: AmountArgument? { nil }
    var typedTip: AmountArgument? { nil }

    func check() {}

    func fill(_ plan: inout FollowUpPlan) {}
}

/// An operation on an existing charge.
struct FollowUpCommand<Options: FollowUpOptions>: CloverCommand {
    static var configuration: CommandConfiguration { Options.configuration }

    @Argument(help: ArgumentHelp("ID of the charge.", valueName: "id"), completion: .asked)
    var identifier: String

    @OptionGroup
    var options: Options

    @OptionGroup(title: "Safety")
    var operation: OperationOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func validate() throws { try options.check() }

    /// Returns if the operation was carried out; throws otherwise.
    func run(in environment: CommandEnvironment) async throws -> Int32 {
        var plan = FollowUpPlan(Options.kind)
        options.fill(&plan)
        plan.idempotencyKey = operation.idempotencyKey
        let maximumTime = try operation.limits.seconds(await environment.settings(for: connection.choice))
        let bounded = environment.limitingDatabase(toRun: maximumTime)
        guard let journal = try await bounded.existingJournal(),
            let charge = try await journal.operation(named: identifier)
        else { throw PaymentPlanError.unknownOperation(identifier) }
        if let currency = charge.amount?.currency {
            plan.amount = try options.typedAmount?.money(in: currency).minorUnits
            plan.tip = try options.typedTip?.money(in: currency).minorUnits
        }
        let payment = try await PaymentConnection.resolve(for: charge, connection.choice, in: bounded)
        let run = ChargeRun(isJSON: messages.json, maximumTime: maximumTime, in: environment)
        let client = operation.isDryRun ? nil : payment.client
        let prepared = try await run.prepare { [plan] in
            try await PreparedFollowUp(plan, on: charge.id, in: journal, clock: environment.paymentClock, client)
        }
        if plan.amount == nil, prepared.operation.state == .created,
            prepared.charge.outcome.elsewhere?.refunded != nil,
            let words = prepared.charge.wordsElsewhere, let rest = prepared.operation.amountText
        {
            environment.diagnostics.notice("Clover shows that \(words): \(rest) is left")
        }
        if prepared.operation.isNeverSent, Options.kind.movesMoney {
            for open in try await journal.followUps(of: charge.id) where open.kind.movesMoney && open.mayBeCarriedOut {
                guard let former = open.formerPayment(of: prepared.charge) else { continue }
                environment.diagnostics.warning(
                    "\(open.id) on the payment \(former), which this charge had before, is not settled: "
                        + "clover charge recover \(open.id)")
            }
        }
        if operation.isDryRun {
            try await OperationOptions.preview(prepared.operation, payment, messages, in: environment)
            return ExitStatus.done.rawValue
        }
        let done = try await run.run(journal, payment) { try await prepared.carryOut(by: $0) }
        try run.finish(done)
        return ExitStatus.done.rawValue
    }
}

extension Charge {
    /// `clover charge capture`.
    struct Capture: FollowUpOptions {
        static let kind = OperationKind.capture

        static let configuration = CommandConfiguration(
            commandName: "capture",
            abstract: "Collect the money that a pre-authorization holds",
            discussion: """
                Examples:
                  clover charge capture c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z
                  clover charge capture c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --amount 10.00
                  clover charge capture c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --tip 2.00

                Without an amount, all of it is captured. The rest of the hold is released.
                """
        )

        @OptionGroup(title: "How much")
        var amount: AmountOptions

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("A tip on top, in the same unit as the amount.", valueName: "amount"))
        var tip: String?

        var typedAmount: AmountArgument? { amount.argument }
        var typedTip: AmountArgument? { amount.part(tip, "--tip") }
    }

    /// `clover charge increment`.
    struct Increment: FollowUpOptions {
        static let kind = OperationKind.increment

        static let configuration = CommandConfiguration(
            commandName: "increment",
            abstract: "Increase the amount that a pre-authorization holds",
            discussion: """
                Examples:
                  clover charge increment c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --amount 5.00
                  clover charge increment c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --minor 500
                  clover charge increment c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --amount 5.00 --json

                The amount is added to the hold. Not every card and merchant allows it.
                """
        )

        @OptionGroup(title: "How much")
        var amount: AmountOptions

        func check() throws {
            guard amount.argument != nil else {
                throw ValidationError("the amount is missing: use --amount 5.00, or --minor 500")
            }
        }

        var typedAmount: AmountArgument? { amount.argument }
    }

    /// `clover charge tip`.
    struct Tip: FollowUpOptions {
        static let kind = OperationKind.tip

        static let configuration = CommandConfiguration(
            commandName: "tip",
            abstract: "Set the tip of a charge, until closeout",
            discussion: """
                Examples:
                  clover charge tip c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --amount 3.00
                  clover charge tip c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --minor 300
                  clover charge tip c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --amount 3.00 --json

                For a charge made with --auth, or a pre-authorization that was captured. A new tip replaces the last \
                one; tips are not added up. A tip of more than a fifth of the amount may be refused.
                """
        )

        @OptionGroup(title: "How much")
        var amount: AmountOptions

        func check() throws {
            guard amount.argument != nil else {
                throw ValidationError("the amount is missing: use --amount 3.00, or --minor 300")
            }
        }

        var typedTip: AmountArgument? { amount.argument }
    }

    /// `clover charge refund`.
    struct Refund: FollowUpOptions {
        static let kind = OperationKind.refund

        static let configuration = CommandConfiguration(
            commandName: "refund",
            abstract: "Refund a charge, in full or in part",
            discussion: """
                Examples:
                  clover charge refund c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z
                  clover charge refund c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --amount 5.00
                  clover charge refund c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --reason duplicate

                Without an amount, refunds all that is left: Clover is asked first what was refunded elsewhere. You can \
                repeat it until the whole amount is refunded.
                """
        )

        @OptionGroup(title: "How much")
        var amount: AmountOptions

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp(
                "Reason, for ecommerce: duplicate, fraudulent or requested_by_customer.", valueName: "word"))
        var reason: String?

        func check() throws {
            if let reason, !["duplicate", "fraudulent", "requested_by_customer"].contains(reason) {
                throw ValidationError("--reason takes duplicate, fraudulent or requested_by_customer, not '\(reason)'")
            }
        }

        var typedAmount: AmountArgument? { amount.argument }

        func fill(_ plan: inout FollowUpPlan) {
            plan.reason = reason
        }
    }

    /// `clover charge void`.
    struct VoidCharge: FollowUpOptions {
        static let kind = OperationKind.void

        static let configuration = CommandConfiguration(
            commandName: "void",
            abstract: "Undo a charge before closeout",
            discussion: """
                Examples:
                  clover charge void c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z
                  clover charge void c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --json
                  clover charge void c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --profile downtown

                For charges on a device. From about 25 minutes after a sale, Clover makes it a refund. For an \
                ecommerce charge, run 'clover charge refund'.
                """
        )
    }

    /// `clover charge receipt`.
    struct Receipt: FollowUpOptions {
        static let kind = OperationKind.receipt

        static let configuration = CommandConfiguration(
            commandName: "receipt",
            abstract: "Send the receipt of a charge",
            discussion: """
                Examples:
                  clover charge receipt c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --email zoe@example.com
                  clover charge receipt c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --phone +15555550100
                  clover charge receipt c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --email zoe@example.com -q

                For charges on a device. For ecommerce, give --receipt-email with the charge.
                """
        )

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Send it to this e-mail address.", valueName: "address"))
        var email: String?

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Send it as a text message to this number.", valueName: "number"))
        var phone: String?

        func check() throws {
            try IdentifierOption.check(email, "--email", isOwn: true)
            try IdentifierOption.check(phone, "--phone", isOwn: true)
            if email != nil, phone != nil { throw ValidationError("--email and --phone exclude each other") }
        }

        func fill(_ plan: inout FollowUpPlan) {
            plan.email = email
            plan.phone = phone
        }
    }
}
