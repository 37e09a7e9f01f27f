import ArgumentParser
import CloverAuth
import CloverConfiguration
import CloverCore
import CloverHTTP
import CloverWebhooks

/// Where webhooks are delivered to, besides standard output.
struct WebhookDeliveryOptions: ParsableArguments {
    /// Time in seconds for a handler to respond.
    private static let handlerTimeout = 30

    @Option(
        name: .customLong("forward-to"),
        help: ArgumentHelp("Send each body, as it was received, to this URL with POST.", valueName: "url"))
    var url: String?

    @Option(
        name: .customLong("exec"), parsing: .unconditional,
        help: ArgumentHelp("Shell command to run for each event.", valueName: "command"))
    var command: String?

    @Flag(help: "Read the record that each event is about, and print it with the event.")
    var fetch = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum number of retries of one delivery (CLOVER_RETRY; default: \(RetryPolicy.usualRetries)).",
            valueName: "number"))
    var retry: Int?

    @Option(
        name: .customLong("auth-code-file"), parsing: .unconditional,
        help: ArgumentHelp(
            "File with the code of X-Clover-Auth in its first line (or in CLOVER_WEBHOOK_AUTH_CODE).",
            valueName: "file"), completion: .file())
    var authCodeFile: String?

    func validate() throws {
        if command?.isEmpty == true { throw ValidationError("--exec needs a command") }
        if let retry, retry < 0 { throw ValidationError("--retry takes a number from 0, not \(retry)") }
        if let url, !Self.isURL(url) {
            throw ValidationError("--forward-to takes a URL such as http://127.0.0.1:5000/webhook")
        }
    }

    /// Whether the text is an `http` or `https` URL with a host and without a user.
    static func isURL(_ text: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else {
            return false
        }
        let host = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        return !host.isEmpty && !host.contains("@") && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// Whether the URL of --forward-to is that of a listener, as far as its text says.
    ///
    /// - Parameter address: where it listens; nil for the loopback address.
    func forwards(to port: Int, at address: String?) -> Bool {
        guard let url, let scheme = ["http://", "https://"].first(where: { url.lowercased().hasPrefix($0) }) else {
            return false
        }
        let place = url.dropFirst(scheme.count).prefix { !"/?#".contains($0) }.lowercased()
        // The last three reach this machine, too.
        let own = ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "0", "[::]"]
        let hosts = own + [address, address.map { "[\($0)]" }].compactMap { $0 }
        return hosts.contains { host in
            place == "\(host):\(port)" || place == host && port == (scheme == "http://" ? 80 : 443)
        }
    }

    /// The targets of deliveries.
    ///
    /// - Parameter authCode: sent along to the URL, as Clover does.
    func targets(
        _ printer: WebhookPrinter, authCode: Secret?, in environment: CommandEnvironment
    ) async throws -> WebhookDeliverer.Targets {
        let settings = try await environment.settings(for: ConnectionChoice())
        let retries = try retry ?? settings.wholeNumber(.retry) ?? RetryPolicy.usualRetries
        let again = WebhookRetry(RetryPolicy(maximumRetries: retries), sleep: environment.sleep)
        let reader = fetch ? WebhookRecordReader(retries: retries, in: environment) : nil
        var targets = WebhookDeliverer.Targets(retry: again) { deliveries in
            if let reader {
                try await printer.print(deliveries, with: reader)
            } else {
                try await printer.print(deliveries)
            }
        }
        if let url {
            let transport = environment.transport(
                TransportChoice(certificateFile: nil, stallTimeout: Self.handlerTimeout))
            targets.forwarder = WebhookForwarder(to: url, authCode: authCode, transport: transport, retry: again)
        }
        if let command {
            targets.execute = { event, received in
                let variables = [
                    "CLOVER_EVENT": event.type, "CLOVER_EVENT_MERCHANT": event.merchant,
                    "CLOVER_EVENT_KIND": event.kind ?? "", "CLOVER_EVENT_ID": event.id ?? "",
                    "CLOVER_EVENT_PATH": event.path ?? "",
                ]
                let line = WebhookPrinter.json(event, received: received) + "\n"
                return try await environment.runToEnd(command, variables, Array(line.utf8))
            }
        }
        return targets
    }
}
