import ArgumentParser
import CloverAuth
import CloverCore
import CloverPayments

extension Charge.Square {
    /// `clover charge square settle`.
    struct Settle: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "settle",
            abstract: "Record the outcome of a hand-off that got no response",
            // The usage that ArgumentParser generates looks as if both flags were needed.
            usage: "clover charge square settle <id> (--paid [--transaction <id>] | --not-paid) [<options>]",
            discussion: """
                Examples:
                  clover charge square settle c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --not-paid
                  clover charge square settle c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --paid
                  clover charge square settle c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --paid \\
                    --transaction T-501

                A request that was handed to the Square app stays open until its response comes. If no response came, \
                look in the Square app whether it was paid, and record that here: only the journal of charges changes. \
                A response that comes later still counts, and one that reports a payment wins.

                A payment that is known stays in the journal. If you have the response, but it is unclear which \
                request it belongs to, run 'clover charge square response --charge ID URL'.

                Exit statuses:
                  0   recorded
                  64  it has another outcome, which is final, or wrong usage
                  66  no such charge
                """
        )

        @Argument(help: ArgumentHelp("ID of the hand-off, a charge in the journal.", valueName: "id"))
        var identifier: String

        @Flag(help: ArgumentHelp("What the Square app shows."))
        var ending: Ending

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("ID of the payment on Square's servers, with --paid.", valueName: "id"))
        var transaction: String?

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        enum Ending: String, EnumerableFlag {
            case paid
            case notPaid

            static func name(for value: Ending) -> NameSpecification { .long }

            static func help(for value: Ending) -> ArgumentHelp? {
                switch value {
                case .paid: "The Square app shows the payment."
                case .notPaid: "The Square app shows no payment."
                }
            }
        }

        func validate() throws {
            guard let transaction else { return }
            if ending == .notPaid {
                throw ValidationError("--transaction goes with --paid: there is no transaction otherwise")
            }
            try IdentifierOption.check(transaction, "--transaction")
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let (journal, before) = try await SquareHandOffLookup.find(identifier, in: environment)
            var outcome = OperationOutcome(reason: "settled by hand")
            outcome.paymentID = transaction
            outcome.isByHand = true
            let response = HandOffResponse(
                state: before.externalID, ending: ending == .paid ? .approved : .cancelled, outcome: outcome)
            let match = try await journal.settle(
                by: response, chosen: identifier, detail: "by hand", now: environment.clock.wall())
            switch match {
            case .settles, .overturns, .completes: break
            case .known(let handOff) where handOff.id == identifier: break
            case .known(let handOff), .paymentOfAnother(let handOff):
                throw SquareError.transactionElsewhere(id: handOff.id)
            case .contradicts(let handOff) where handOff.state != .approved: break
            case .contradicts(let handOff): throw SquareError.settledBefore(id: handOff.id, handOff.state)
            case .otherPayment(let handOff): throw SquareError.paidOtherwise(id: handOff.id)
            // Cannot happen: the hand-off is given by its id.
            case .none, .ambiguous, .stateless: break
            }
            let after = try await journal.operation(identifier) ?? before
            let output = ChargeOutput(isJSON: messages.json, isQuiet: false, in: environment)
            await output.show(.settled(after))
            try output.finish()
            return 0
        }
    }
}
