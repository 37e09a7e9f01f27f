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
    private let unknownEvents = UnknownEvents()

    init(isJSON: Bool, in environment: CommandEnvironment) {
        isText = environment.terminal.isOutputTerminal && !isJSON
        self.environment = environment
    }

    /// Prints what a saved body says.
    func print(_ body: WebhookBody) async throws {
        try await write(text(body, received: nil))
        if case .events(let events) = body { note(events) }
    }

    /// Prints the events of deliveries with the times of their arrival.
    func print(_ deliveries: [WebhookDelivery]) async throws {
        var output = ""
        for delivery in deliveries { output += text(try delivery.body, received: delivery.arrival.received) }
        try await write(output)
        for delivery in deliveries { note(try delivery.events) }
    }

    /// Prints events of deliveries with their records: for each object only the latest event, whose record is as it is
    /// now; null for one that was deleted.
    func print(_ deliveries: [WebhookDelivery], with records: WebhookRecordReader) async throws {
        let latest = try Self.latest(of: deliveries)
        let outcomes = try await records.outcomes(of: latest.map(\.event))
        var output = ""
        for ((event, received), outcome) in zip(latest, outcomes) {
            let record: String? =
                switch outcome {
                case .record(let json): json
                case .gone: "null"
                case .notRead: nil
                }
            output += Self.json(event, received: received, record: record) + "\n"
        }
        try await write(output)
        note(latest.map(\.event))
    }

    /// The latest event of each object, in order of arrival. One that was made and changed counts as made.
    private static func latest(
        of deliveries: [WebhookDelivery]
    ) throws -> [(event: WebhookEvent, received: Int64)] {
        var latest: [(event: WebhookEvent, received: Int64)] = []
        var places: [[String?]: Int] = [:]
        var made: Set<Int> = []
        for delivery in deliveries {
            for event in try delivery.events {
                let key = [event.merchant, event.kind, event.id, event.session]
                if event.id != nil, let place = places[key] {
                    if event.type == WebhookAction.created.type { made.insert(place) }
                    // Clover does not promise the order: of two with the same time, the later arrival counts.
                    if event.time ?? 0 >= latest[place].event.time ?? 0 {
                        latest[place] = (event, delivery.arrival.received)
                    }
                } else {
                    if event.type == WebhookAction.created.type { made.insert(latest.count) }
                    places[key] = latest.count
                    latest.append((event, delivery.arrival.received))
                }
            }
        }
        for place in made where latest[place].event.type == WebhookAction.updated.type {
            latest[place].event.type = WebhookAction.created.type
        }
        return latest
    }

    private func text(_ body: WebhookBody, received: Int64?) -> String {
        switch body {
        case .verification(let code): isText ? Self.text(code: code) : Self.json(code: code)
        case .events(let events):
            events.map { isText ? Self.text($0) : Self.json($0, received: received) + "\n" }.joined()
        }
    }

    private func write(_ text: String) async throws {
        // A body may have no events.
        if !text.isEmpty { try await StandardOutput.print(text, in: environment) }
    }

    /// Reports each unknown kind, and each unknown outcome of a Hosted Checkout, once.
    private func note(_ events: [WebhookEvent]) {
        for event in events where !event.isKnown {
            guard let kind = event.kind else { continue }
            let text =
                kind == WebhookEvent.checkout
                ? "Clover sent a webhook of Hosted Checkout with an outcome that this version does not know, "
                    + "printed as type '\(event.type)'"
                : "Clover sent events of kind '\(kind)', which this version does not know"
            if unknownEvents.isNew(text) { environment.diagnostics.notice(text) }
        }
    }

    /// One JSON object, without a line break.
    ///
    /// - Parameters:
    ///   - received: in milliseconds since 1970; nil leaves the member out.
    ///   - record: the record as JSON; nil leaves the member out.
    static func json(_ event: WebhookEvent, received: Int64?, record: String? = nil) -> String {
        var line = JSONLine()
        line.add("merchant", event.merchant)
        line.add("kind", event.kind)
        line.add("id", event.id)
        line.add("type", event.type)
        line.add("at", instant: event.time)
        line.add("path", event.path)
        if let session = event.session { line.add("session", session) }
        if let received { line.add("received", instant: received) }
        if let record { line.add("record", json: record) }
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

    /// What was reported about unknown events.
    private final class UnknownEvents: Sendable {
        /// A sender could invent kinds without end.
        private static let limit = 100

        private let seen = Mutex(Set<String>())

        func isNew(_ text: String) -> Bool {
            seen.withLock { $0.count < Self.limit && $0.insert(text).inserted }
        }
    }
}
