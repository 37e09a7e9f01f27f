import ArgumentParser
import CloverAuth
import CloverCore
import CloverOutput
import CloverWebhooks
import Glibc

extension Webhook {
    /// `clover webhook verify`.
    struct Verify: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Verify the signature of a Hosted Checkout webhook",
            discussion: """
                Examples:
                  clover webhook verify --signature "$SIGNATURE" <body.json
                  clover webhook verify --signature "$SIGNATURE" --secret-file \\
                    secret.txt <body.json | clover webhook parse
                  clover webhook verify --signature "$SIGNATURE" --tolerance 24h \\
                    <body.json

                Reads a body from standard input and checks it against the value of its header Clover-Signature, \
                t=SECONDS,v1=HEX: an HMAC-SHA256 under the signing secret that the merchant dashboard shows. If the \
                signature is valid and not older than the tolerance, prints the body unchanged; otherwise prints \
                nothing. The body must be byte for byte what Clover sent.

                An app's webhooks have no signature: compare their header X-Clover-Auth with the code that the \
                developer dashboard shows, as 'clover webhook listen' does.

                Exit statuses:
                  0   valid
                  64  wrong usage, or no secret
                  65  the signature is malformed, or the body larger than 1 MiB
                  74  the body or the secret cannot be read
                  77  not valid: another body or secret, or outside the tolerance
                """
        )

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Value of the header Clover-Signature.", valueName: "value"))
        var signature: String

        @Option(
            name: .customLong("secret-file"), parsing: .unconditional,
            help: ArgumentHelp(
                "File with the signing secret in its first line (or in CLOVER_WEBHOOK_SECRET).", valueName: "file"),
            completion: .file())
        var secretFile: String?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "Greatest age of the signature, and distance in the future (default: 5m).", valueName: "duration"))
        var tolerance: String?

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let tolerance = try tolerance.map { try NamedDuration.seconds($0, "--tolerance") }
            guard let secret = try await WebhookSecret.signing.read(file: secretFile, in: environment) else {
                throw WebhookFault.secretMissing(.signing)
            }
            do {
                let signature = try WebhookSignature(parsing: signature)
                let body = try Self.body(in: environment)
                try signature.verify(
                    body, secret: secret, now: environment.clock.wall() / 1000,
                    tolerance: tolerance ?? WebhookSignature.defaultTolerance)
                try await environment.standardOutput.write(body)
            } catch let error as WebhookSignatureError {
                throw WebhookFault.signature(error)
            }
            return 0
        }

        private static func body(in environment: CommandEnvironment) throws -> [UInt8] {
            do {
                return try environment.readStandardInput(WebhookBody.limit)
            } catch let error as DescriptorReader.Failure where error.errno == EFBIG {
                throw WebhookFault.unreadableBody("-", number: 1, .tooLarge)
            }
        }
    }
}
