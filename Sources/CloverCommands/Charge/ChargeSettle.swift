import ArgumentParser
import CloverCore

extension Charge {
    /// `clover charge settle`.
    struct Settle: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "settle",
            abstract: "Say how a charge ended that nobody else can tell of",
            // What is made of the flags reads as if both were needed.
            usage: "clover charge settle <id> (--paid [--payment <id>] | --not-paid) [<options>]",
            discussion: """
                Examples:
                  clover charge settle c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --paid
                  clover charge settle c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --not-paid --by Anna
                  clover charge settle c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --paid \\
                    --payment 9XK3T7B2N5PWA

                First 'clover charge recover' asks whoever can know. When the \
                outcome stays unknown, as with a reader whose driver keeps no \
                record, look at the reader, its receipts or the merchant's \
                dashboard, and say here what they show. Only the journal learns \
                of it: nothing is sent, and nothing is charged. Who said it, and \
                when, is kept; see 'clover charge show'.

                What an answer tells stays so. What a person said can be said \
                anew. For seven days 'recover --all' asks again about it; an answer \
                that tells otherwise is named, and ends with 80 each time until a \
                person takes the word back here. A payment that was made after all \
                is in the journal from then on, and one that nobody finds stays \
                there until then.

                Exit statuses:
                  0   written down
                  64  an answer tells of another end, or wrong usage
                  66  no such charge
                  75  another process works on it
                """
        )

        @Argument(help: ArgumentHelp("A charge, or an operation on one.", valueName: "id"), completion: .asked)
        var identifier: String

        @Flag(help: ArgumentHelp("What the reader or the dashboard shows."))
        var ending: Ending

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("The id of the payment at Clover, with --paid.", valueName: "id"))
        var payment: String?

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Who says so (default: the account's name).", valueName: "name"))
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
            if ending == .notPaid { throw ValidationError("--payment goes with --paid: nothing else has one") }
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
