import ArgumentParser
import CloverConfiguration
import CloverCore
import CloverOutput
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

    func validate() throws { try IdentifierOption.check(idempotencyKey, "--idempotency-key", isOwn: true) }

    /// Prints the request of an operation instead of sending it.
    static func preview(
        _ operation: PaymentOperation, _ payment: PaymentConnection, _ messages: MessageOptions,
        in environment: CommandEnvironment
    ) async throws {
        let requests = [
            try OperationPreview.saving(operation, payment.client),
            try OperationPreview.request(operation, payment.client),
        ].compactMap(\.self).map { RequestPreview(request: $0, line: nil) }
        let isText = environment.terminal.isOutputTerminal && !messages.json
        let texts = isText ? [requests.map(\.text).joined(separator: "\n")] : requests.map { $0.json + "\n" }
        try await environment.standardOutput.write(Array(texts.joined().utf8))
    }
}

/// The time limit of a payment run.
struct MaxTimeOptions: ParsableArguments {
    @Option(
        name: .customLong("max-time"), parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum time of the run; a charge that was sent and has no response ends with 80 (CLOVER_MAX_TIME).",
            valueName: "duration"))
    var maximumTime: String?

    /// The limit in seconds; nil for none.
    func seconds(_ settings: ConfigurationLayers) throws -> Double? {
        try maximumTime.map { try DurationExpression.seconds($0) } ?? settings.seconds(.maximumTime)
    }
}

/// An amount as typed, in the currency's major unit or in its smallest unit.
struct AmountArgument: Sendable, Equatable {
    let text: String
    /// The option that it was passed to.
    let option: String
    let isMinor: Bool

    /// Parses the amount in `currency`; throws `AmountRefusal`.
    func money(in currency: Currency) throws -> Money {
        do throws(AmountError) {
            return isMinor ? try AmountText.minor(text, in: currency) : try AmountText.major(text, in: currency)
        } catch {
            throw AmountRefusal(text: text, option: option, reason: error, currency: currency)
        }
    }

    /// Looks up a currency by its code; throws `AmountRefusal`.
    static func currency(_ code: String) throws -> Currency {
        do throws(AmountError) {
            return try AmountText.currency(code)
        } catch {
            throw AmountRefusal(text: code, option: "--currency", reason: error, currency: nil)
        }
    }
}

/// A typed amount or currency code that is not valid.
struct AmountRefusal: Error, Equatable, Sendable {
    let text: String
    /// The option that it was passed to.
    let option: String
    let reason: AmountError
    /// The amount's currency; nil if the currency code itself is wrong.
    let currency: Currency?
}
