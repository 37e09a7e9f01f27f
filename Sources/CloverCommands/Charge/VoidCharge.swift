import ArgumentParser
import CloverCore
import CloverPayments

extension Charge {
    /// `clover charge void`.
    struct VoidCharge: FollowUpCommand {
        static let kind = OperationKind.void

        static let configuration = CommandConfiguration(
            commandName: "void",
            abstract: "Undo a charge before closeout",
            discussion: """
                Examples:
                  clover charge void c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z
                  clover charge void c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --json
                  clover charge void c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --profile downtown

                For charges on a device. From about 25 minutes after a sale, Clover makes it a refund. For an \
                ecommerce charge, run 'clover charge refund'.
                """
        )

        @Argument(help: ArgumentHelp("The charge.", valueName: "id"), completion: .asked)
        var identifier: String

        @OptionGroup(title: "Safety")
        var operation: OperationOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions
    }
}
