import ArgumentParser
import CloverConfiguration
import CloverCore
import CloverPayments

/// The amount, in major units or in the smallest unit.
struct AmountOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Amount in major units, with all decimals: 12.50.", valueName: "amount"))
    var amount: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Amount in the currency's smallest unit: 1250.", valueName: "units"))
    var minor: String?

    func validate() throws {
        if amount != nil, minor != nil { throw ValidationError("--amount and --minor exclude each other") }
    }

    /// The amount that was given; nil if none was.
    var argument: AmountArgument? {
        if let amount { return AmountArgument(text: amount, option: "--amount", isMinor: false) }
        return minor.map { AmountArgument(text: $0, option: "--minor", isMinor: true) }
    }

    /// A tip or tax, in the same unit as the amount.
    func part(_ text: String?, _ option: String) -> AmountArgument? {
        text.map { AmountArgument(text: $0, option: option, isMinor: minor != nil) }
    }
}

/// Options shared by all operations on a charge.
struct OperationOptions: ParsableArguments {
    @Option(
        name: .customLong("idempotency-key"), parsing: .unconditional,
        help: ArgumentHelp(
            "Idempotency key: the operation is carried out once per key (default: generated).", valueName: "key"))
    var idempotencyKey: String?

    @Flag(name: .customLong("dry-run"), help: "Print the request; send nothing, and record nothing.")
    var isDryRun = false

    @OptionGroup
    var limits: MaxTimeOptions

    func apply(to run: inout FollowUpCharge, _ messages: MessageOptions) {
        run.plan.idempotencyKey = idempotencyKey
        run.isDryRun = isDryRun
        run.isJSON = messages.json
        run.isQuiet = messages.quiet
    }
}

/// The time limit of a payment run.
struct MaxTimeOptions: ParsableArguments {
    @Option(
        name: .customLong("max-time"), parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum time to wait for the service's limits, while no request is under way (CLOVER_MAX_TIME).",
            valueName: "duration"))
    var maximumTime: String?

    /// The limit in seconds; nil for none.
    func seconds(_ settings: ConfigurationLayers) throws -> Double? {
        try maximumTime.map { try DurationExpression.seconds($0) } ?? settings.seconds(.maximumTime)
    }
}
