import ArgumentParser
import CloverCore

extension Charge.Square {
    /// `clover charge square settle`.
    struct Settle: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "settle",
            abstract: "Say how a hand-off ended when no answer came",
            // What is made of the flags reads as if both were needed.
            usage: "clover charge square settle <id> (--paid [--transaction <id>] | --not-paid) [<options>]",
            discussion: """
                Examples:
                  clover charge square settle c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --not-paid
                  clover charge square settle c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --paid
                  clover charge square settle c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --paid \\
                    --transaction T-501

                A request that was handed to the Square app is open until its \
                answer comes. When nobody came back, look in the Square app \
                whether it was paid, and say so here: only the journal of \
                charges learns of it. An answer that comes later still counts, \
                and one that tells of a payment wins.

                What is known as paid stays so. The answer itself, when it cannot \
                be told which request it belongs to, is given by 'clover charge \
                square response --charge ID URL'.

                Exit statuses:
                  0   written down
                  64  it has another end that stays, or wrong usage
                  66  no such charge
                """
        )

        @Argument(help: ArgumentHelp("The hand-off, a charge of the journal.", valueName: "id"))
        var identifier: String

        @Flag(help: ArgumentHelp("What the Square app shows."))
        var ending: Ending

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("The id of the payment on Square's servers, with --paid.", valueName: "id"))
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
            if ending == .notPaid { throw ValidationError("--transaction goes with --paid: nothing else has one") }
            if transaction.isEmpty { throw ValidationError("--transaction is empty") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            var settling = SettleHandOff(identifier, isPaid: ending == .paid, transaction: transaction)
            settling.isJSON = messages.json
            try await settling.run(in: environment)
            return 0
        }
    }
}
