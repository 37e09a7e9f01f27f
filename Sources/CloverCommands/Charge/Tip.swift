import ArgumentParser
import CloverCore
import CloverPayments

extension Charge {
    /// `clover charge tip`.
    struct Tip: FollowUpCommand {
        static let kind = OperationKind.tip

        static let configuration = CommandConfiguration(
            commandName: "tip",
            abstract: "Set the tip of a charge, until closeout",
            discussion: """
                Examples:
                  clover charge tip c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --amount 3.00
                  clover charge tip c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --minor 300
                  clover charge tip c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --amount 3.00 --json

                For a charge made with --auth, or a pre-authorization that was captured. A new tip replaces the last \
                one; tips are not added up. A tip of more than a fifth of the amount may be refused.
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
                throw ValidationError("the amount is missing: use --amount 3.00, or --minor 300")
            }
        }

        func fill(_ run: inout FollowUpCharge) {
            run.tip = amount.argument
        }
    }
}
