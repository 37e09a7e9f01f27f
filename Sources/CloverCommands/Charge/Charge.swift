import ArgumentParser

/// `clover charge`.
struct Charge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "charge",
        abstract: "Charge cards; no crash, retry or lost answer charges twice",
        discussion: """
            Examples:
              clover charge --amount 12.50 --currency USD --device C030UQ12345678
              clover charge recover --all
              clover charge refund c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --amount 5.00

            Every charge is written to a journal, with its idempotency key, \
            before the first byte of it leaves. What a crash or a lost answer \
            leaves open is settled by 'clover charge recover', under the same \
            key and never a new one; it may be run from cron at any time. What \
            nobody can tell a person settles: 'clover charge settle'.

            The options of a charge are shown by 'clover help charge create'.
            """,
        subcommands: [
            Create.self, List.self, Show.self, Recover.self, Settle.self, Capture.self, VoidCharge.self, Refund.self,
            Tip.self,
            Increment.self, Receipt.self, Square.self,
        ],
        defaultSubcommand: Create.self
    )
}
