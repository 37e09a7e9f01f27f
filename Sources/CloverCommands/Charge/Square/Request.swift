import ArgumentParser
import CloverCore
import CloverSquare

extension Charge.Square {
    /// `clover charge square request`.
    struct Request: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "request",
            abstract: "Make the URL that opens the Square app with a payment",
            discussion: """
                Examples:
                  clover charge square request --client-id ID --callback-url my-app://paid \\
                    --amount 12.50 --currency USD --state table-9
                  clover charge square request --client-id ID --callback-url my-app://paid \\
                    --minor 1250 --currency USD --tender card,cash --qr
                  clover charge square request --input requests.ndjson | jq -r .url

                One JSON object with 'url' and 'data', what the URL says. Checks \
                and URL are those of Square's SDK; the first check that fails \
                ends the command, and its SCCErrorCode is the error's code.

                A request with --state is written down in the journal of \
                charges, which 'clover charge list' shows; the answer with the \
                same state settles it. --no-journal makes the URL and nothing else.

                With --input, each line is a request: id, clientId, amount (in \
                the smallest unit), currency, callbackUrl, state, notes, \
                locationId, customerId, tenders (names such as CREDIT_CARD, or \
                "ALL"), clearDefaultFees, autoReturn, disableKeyedIn, \
                skipReceipt. What is absent is not given: a line takes nothing \
                from options or variables. Each line gets a line of answer, and \
                nothing is written down.

                Exit statuses:
                  0   done
                  64  a check failed, or wrong usage
                  69  --open: nothing here can be asked to open it
                  82  --input: some requests could not be made
                """
        )

        @OptionGroup(title: "Payment")
        var payment: SquareRequestOptions

        @OptionGroup(title: "Rules")
        var rules: SquareRuleOptions

        @Option(
            name: .long,
            help: ArgumentHelp(
                "Take requests from the lines of a file, or from standard input (-).", valueName: "file"),
            completion: .file())
        var input: String?

        @Flag(name: .long, help: "Draw the URL as a QR code on the terminal.")
        var qr = false

        @Flag(name: .long, help: "Hand the URL to the desktop, which opens it.")
        var open = false

        @Flag(name: .customLong("no-journal"), help: "Do not write the request down in the journal of charges.")
        var noJournal = false

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            guard input != nil else { return }
            if payment.isUsed { throw ValidationError("--input takes requests whole, so no other option says a part") }
            if qr || open { throw ValidationError("--qr and --open are for a single request, not for --input") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            if let input {
                let batch = SquareRequestBatch(path: input == "-" ? nil : input, rules: rules.rules)
                try await batch.run(in: environment)
                return 0
            }
            var request = payment.request(rules.rules)
            request.isWrittenDown = !noJournal
            let handOff = try await request.handOff(in: environment)
            try await SquareLine.print(handOff.json.written(), in: environment)
            if qr { TerminalQRCode.draw(handOff.url, in: environment) }
            if open { try SquareApp.open(handOff, profile: rules.sdk, in: environment) }
            return 0
        }
    }
}
