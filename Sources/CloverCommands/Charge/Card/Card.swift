import ArgumentParser
import CloverAuth
import CloverCore
import CloverHTTP
import CloverJSON
import CloverOutput
import CloverPayments

extension Charge {
    /// `clover charge card`.
    struct Card: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "card",
            abstract: "List, replace and revoke customers' cards on file",
            discussion: """
                Examples:
                  clover charge card list CUSTOMER_ID
                  clover charge card replace CUSTOMER_ID --card - --consent <card.json
                  clover charge card revoke CUSTOMER_ID CARD_ID

                To save a card, charge it with 'clover charge --save-card EMAIL --consent'; to charge it later, run \
                'clover charge --customer CUSTOMER_ID'.
                """,
            subcommands: [ListCommand<Card>.self, ReplaceCard.self, RevokeCard.self]
        )
    }

    /// `clover charge card replace`.
    struct ReplaceCard: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "replace",
            abstract: "Put another card on file for a customer",
            discussion: """
                Examples:
                  clover charge card replace CUSTOMER_ID --card - --consent <card.json
                  clover charge card replace CUSTOMER_ID --source clv_1ABC --consent
                  clover charge card replace CUSTOMER_ID --card - --consent

                A customer has one card at a time: the present one is revoked, then the new one is saved. If that \
                ends in between, the customer has no card; run it again. Nothing is charged.
                """
        )

        @Argument(help: ArgumentHelp("ID of the customer.", valueName: "customer"))
        var customer: String

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Save a card read from standard input (-), or typed on a terminal.", valueName: "-"))
        var card: String?

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Save the card of a token (clv_...).", valueName: "token"))
        var source: String?

        @OptionGroup
        var consent: ConsentOption

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            // The value is not repeated: it may be a card's number.
            if let card, card != "-" {
                throw ValidationError(
                    "--card takes - and reads the card from standard input; a card is never an argument")
            }
            guard (card == nil) != (source == nil) else { throw ValidationError("give one of --card - and --source") }
            try IdentifierOption.check(customer, "the customer's ID")
            guard source?.hasPrefix("clv_") ?? true else { throw ValidationError("--source takes a token (clv_...)") }
            guard consent.isGiven else {
                throw ValidationError("a card needs --consent: the cardholder must have agreed to it")
            }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let file = try await CardFile.connected(connection.choice, in: environment)
            let replacement: CardSource
            if let source {
                let token = Secret(source)
                environment.diagnostics.mask.hide(token)
                replacement = .token(token)
            } else {
                let card = try await CardPrompt.read(in: environment)
                environment.diagnostics.mask.hide(card.number)
                environment.diagnostics.mask.hide(code: card.code)
                replacement = .card(card)
            }
            let cards = try await file.replace(of: customer, with: replacement)
            for card in cards {
                let line = CardLines.line(card, of: customer, event: "replaced")
                _ = try await environment.print(line)
            }
            return ExitStatus.done.rawValue
        }
    }

    /// `clover charge card revoke`.
    struct RevokeCard: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Take a card off file, so that it cannot be charged any more",
            discussion: """
                Examples:
                  clover charge card revoke CUSTOMER_ID CARD_ID
                  clover charge card list CUSTOMER_ID | jq -r .card
                  clover charge card revoke CUSTOMER_ID CARD_ID --verbose

                If the response is lost, the card is revoked again. If no response says that it is off file, or the \
                customer still shows it afterwards, that is unknown (80). Charges that were made stay as they are.
                """
        )

        @Argument(help: ArgumentHelp("ID of the customer.", valueName: "customer"))
        var customer: String

        @Argument(help: ArgumentHelp("ID of the card, as 'clover charge card list' shows it.", valueName: "card"))
        var card: String

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            try IdentifierOption.check(customer, "the customer's ID")
            try IdentifierOption.check(card, "the card's ID")
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let file = try await CardFile.connected(connection.choice, in: environment)
            try await file.revoke(card, of: customer)
            var line = JSONLine()
            line.add("event", "revoked")
            line.add("customer", customer)
            line.add("card", card)
            return try await environment.print(line)
        }
    }
}

extension Charge.Card: ListedNoun {
    static let listing = CommandConfiguration(
        commandName: "list",
        abstract: "List the cards on file of a customer",
        discussion: """
            Examples:
              clover charge card list CUSTOMER_ID
              clover charge card list CUSTOMER_ID --jq .card -r
              clover get customers --filter emailAddress=kim@example.com --jq .id

            Prints one JSON object a line, or a table on a terminal, with the ID by which a card is revoked. Of the \
            number, only the first six and the last four digits are known.
            """
    )

    static let columns = ["customer", "card", "type", "first6", "last4", "expires"]
    static let shown: [(title: String, member: String)] = [
        ("CARD", "card"), ("TYPE", "type"), ("LAST 4", "last4"), ("EXPIRES", "expires"),
    ]

    struct Scope: ParsableArguments {
        @Argument(help: ArgumentHelp("ID of the customer.", valueName: "customer"))
        var customer: String

        func validate() throws { try IdentifierOption.check(customer, "the customer's ID") }
    }

    static func lines(
        _ scope: Scope, _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> (lines: [JSONLine], empty: String) {
        let cards = try await CardFile.connected(choice, in: environment).cards(of: scope.customer)
        return (
            cards.map { CardLines.line($0, of: scope.customer) },
            "the customer \(scope.customer) has no card on file"
        )
    }
}

/// Cards on file as clover's own JSON.
enum CardLines {
    static func line(_ card: CardFile.Card, of customer: String, event: String? = nil) -> JSONLine {
        var line = JSONLine()
        if let event { line.add("event", event) }
        line.add("customer", customer)
        line.add("card", card.id)
        line.add("type", card.details.type)
        line.add("first6", card.details.first6)
        line.add("last4", card.details.last4)
        line.add("expires", card.expires)
        return line
    }
}

extension CardFile {
    /// The cards on file of the signed-in merchant.
    ///
    /// - Throws: `PaymentPlanError.noEcommerce` where the region has none.
    static func connected(_ choice: ConnectionChoice, in environment: CommandEnvironment) async throws -> CardFile {
        let payment = try await PaymentConnection.resolve(choice, waiting: 0, in: environment)
        guard payment.client.hasEcommerce else {
            throw PaymentPlanError.noEcommerce(environment: payment.environmentName)
        }
        return CardFile(client: payment.client, merchantID: payment.merchantID, sleep: environment.sleep)
    }
}
