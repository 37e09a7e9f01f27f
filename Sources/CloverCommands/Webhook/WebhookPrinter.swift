import CloverCore
import CloverJSON
import CloverOutput
import CloverSystem
import CloverWebhooks
import Synchronization

/// Prints webhooks: JSON lines, or short lines for a person at a terminal.
struct WebhookPrinter: Sendable {
    private let isText: Bool
    private let environment: CommandEnvironment
    private let unknownKinds = UnknownKinds()

    init(isJSON: Bool, in environment: CommandEnvironment) {
        isText = environment.terminal.isOutputTerminal && !isJSON
        self.environment = environment
    }

    /// Prints what a body says.
    ///
    /// - Parameter received: when it arrived, in milliseconds since 1970; nil for a saved body.
    func print(_ body: WebhookBody, received: Int64? = nil) async throws {
        let text =
            switch body {
            case .verification(let code): isText ? Self.text(code: code) : Self.json(code: code)
            case .events(let events):
                events.map { isText ? Self.text($0) : Self.json($0, received: received) + "\n" }.joined()
            }
        // A body may have no events.
        if !text.isEmpty { try await StandardOutput.print(text, in: environment) }
        guard case .events(let events) = body else { return }
        for event in events where !event.isKnown {
            guard let kind = event.kind, unknownKinds.isNew(kind) else { continue }
            environment.diagnostics.notice("Clover sent events of kind '\(kind)', which this version does not know")
        }
    }

    /// One JSON object, without a line break.
    ///
    /// - Parameter received: in milliseconds since 1970; nil leaves the member out.
    static func json(_ event: WebhookEvent, received: Int64?) -> String {
        var line = JSONLine()
        line.add("merchant", event.merchant)
        line.add("kind", event.kind)
        line.add("id", event.id)
        line.add("type", event.type)
        line.add("at", event.time.map { InstantText.utc(milliseconds: $0) })
        line.add("path", event.path)
        if let session = event.session { line.add("session", session) }
        if let received { line.add("received", InstantText.utc(milliseconds: received)) }
        return line.text
    }

    private static func json(code: String) -> String {
        var line = JSONLine()
        line.add("verificationCode", code)
        return line.text + "\n"
    }

    private static func text(code: String) -> String {
        Diagnostics.printable("verification code: \(code)")
            + "\n  paste it in Clover's developer dashboard (App Settings, Webhooks), and click Verify and Save\n"
    }

    private static func text(_ event: WebhookEvent) -> String {
        let time = event.time.map { InstantText.utc(milliseconds: $0) } ?? "-"
        let words = [(time, 26), (event.type, 10), (event.kind ?? "-", 15), (event.id ?? "-", 15)]
        let line = words.map { word, width in
            let word = Diagnostics.printable(word)
            return word + String(repeating: " ", count: max(1, width - DisplayWidth.of(word)))
        }
        return line.joined() + Diagnostics.printable(event.merchant) + "\n"
    }

    /// The unknown kinds that were reported.
    private final class UnknownKinds: Sendable {
        /// A sender could invent kinds without end.
        private static let limit = 100

        private let seen = Mutex(Set<String>())

        func isNew(_ kind: String) -> Bool {
            seen.withLock { $0.count < Self.limit && $0.insert(kind).inserted }
        }
    }
}
