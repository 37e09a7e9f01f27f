import ArgumentParser
import CloverAuth
import CloverCore
import CloverHTTP
import CloverWebhooks

extension Webhook {
    /// `clover webhook trigger`.
    struct Trigger: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "trigger",
            abstract: "Send a made-up webhook to a handler, to test it",
            discussion: """
                Examples:
                  clover webhook trigger order.updated --to http://127.0.0.1:8978
                  clover webhook trigger payment.created --id ORDER_ID \\
                    --to http://127.0.0.1:8978 --auth-code-file secret.txt
                  clover webhook trigger verification --to http://127.0.0.1:8978

                EVENT is an object and what happened to it, such as order.created, item.updated or customer.deleted; \
                checkout.approved or checkout.declined, which are sent as Hosted Checkout does, with a signature if \
                there is a secret; or verification, with which the dashboard sets up a webhook.

                Sends the request as Clover would, with the auth code in X-Clover-Auth if there is one, and prints its \
                event as 'clover webhook parse' does. The IDs are random unless they are given. A handler that \
                responds with a status from 200 to 299 has accepted it; otherwise the status is 69. No request is sent \
                to Clover. For webhooks of real changes without an account, see --webhook-url in 'clover-emulator \
                help serve'.

                Objects: \(WebhookKind.allCases.map(\.name).joined(separator: ", ")).
                """
        )

        @Argument(help: ArgumentHelp("What to send, such as order.updated.", valueName: "event"))
        var event: String

        @Option(
            name: .customLong("to"), help: ArgumentHelp("URL of the handler.", valueName: "url"))
        var url: String

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("ID of the object, or of the payment (default: a random one).", valueName: "id"))
        var id: String?

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("ID of the merchant (default: a random one).", valueName: "id"))
        var merchant: String?

        @Option(
            name: .customLong("auth-code-file"), parsing: .unconditional,
            help: ArgumentHelp(
                "File with the code of X-Clover-Auth in its first line (or in CLOVER_WEBHOOK_AUTH_CODE).",
                valueName: "file"), completion: .file())
        var authCodeFile: String?

        @Option(
            name: .customLong("secret-file"), parsing: .unconditional,
            help: ArgumentHelp(
                "File with the signing secret of Hosted Checkout (or in CLOVER_WEBHOOK_SECRET).", valueName: "file"),
            completion: .file())
        var secretFile: String?

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            guard WebhookDeliveryOptions.isURL(url) else {
                throw ValidationError("--to takes a URL such as http://127.0.0.1:8978/")
            }
            guard body(at: 0) != nil else {
                throw ValidationError(
                    "there is no event '\(event)'; an event is an object and created, updated or deleted, such as "
                        + "order.updated, or checkout.approved, checkout.declined or verification")
            }
            for (name, value) in [("--id", id), ("--merchant", merchant)] where value?.isEmpty == true {
                throw ValidationError("\(name) is empty")
            }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            let now = environment.clock.wall()
            guard let body = body(at: now) else { return ExitStatus.usage.rawValue }
            var arrival = WebhookArrival(received: now, body: body, signature: nil)
            var authCode: Secret?
            if isOfCheckout {
                if let secret = try await WebhookSecret.signing.read(file: secretFile, in: environment) {
                    arrival.signature = WebhookSignature.header(for: body, secret: secret, at: now / 1000)
                }
            } else if event != Self.verification {
                authCode = try await WebhookSecret.authCode.read(file: authCodeFile, in: environment)
            }
            let once = WebhookRetry(RetryPolicy(maximumRetries: 0), sleep: environment.sleep)
            let transport = environment.transport(TransportChoice(certificateFile: nil))
            do {
                try await WebhookForwarder(to: url, authCode: authCode, transport: transport, retry: once)
                    .forward(arrival)
            } catch let failure as WebhookDeliveryFailure {
                throw WebhookFault.notAccepted(failure)
            }
            try await WebhookPrinter(isJSON: messages.json, in: environment).print(try WebhookBody(body))
            return 0
        }

        private static let verification = "verification"

        private var isOfCheckout: Bool { event.hasPrefix("checkout.") }

        /// The body to send; nil for an event that does not exist.
        private func body(at time: Int64) -> [UInt8]? {
            if event == Self.verification { return WebhookSample.verification(code: WebhookSample.id()) }
            let words = event.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard words.count == 2 else { return nil }
            let merchant = merchant ?? WebhookSample.id()
            let id = id ?? WebhookSample.id()
            if words[0] == "checkout" {
                guard ["approved", "declined"].contains(words[1]) else { return nil }
                return WebhookSample.checkout(
                    isApproved: words[1] == "approved", payment: id, session: WebhookSample.id(), merchant: merchant,
                    at: time)
            }
            guard let kind = WebhookKind.allCases.first(where: { $0.name == words[0] }),
                let action = WebhookAction(rawValue: words[1])
            else { return nil }
            return WebhookSample.body(
                kind, action, id: id, merchant: merchant, app: WebhookSample.id(), at: time)
        }
    }
}
