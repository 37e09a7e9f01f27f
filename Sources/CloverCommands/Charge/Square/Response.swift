import ArgumentParser
import CloverCore

extension Charge.Square {
    /// `clover charge square response`.
    struct Response: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "response",
            abstract: "Read the URL that contains the Square app's response",
            discussion: """
                Examples:
                  clover charge square response \\
                    'my-app://paid/square_request?data=%7B%22status%22%3A%22ok%22%7D'
                  clover charge square response --platform android-web \\
                    'https://cafe.example/paid?com.squareup.pos.CLIENT_TRANSACTION_ID=C-1'
                  clover charge square response <urls.txt | jq -r .transactionId

                Without a URL, reads one a line from standard input. Prints one JSON object for each: success, \
                transactionId, clientTransactionId, state and error; or 'ok' false with an SCCErrorCode, if the URL \
                is not a response. Both texts of a location mismatch are understood with either SDK. If exactly one \
                request in the journal of charges can be meant by the response's state, it is settled; otherwise, \
                name the request with --charge.

                Exit statuses:
                  0   paid
                  65  not a response of the Square app; of several URLs, at least one
                  80  unknown, or paid without an open request; of several URLs, at least one
                  81  not paid; of several URLs, at least one
                """
        )

        @Argument(help: ArgumentHelp("Callback URLs, unchanged, quoted for the shell.", valueName: "url"))
        var urls: [String] = []

        @Flag(
            name: .customLong("check-marker"),
            help: "Add whether the URL has the marker of a request's callback, as isSquareResponse.")
        var checkMarker = false

        @Option(
            name: .long,
            help: ArgumentHelp("Request in the journal that the URL is the response to.", valueName: "id"))
        var charge: String?

        @Flag(name: .customLong("no-journal"), help: "Do not change the journal of charges.")
        var noJournal = false

        @OptionGroup(title: "Rules")
        var rules: SquareRuleOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            guard charge != nil else { return }
            if urls.count != 1 { throw ValidationError("--charge goes with one URL, as an argument") }
            if noJournal { throw ValidationError("--charge settles a request of the journal: leave --no-journal out") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            var reading = SquareResponseReader(urls: urls, rules: rules.rules)
            reading.checksMarker = checkMarker
            reading.settles = !noJournal
            reading.charge = charge
            try await reading.run(in: environment)
            return 0
        }
    }
}
