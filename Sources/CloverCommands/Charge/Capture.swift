import ArgumentParser
import CloverCore
import CloverPayments

extension Charge {
    /// `clover charge capture`.
    struct Capture: FollowUpCommand {
        static let kind = OperationKind.capture

        static let configuration = CommandConfiguration(
            commandName: "capture",
            abstract: "Collect the money that a pre-authorization holds",
            discussion: """
                Examples:
                  clover charge capture c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z
                  clover charge capture c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --amount 10.00
                  clover charge capture c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --tip 2.00

                Without an amount, all of it is captured. The rest of the hold is released.
                """
        )

        @Argument(help: ArgumentHelp("The charge.", valueName: "id"), completion: .asked)
        var identifier: String

        @OptionGroup(title: "How much")
        var amount: AmountOptions

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("A tip on top, in the same unit as the amount.", valueName: "amount"))
        var tip: String?

        @OptionGroup(title: "Safety")
        var operation: OperationOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func fill(_ run: inout FollowUpCharge) {
            run.amount = amount.argument
            run.tip = amount.part(tip, "--tip")
        }
    }
}
