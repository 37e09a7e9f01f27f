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
            abstract: "Cause a webhook, to test what receives it",
            discussion: """
                Examples:
                  clover webhook trigger order.updated
                  clover webhook trigger payment.created --id ORDER_ID \\
                    --to http://127.0.0.1:8978 --auth-code-file secret.txt
                  clover webhook trigger verification --to http://127.0.0.1:8978

                EVENT is an object and what happened to it, such as order.created, item.updated or customer.deleted.

                Without --to, changes the shop of the emulator that you are signed in to, which then sends a webhook \
                if it was started with --webhook-url (see 'clover-emulator help serve'). --id names the record to \
                change or delete, or the order that a payment is for. Without it, the first record is changed, and one \
                is created to be deleted. A service other than an emulator is never changed.

                With --to, sends a made-up webhook to a handler as Clover would, with the auth code in X-Clover-Auth \
                if there is one. Its IDs are random unless they are given. EVENT can then also be checkout.approved or \
                checkout.declined, which are sent as Hosted Checkout does, with a signature if there is a secret; or \
                verification, with which the dashboard sets up a webhook. A handler that responds with a status from \
                200 to 299 has accepted it; otherwise the status is 69.

                Prints the event as 'clover webhook parse' does.

                Objects: \(WebhookKind.allCases.map(\.name).joined(separator: ", ")).
                """
        )

        @Argument(help: ArgumentHelp("What to send, such as order.updated.", valueName: "event"))
        var event: String

        @Option(
            name: .customLong("to"),
            help: ArgumentHelp("URL of a handler to send a made-up webhook to.", valueName: "url"))
        var url: String?

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("ID of the object, or of the payment.", valueName: "id"))
        var id: String?

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("With --to, ID of the merchant (default: a random one).", valueName: "id"))
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
            if let url, !WebhookDeliveryOptions.isURL(url) {
                throw ValidationError("--to takes a URL such as http://127.0.0.1:8978/")
            }
            guard body(at: 0) != nil else {
                throw ValidationError(
                    "there is no event '\(event)'; an event is an object and created, updated or deleted, such as "
                        + "order.updated, or checkout.approved, checkout.declined or verification")
            }
            if url == nil {
                guard let change, EmulatorChange.isPossible(change.kind, change.action) else {
                    throw ValidationError("\(event) needs --to: an emulator cannot make this change")
                }
                if merchant != nil || authCodeFile != nil || secretFile != nil {
                    throw ValidationError("--merchant, --auth-code-file and --secret-file need --to")
                }
            }
            for (name, value) in [("--id", id), ("--merchant", merchant)] { try IdentifierOption.check(value, name) }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let printer = WebhookPrinter(isJSON: messages.json, in: environment)
            guard let url else {
                try await changeShop(printer, in: environment)
                return 0
            }
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
            try await printer.print(try WebhookBody(body))
            return 0
        }

        private func changeShop(_ printer: WebhookPrinter, in environment: CommandEnvironment) async throws {
            guard let (kind, action) = change else { return }
            let shop = try await EmulatorChange(in: environment)
            let id = try await shop.make(kind, action, id: id)
            // The time is the emulator's, which its webhook has.
            let event = WebhookEvent(
                merchant: shop.merchant, kind: kind.name, isKnown: true, id: id, type: action.type, time: nil,
                path: kind.path(id: id, merchant: shop.merchant))
            try await printer.print(.events([event]))
        }

        private static let verification = "verification"

        private static let checkout = "checkout."

        private var isOfCheckout: Bool { event.hasPrefix(Self.checkout) }

        /// The body to send; nil for an event that does not exist.
        private func body(at time: Int64) -> [UInt8]? {
            if event == Self.verification { return WebhookSample.verification(code: WebhookSample.id()) }
            let merchant = merchant ?? WebhookSample.id()
            let id = id ?? WebhookSample.id()
            if isOfCheckout {
                let outcome = event.dropFirst(Self.checkout.count)
                guard ["approved", "declined"].contains(outcome) else { return nil }
                return WebhookSample.checkout(
                    isApproved: outcome == "approved", payment: id, session: WebhookSample.id(), merchant: merchant,
                    at: time)
            }
            return change.map { kind, action in
                WebhookSample.body(kind, action, id: id, merchant: merchant, app: WebhookSample.id(), at: time)
            }
        }

        /// The object and what happened to it; nil for other events.
        private var change: (kind: WebhookKind, action: WebhookAction)? {
            let words = event.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard words.count == 2, let kind = WebhookKind.allCases.first(where: { $0.name == words[0] }),
                let action = WebhookAction(rawValue: words[1])
            else { return nil }
            return (kind, action)
        }
    }
}
