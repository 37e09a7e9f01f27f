import ArgumentParser
import CloverCore
import CloverPayments

extension Charge {
    /// `clover charge increment`.
    struct Increment: FollowUpCommand {
        static let kind = OperationKind.increment

        static let configuration = CommandConfiguration(
            commandName: "increment",
            abstract: "Increase the amount that a pre-authorization holds",
            discussion: """
                Examples:
                  clover charge increment c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --amount 5.00
                  clover charge increment c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --minor 500
                  clover charge increment c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --amount 5.00 --json

                The amount is added to the hold. Not every card and merchant allows it.
                """
        )

        @Argument(help: ArgumentHelp("The charge.", valueName: "id"), completion: .asked)
        var identifier: String

        @OptionGroup(title: "How much")
        var amount: AmountOptions

        @OptionGroup(title: "Safety")
        var operation: OperationOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            guard amount.argument != nil else {
                throw ValidationError("the amount is missing: use --amount 5.00, or --minor 500")
            }
        }

        func fill(_ run: inout FollowUpCharge) {
            run.amount = amount.argument
        }
    }
}
