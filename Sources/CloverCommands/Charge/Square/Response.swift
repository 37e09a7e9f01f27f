import ArgumentParser
import CloverCore

extension Charge.Square {
    /// `clover charge square response`.
    struct Response: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "response",
            abstract: "Read the URL by which the Square app answers",
            discussion: """
                Examples:
                  clover charge square response \\
                    'my-app://paid/square_request?data=%7B%22status%22%3A%22ok%22%7D'
                  clover charge square response --platform android-web \\
                    'https://cafe.example/paid?com.squareup.pos.CLIENT_TRANSACTION_ID=C-1'
                  clover charge square response <urls.txt | jq -r .transactionId

                Without URL, standard input has one a line. One JSON object for \
                each: success, transactionId, clientTransactionId, state and \
                error; or 'ok' false with the SCCErrorCode of a URL that is no \
                answer. Both texts of a location mismatch are understood, \
                whatever the SDK. A request of the journal of charges that has \
                the answer's state is settled, when no other one can be meant; \
                --charge says which it is.

                Exit statuses:
                  0   paid
                  65  no answer of the Square app; of several URLs, one of them
                  81  not paid; of several URLs, one of them
                """
        )

        @Argument(help: ArgumentHelp("URLs as they came, quoted for the shell.", valueName: "url"))
        var urls: [String] = []

        @Flag(
            name: .customLong("check-marker"),
            help: "Add whether the URL has the mark of a request's callback: isSquareResponse.")
        var checkMarker = false

        @Option(
            name: .long,
            help: ArgumentHelp("The request of the journal that the one URL answers.", valueName: "id"))
        var charge: String?

        @Flag(name: .customLong("no-journal"), help: "Leave the journal of charges as it is.")
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
            var reading = SquareResponseReading(urls: urls, rules: rules.rules)
            reading.checksMarker = checkMarker
            reading.settles = !noJournal
            reading.charge = charge
            try await reading.run(in: environment)
            return 0
        }
    }
}
