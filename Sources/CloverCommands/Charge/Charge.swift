import ArgumentParser

/// `clover charge`.
struct Charge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "charge",
        abstract: "Charge cards; no crash, retry or lost response charges twice",
        discussion: """
            Examples:
              clover charge --amount 12.50 --currency USD --device C030UQ12345678
              clover charge recover --all
              clover charge refund c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --amount 5.00

            Every charge is written to a journal, with its idempotency key, before the first byte is sent. If a crash \
            or a lost response leaves an outcome open, 'clover charge recover' settles it under the same key and never \
            under a new one; you can run it from cron at any time. If no service knows the outcome, settle it by hand \
            with 'clover charge settle'.

            For the options of a charge, run 'clover help charge create'.
            """,
        subcommands: [
            Create.self, List.self, Show.self, Recover.self, Settle.self, Capture.self, VoidCharge.self, Refund.self,
            Tip.self,
            Increment.self, Receipt.self, Square.self,
        ],
        defaultSubcommand: Create.self
    )
}
