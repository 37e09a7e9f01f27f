import ArgumentParser
import CloverCore
import CloverSquare

/// The contents of a single request.
struct SquareRequestOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Amount in major units, with all decimals: 12.50.", valueName: "amount"))
    var amount: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Amount in the currency's smallest unit: 1250.", valueName: "number"))
    var minor: String?

    @Option(name: .long, help: ArgumentHelp("Currency code, such as USD.", valueName: "code"))
    var currency: String?

    @Option(
        name: .customLong("callback-url"),
        help: ArgumentHelp(
            "URL that the Square app calls with its response, in your app's own scheme.", valueName: "url"))
    var callbackURL: String?

    @Option(
        name: .customLong("client-id"),
        help: ArgumentHelp(
            "Application ID from Square's developer console (CLOVER_SQUARE_CLIENT_ID).", valueName: "id"))
    var clientID: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Text that the response returns unchanged.", valueName: "text"))
    var state: String?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("A note on the payment.", valueName: "text"))
    var notes: String?

    @Option(
        name: [.customLong("location"), .customLong("merchant-id")],
        help: ArgumentHelp(
            "Location that must be signed in to the app; the SDK 2.1 calls it merchant id.", valueName: "id"))
    var location: String?

    @Option(
        name: .long, help: ArgumentHelp("Customer to link to the payment.", valueName: "id"))
    var customer: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Allowed ways to pay, separated by commas: card, cash, other, gift, card-on-file, paypay (default: all).",
            valueName: "tenders"))
    var tender: [String] = []

    @Flag(name: .customLong("clear-default-fees"), help: "Do not apply default fees, such as taxes.")
    var clearDefaultFees = false

    @Flag(name: .customLong("auto-return"), help: "Return to the calling app automatically after the payment.")
    var autoReturn = false

    @Flag(name: .customLong("disable-keyed-in"), help: "Do not allow typed card numbers.")
    var disableKeyedIn = false

    @Flag(name: .customLong("skip-receipt"), help: "Skip the receipt screen.")
    var skipReceipt = false

    @Option(
        name: .customLong("fallback-url"),
        help: ArgumentHelp(
            "Page that the browser opens if the Square app is not installed; for android-web.", valueName: "url"))
    var fallbackURL: String?

    @Option(
        name: .customLong("api-version"),
        help: ArgumentHelp("Version of the app's API, if not the SDK's own.", valueName: "version"))
    var apiVersion: String?

    /// The options that were given, as they are typed.
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
            throw ValidationError("--amount and --minor exclude each other: both set the amount")
        }
    }

    func request(_ rules: SquareRules) -> SquareHandOffRequest {
        var request = SquareHandOffRequest(rules: rules)
        request.amount = amount.map { .major($0) } ?? minor.map { .minor($0) }
        request.clientID = clientID
        // Repeated options add up: the last one alone would allow less than was asked for.
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
