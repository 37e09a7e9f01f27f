import ArgumentParser
import CloverCore
import CloverSquare

/// What a single request says.
struct SquareRequestOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("How much, in major units with all decimals: 12.50.", valueName: "amount"))
    var amount: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("How much, in the currency's smallest unit: 1250.", valueName: "number"))
    var minor: String?

    @Option(name: .long, help: ArgumentHelp("The currency's code, such as USD.", valueName: "code"))
    var currency: String?

    @Option(
        name: .customLong("callback-url"),
        help: ArgumentHelp("Where the Square app answers: a URL of your app's own scheme.", valueName: "url"))
    var callbackURL: String?

    @Option(
        name: .customLong("client-id"),
        help: ArgumentHelp(
            "The application id of Square's developer console (CLOVER_SQUARE_CLIENT_ID).", valueName: "id"))
    var clientID: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Text that comes back unchanged with the answer.", valueName: "text"))
    var state: String?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("A note on the payment.", valueName: "text"))
    var notes: String?

    @Option(
        name: [.customLong("location"), .customLong("merchant-id")],
        help: ArgumentHelp(
            "The location that must be logged in to the app; the SDK 2.1 calls it merchant id.", valueName: "id"))
    var location: String?

    @Option(
        name: .long, help: ArgumentHelp("The customer to link the payment with.", valueName: "id"))
    var customer: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Ways to pay that are allowed, separated by commas: card, cash, other, gift, card-on-file, paypay (default: all).",
            valueName: "tenders"))
    var tender: [String] = []

    @Flag(name: .customLong("clear-default-fees"), help: "Apply no default fees, such as taxes.")
    var clearDefaultFees = false

    @Flag(name: .customLong("auto-return"), help: "Go back by itself after the payment.")
    var autoReturn = false

    @Flag(name: .customLong("disable-keyed-in"), help: "Allow no card numbers that are typed in.")
    var disableKeyedIn = false

    @Flag(name: .customLong("skip-receipt"), help: "Show no page for the receipt.")
    var skipReceipt = false

    @Option(
        name: .customLong("fallback-url"),
        help: ArgumentHelp("Where the browser goes when there is no Square app; for android-web.", valueName: "url"))
    var fallbackURL: String?

    @Option(
        name: .customLong("api-version"),
        help: ArgumentHelp("Another version of the interface to the app than the SDK's own.", valueName: "version"))
    var apiVersion: String?

    /// Those that were given, as they are typed.
    var used: [String] {
        let options: [(name: String, isUsed: Bool)] = [
            ("--amount", amount != nil), ("--minor", minor != nil), ("--currency", currency != nil),
            ("--callback-url", callbackURL != nil), ("--client-id", clientID != nil), ("--state", state != nil),
            ("--notes", notes != nil), ("--location", location != nil), ("--customer", customer != nil),
            ("--tender", !tender.isEmpty), ("--clear-default-fees", clearDefaultFees), ("--auto-return", autoReturn),
            ("--disable-keyed-in", disableKeyedIn), ("--skip-receipt", skipReceipt),
            ("--fallback-url", fallbackURL != nil), ("--api-version", apiVersion != nil),
        ]
        return options.filter(\.isUsed).map(\.name)
    }

    func validate() throws {
        if amount != nil, minor != nil {
            throw ValidationError("--amount and --minor exclude each other: they say the same in two units")
        }
    }

    func request(_ rules: SquareRules) -> SquareHandOffRequest {
        var request = SquareHandOffRequest(rules: rules)
        request.amount = amount.map { .major($0) } ?? minor.map { .minor($0) }
        request.clientID = clientID
        // Given twice it adds up: the last one alone would allow less than was asked for.
        request.tenders = tender.isEmpty ? nil : tender.joined(separator: ",")
        request.apiVersion = apiVersion
        request.draft.currency = currency.map { SquareText($0) }
        request.draft.callbackURL = callbackURL.map { SquareText($0) }
        request.draft.state = state.map { SquareText($0) }
        request.draft.notes = notes.map { SquareText($0) }
        request.draft.locationID = location.map { SquareText($0) }
        request.draft.customerID = customer.map { SquareText($0) }
        request.draft.clearDefaultFees = clearDefaultFees
        request.draft.autoReturn = autoReturn
        request.draft.disableKeyedIn = disableKeyedIn
        request.draft.skipReceipt = skipReceipt
        request.draft.fallbackURL = fallbackURL.map { SquareText($0) }
        return request
    }
}
