import ArgumentParser
import CloverCore

extension Charge {
    /// `clover charge settle`.
    struct Settle: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "settle",
            abstract: "Record the outcome of a charge by hand",
            // The usage that ArgumentParser generates looks as if both flags were needed.
            usage: "clover charge settle <id> (--paid [--payment <id>] | --not-paid) [<options>]",
            discussion: """
                Examples:
                  clover charge settle c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --paid
                  clover charge settle c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --not-paid --by Anna
                  clover charge settle c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --paid \\
                    --payment 9XK3T7B2N5PWA

                Run 'clover charge recover' first: it asks Clover, or the reader's driver. If the outcome stays \
                unknown, as with a reader whose driver keeps no record, look at the reader, its receipts or the \
                merchant's dashboard, and record here what they show. Only the journal changes: nothing is charged. \
                The journal keeps who recorded the outcome, and when; see 'clover charge show'.

                With --payment, Clover is asked about the payment of a charge or refund. If it shows another amount or \
                currency, or has no such payment, nothing is recorded. If it cannot be asked, as without a network, \
                your word counts, and a warning says that the payment was not checked. Without --payment, nothing is \
                sent.

                An outcome confirmed by a response is final; one entered by hand can be changed. For seven days, \
                'recover --all' asks again about an outcome entered by hand. If a response contradicts it, 'recover' \
                names the charge and exits with 80 each time until you correct the outcome here. If the payment was \
                made after all, the journal has it from then on; a payment that is found nowhere stays in the journal \
                until you correct it.

                Exit statuses:
                  0   recorded
                  64  another outcome is confirmed, the payment is another one, or wrong usage
                  66  no such charge
                  75  another process is working on it
                """
        )

        @Argument(help: ArgumentHelp("ID of a charge, or of an operation on it.", valueName: "id"), completion: .asked)
        var identifier: String

        @Flag(help: ArgumentHelp("What the reader or the dashboard shows."))
        var ending: Ending

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("ID of the payment at Clover, with --paid.", valueName: "id"))
        var payment: String?

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Who records it (default: the account's name).", valueName: "name"))
        var by: String?

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        enum Ending: String, EnumerableFlag {
            case paid
            case notPaid

            static func name(for value: Ending) -> NameSpecification { .long }

            static func help(for value: Ending) -> ArgumentHelp? {
                switch value {
                case .paid: "It was carried out: the money moved."
                case .notPaid: "It was not carried out: no money moved."
                }
            }
        }

        func validate() throws {
            guard let payment else { return }
            if ending == .notPaid { throw ValidationError("--payment goes with --paid: there is no payment otherwise") }
            guard !payment.isEmpty, payment.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") })
            else { throw ValidationError("--payment takes the id of a payment") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            var settling = SettleCharge(identifier, isDone: ending == .paid)
            settling.payment = payment
            settling.person = by
            settling.isJSON = messages.json
            try await settling.run(in: environment)
            return ExitStatus.done.rawValue
        }
    }
}
