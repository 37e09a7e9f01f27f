import ArgumentParser

/// `clover webhook`.
struct Webhook: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhook",
        abstract: "Receive, read and verify Clover's webhooks",
        discussion: """
            Examples:
              clover webhook listen --auth-code-file secret.txt
              clover webhook parse <bodies.ndjson
              clover webhook verify --signature "$SIGNATURE" --secret-file \\
                secret.txt <body.json

            Clover sends webhooks of two kinds. An app's webhooks, set up in the developer dashboard, say that an \
            object changed, and have the header X-Clover-Auth with a fixed code. Those of Hosted Checkout, set up in \
            the merchant dashboard, say how a checkout ended, and have a signature. Neither has the object itself, and \
            Clover guarantees neither that a webhook arrives, nor the order: use them as a hint to read the object.
            """,
        subcommands: [Listen.self, Parse.self, Verify.self, List.self, Replay.self, Drop.self, Trigger.self]
    )
}
