import ArgumentParser
import CloverAuth
import CloverConfiguration
import CloverCore
import CloverSquare

extension Charge.Square {
    /// `clover charge square request`.
    struct Request: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "request",
            abstract: "Make the URL that opens the Square app for a payment",
            discussion: """
                Examples:
                  clover charge square request --client-id ID --callback-url my-app://paid \\
                    --amount 12.50 --currency USD --state table-9
                  clover charge square request --client-id ID --callback-url my-app://paid \\
                    --minor 1250 --currency USD --tender card,cash
                  clover charge square request --input requests.ndjson | jq -r .url

                Prints one JSON object with 'url' and with 'data', the content of the URL. Checks and URL are those of \
                Square's SDK. The first check that fails ends the command; its SCCErrorCode is the error's code.

                Each request is recorded in the journal of charges, which 'clover charge list' shows; the response \
                with the same --state settles it. Give every request its own state: a response that may belong to \
                either of two different requests settles neither. If a response never comes, record the outcome with \
                'clover charge square settle'. --no-journal only makes the URL.

                With --input, each line is a request: id, clientId, amount (in the smallest unit), currency, \
                callbackUrl, state, notes, locationId, customerId, tenders (names such as CREDIT_CARD, or "ALL"), \
                clearDefaultFees, autoReturn, disableKeyedIn, skipReceipt. A field that is absent is not set: a line \
                takes nothing from options or variables. Each line gets one line of output.

                Exit statuses:
                  0   done
                  64  a check failed, or wrong usage
                  69  --open: no program here can open it
                  73  --qr: no code can be drawn, and no request was made
                  82  --input: some requests could not be made
                """
        )

        @OptionGroup(title: "Payment")
        var payment: SquareRequestOptions

        @OptionGroup(title: "Rules")
        var rules: SquareRules

        @Option(
            name: .long,
            help: ArgumentHelp(
                "Read requests from the lines of a file, or from standard input (-).", valueName: "file"),
            completion: .file())
        var input: String?

        @Flag(name: .long, help: "Draw the URL as a QR code on the terminal, below the JSON.")
        var qr = false

        @Flag(name: .long, help: "Open the URL with the desktop's default program.")
        var open = false

        @Flag(name: .customLong("no-journal"), help: "Do not record the request in the journal of charges.")
        var noJournal = false

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if payment.fallbackURL != nil, rules.platform != .androidWeb {
                throw ValidationError("--fallback-url is for --platform android-web; no other platform supports it")
            }
            guard input != nil else { return }
            let used = payment.used
            if !used.isEmpty {
                throw ValidationError(
                    "--input reads the whole request from each line: leave out \(used.joined(separator: ", "))")
            }
            if qr || open { throw ValidationError("--qr and --open are for a single request, not for --input") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            if let input {
                let batch = SquareRequestBatch(
                    path: input == "-" ? nil : input, rules: rules, isRecorded: !noJournal)
                try await batch.run(in: environment)
                return 0
            }
            let (handOff, draft) = try await payment.handOff(rules, in: environment)
            let code = qr ? try Self.code(handOff.url, in: environment) : nil
            if !noJournal { try await SquareJournal.record(handOff, draft, in: environment) }
            try await SquareLine.print(handOff.json.written(), in: environment)
            try await code?.draw(in: environment)
            if open { try await SquareApp.open(handOff, rules: rules, in: environment) }
            return 0
        }

        /// Makes the code before the request is recorded: if there is no code, there must be no request either.
        private static func code(
            _ url: String, in environment: CommandEnvironment
        ) throws(SquareError) -> TerminalQRCode {
            do throws(TerminalQRCode.Obstacle) {
                return try TerminalQRCode(url, in: environment)
            } catch {
                throw .notDrawn(error)
            }
        }
    }
}

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

    private var typedAmount: AmountArgument? {
        amount.map { AmountArgument(text: $0, option: "--amount", isMinor: false) }
            ?? minor.map { AmountArgument(text: $0, option: "--minor", isMinor: true) }
    }

    /// Makes the request, which is not shown or recorded yet.
    ///
    /// The URL is byte for byte that of the SDK. A request without a state therefore gets none, although its response then
    /// cannot be matched to it.
    ///
    /// - Throws: `SquareError.request` with the first SDK check that fails, `.unknownTender`, `.allAmongTenders`,
    ///   `.apiVersionRefused`, `.decimalsUnknown`; `AmountRefusal`.
    func handOff(
        _ rules: SquareRules, in environment: CommandEnvironment
    ) async throws -> (SquareHandOff, SquareRequestDraft) {
        var draft = SquareRequestDraft()
        // The application id from Square's developer console is not secret: each URL contains it. An empty one is kept, so
        // that it is refused as by the SDK.
        let clientID =
            if let clientID { clientID } else {
                try await environment.settings(for: ConnectionChoice()).text(.squareClientID)
            }
        draft.clientID = clientID.map { SquareText($0) }
        draft.currency = currency.map { SquareText($0) }
        draft.callbackURL = callbackURL.map { SquareText($0) }
        draft.state = state.map { SquareText($0) }
        draft.notes = notes.map { SquareText($0) }
        draft.locationID = location.map { SquareText($0) }
        draft.customerID = customer.map { SquareText($0) }
        draft.clearDefaultFees = clearDefaultFees
        draft.autoReturn = autoReturn
        draft.disableKeyedIn = disableKeyedIn
        draft.skipReceipt = skipReceipt
        draft.fallbackURL = fallbackURL.map { SquareText($0) }
        try SquareAmount.put(typedAmount, into: &draft, profile: rules.profile)
        // Repeated options add up: the last one alone would allow less than was asked for.
        if !tender.isEmpty { draft.tenders = try tenders(rules) }
        if let apiVersion, !rules.acceptsOtherAPIVersions || apiVersion.isEmpty {
            throw SquareError.apiVersionRefused(rules)
        }
        let handOff: SquareHandOff
        do throws(SquareFailure) {
            let request = try SquareRequest(draft, profile: rules.profile, platform: rules.platform)
            let other = apiVersion.flatMap { request.withAPIVersion(SquareText($0)) }
            handOff = try (other ?? request).handOff()
        } catch {
            throw SquareError.request(error)
        }
        for notice in handOff.notices { environment.diagnostics.notice(notice.message) }
        return (handOff, draft)
    }

    private func tenders(_ rules: SquareRules) throws(SquareError) -> SquareTenderSet {
        do throws(SquareTenderError) {
            return try SquareTenderSet(words: tender.joined(separator: ","), profile: rules.profile)
        } catch {
            switch error {
            case .unknown(let word, let known): throw .unknownTender(word, known: known)
            case .allAmongOthers: throw .allAmongTenders
            }
        }
    }
}
