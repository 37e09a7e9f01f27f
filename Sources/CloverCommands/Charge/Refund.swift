import ArgumentParser
import CloverCore
import CloverPayments

extension Charge {
    /// `clover charge refund`.
    struct Refund: FollowUpCommand {
        static let kind = OperationKind.refund

        static let configuration = CommandConfiguration(
            commandName: "refund",
            abstract: "Refund a charge, in full or in part",
            discussion: """
                Examples:
                  clover charge refund c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z
                  clover charge refund c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --amount 5.00
                  clover charge refund c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --reason duplicate

                Without an amount, refunds all that is left. You can repeat it until the whole amount is refunded.
                """
        )

        @Argument(help: ArgumentHelp("The charge.", valueName: "id"), completion: .asked)
        var identifier: String

        @OptionGroup(title: "How much")
        var amount: AmountOptions

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp(
                "Reason, for ecommerce: duplicate, fraudulent or requested_by_customer.", valueName: "word"))
        var reason: String?

        @OptionGroup(title: "Safety")
        var operation: OperationOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if let reason, !["duplicate", "fraudulent", "requested_by_customer"].contains(reason) {
                throw ValidationError("--reason takes duplicate, fraudulent or requested_by_customer, not '\(reason)'")
            }
        }

        func fill(_ run: inout FollowUpCharge) {
            run.amount = amount.argument
            run.plan.reason = reason
        }
    }
}
