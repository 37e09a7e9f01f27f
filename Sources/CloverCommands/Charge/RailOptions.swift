import ArgumentParser
import CloverConfiguration
import CloverCore
import CloverPayments
import CloverReaders

/// The way to charge: exactly one of them.
struct RailOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Charge a card token (clv_...).", valueName: "token"))
    var source: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Charge the card on file of this customer.", valueName: "id"))
    var customer: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Charge a card read from standard input (-), or typed on a terminal.", valueName: "-"))
    var card: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Charge on the Clover device with this serial number.", valueName: "serial"))
    var device: String?

    @Option(
        name: .customLong("device-address"), parsing: .unconditional,
        help: ArgumentHelp(
            "Address of the device on the local network, such as https://192.168.1.20:12346 (default: through Clover).",
            valueName: "url"))
    var deviceAddress: String?

    @Option(
        name: .customLong("pay-display-pos-id"), parsing: .unconditional,
        help: ArgumentHelp(
            "Name of this point of sale for the device (CLOVER_PAY_DISPLAY_POS_ID; default: clover).", valueName: "id"))
    var posID: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Charge with a card reader: its ID, or last (or no value) for the one connected last.", valueName: "id"))
    var reader: String?

    @OptionGroup
    var driver: DriverProgramOptions

    @Option(
        name: .customLong("client-ip"), parsing: .unconditional,
        help: ArgumentHelp(
            "IP address that an ecommerce payment comes from (CLOVER_CLIENT_IP; default: this machine).",
            valueName: "address"))
    var clientAddress: String?

    func validate() throws {
        // The value is not repeated: it may be a card's number.
        if let card, card != "-" {
            throw ValidationError("--card takes - and reads the card from standard input; a card is never an argument")
        }
        for (value, option) in [(deviceAddress, "--device-address"), (posID, "--pay-display-pos-id")]
        where value != nil && device == nil {
            throw ValidationError("\(option) goes with --device")
        }
        if driver.isGiven, reader == nil { throw ValidationError("--driver goes with --reader") }
        if let posID { try Self.check(posID, .payDisplayPosID) }
        if let clientAddress { try Self.check(clientAddress, .clientAddress) }
        for (value, option) in [(source, "--source"), (customer, "--customer"), (device, "--device")] {
            try IdentifierOption.check(value, option)
        }
    }

    func rail() throws -> PaymentRail {
        let named: [PaymentRail] =
            [source, card, customer].compactMap(\.self).map { _ in PaymentRail.ecommerce }
            + (device == nil ? [] : [.payDisplay])
            + (reader == nil ? [] : [.reader])
        guard let first = named.first else { throw PaymentPlanError.railMissing }
        guard named.count == 1 else { throw PaymentPlanError.railsConflict }
        return first
    }

    func apply(to plan: inout ChargePlan, _ settings: ConfigurationLayers) throws {
        if let source {
            let digits = source.filter(\.isNumber)
            if digits.count >= 12, source.allSatisfy({ $0.isNumber || $0 == " " || $0 == "-" }) {
                throw PaymentPlanError.cardNumberAsSource
            }
            plan.sourceMark = String(source.suffix(4))
        }
        if let customer { plan.sourceMark = String(customer.suffix(4)) }
        plan.customer = customer
        plan.isKeyed = card != nil
        plan.device = device
        plan.deviceAddress = try deviceAddress.map { try DeviceAddress.base($0) }
        plan.reader = reader.flatMap { $0 == "last" || $0.isEmpty ? nil : $0 }
        if device != nil { plan.posID = try posID ?? settings.text(.payDisplayPosID) }
        plan.clientAddress = try clientAddress ?? settings.text(.clientAddress)
    }

    /// Refuses a value that cannot be sent in a header.
    private static func check(_ text: String, _ key: ConfigurationKey) throws {
        guard key.facts.kind.accepts(text) else {
            throw ValidationError("--\(key.name) takes \(key.facts.kind.expectation)")
        }
    }
}

/// The driver program for a reader that takes cards.
struct DriverProgramOptions: ParsableArguments {
    @Option(
        name: .customLong("driver"), parsing: .unconditional,
        help: ArgumentHelp(
            "Driver program of the reader, with arguments (CLOVER_READER_DRIVER); see clover-reader-driver(5).",
            valueName: "program"))
    var program: String?

    @Option(
        name: .customLong("driver-timeout"), parsing: .unconditional,
        help: ArgumentHelp("Maximum time for a driver to respond (default: 10s).", valueName: "duration"))
    var driverTimeout: String?

    var isGiven: Bool { program != nil || driverTimeout != nil }

    func validate() throws {
        if let program, DriverCommand(parsing: program) == nil {
            throw ValidationError("--driver takes a program and its arguments")
        }
        if let driverTimeout { _ = try DriverOptions.seconds(driverTimeout, "--driver-timeout") }
    }

    func choice() throws -> ReaderDriverChoice {
        var choice = ReaderDriverChoice()
        choice.driver = program
        choice.driverTimeout = try driverTimeout.map { try DriverOptions.seconds($0, "--driver-timeout") }
        return choice
    }
}
