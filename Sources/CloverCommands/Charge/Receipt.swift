import ArgumentParser
import CloverCore
import CloverPayments

extension Charge {
    /// `clover charge receipt`.
    struct Receipt: FollowUpCommand {
        static let kind = OperationKind.receipt

        static let configuration = CommandConfiguration(
            commandName: "receipt",
            abstract: "Send the receipt of a charge",
            discussion: """
                Examples:
                  clover charge receipt c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --email zoe@example.com
                  clover charge receipt c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --phone +15555550100
                  clover charge receipt c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --email zoe@example.com -q

                For charges on a device. For ecommerce, give --receipt-email with the charge.
                """
        )

        @Argument(help: ArgumentHelp("The charge.", valueName: "id"), completion: .asked)
        var identifier: String

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Send it to this e-mail address.", valueName: "address"))
        var email: String?

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Send it as a text message to this number.", valueName: "number"))
        var phone: String?

        @OptionGroup(title: "Safety")
        var operation: OperationOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if email != nil, phone != nil { throw ValidationError("--email and --phone exclude each other") }
        }

        func fill(_ run: inout FollowUpCharge) {
            run.plan.email = email
            run.plan.phone = phone
        }
    }
}
