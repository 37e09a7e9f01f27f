import ArgumentParser
import CloverConfiguration
import CloverCore
import CloverPayments

/// How much, in the major or in the smallest unit.
struct AmountOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The amount in major units, with all decimals: 12.50.", valueName: "amount"))
    var amount: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The amount in the currency's smallest unit: 1250.", valueName: "units"))
    var minor: String?

    func validate() throws {
        if amount != nil, minor != nil { throw ValidationError("--amount and --minor exclude each other") }
    }

    /// What was typed; nil when nothing was.
    var argument: AmountArgument? {
        if let amount { return AmountArgument(text: amount, option: "--amount", isMinor: false) }
        return minor.map { AmountArgument(text: $0, option: "--minor", isMinor: true) }
    }

    /// Tip and tax are typed as the amount is.
    func part(_ text: String?, _ option: String) -> AmountArgument? {
        text.map { AmountArgument(text: $0, option: option, isMinor: minor != nil) }
    }
}

/// What is the same for everything that is asked about money.
struct OperationOptions: ParsableArguments {
    @Option(
        name: .customLong("idempotency-key"), parsing: .unconditional,
        help: ArgumentHelp(
            "Do it under this key, once however often it is asked for; one of our own otherwise.", valueName: "key"))
    var idempotencyKey: String?

    @Flag(name: .customLong("dry-run"), help: "Print the request; send nothing, and write nothing down.")
    var isDryRun = false

    @OptionGroup
    var patience: PatienceOptions

    func apply(to run: inout FollowUpCharge, _ messages: MessageOptions) {
        run.plan.idempotencyKey = idempotencyKey
        run.isDryRun = isDryRun
        run.isJSON = messages.json
        run.isQuiet = messages.quiet
    }
}

/// How long a run about money waits.
struct PatienceOptions: ParsableArguments {
    @Option(
        name: .customLong("max-time"), parsing: .unconditional,
        help: ArgumentHelp(
            "Wait so long for the service's limits at most, while nothing is under way (CLOVER_MAX_TIME).",
            valueName: "duration"))
    var maximumTime: String?

    /// Seconds; nil without a limit.
    func seconds(_ settings: ConfigurationLayers) throws -> Double? {
        try maximumTime.map { try DurationExpression.seconds($0) } ?? settings.seconds(.maximumTime)
    }
}
