import ArgumentParser
import CloverAuth
import CloverCore
import CloverJSON
import CloverOutput
import CloverSystem
import CloverWebhooks

extension Webhook {
    /// `clover webhook list`.
    struct List: OwnRecordCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the webhooks that were received and not delivered",
            discussion: """
                Examples:
                  clover webhook list
                  clover webhook list --failed
                  clover webhook list -r --jq '.events[].type'

                A delivery is one request of Clover's, which may have several events. It is listed until it was \
                delivered: those that wait are delivered by 'clover webhook listen', those that failed by 'clover \
                webhook replay'. "executed" is the number of its first events for which the command of --exec was run.
                """
        )

        @Flag(help: "List only deliveries that failed.")
        var failed = false

        @OptionGroup(title: "What to print")
        var output: RecordOutputOptions

        @OptionGroup(title: "Messages")
        var paging: PagingOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = paging.applied(to: environment)
            let records = try await output.records(messages, in: environment)
            var reader = try await WebhookSpoolReader(failed: failed ? true : nil, in: environment)
            guard records.isOpen(in: environment) else {
                let report = try await records.print(
                    try Self.list.schema(), merchant: ConnectionChoice(), in: environment
                ) {
                    try await reader.next().map { RecordBatch(lines: try $0.map(Self.json)) }
                }
                return output.jq.ending(of: report, in: environment)
            }
            let times = try await DisplayedTimes.ofMachine(
                ConnectionChoice(), zone: records.format.zone, in: environment)
            var rows: [[String]] = []
            while let deliveries = try await reader.next() {
                rows += try deliveries.map { try Self.row($0, times) }
            }
            if rows.isEmpty {
                environment.diagnostics.notice("no webhooks are kept")
            } else {
                let head = ["NUMBER", "RECEIVED", "STATE", "EVENTS", "FAILURE"]
                try await StandardOutput.show(
                    AlignedRows.text(
                        head: head, rows, meanings: ["RECEIVED": .whole, "STATE": .state], in: environment),
                    in: environment)
                environment.diagnostics.notice(times.sentence)
            }
            return 0
        }

        private static let list = OwnList(
            lines: [], columns: ["number", "state", "received", "failure", "executed"], times: ["received"],
            others: ["events"])

        private static func state(_ delivery: WebhookDelivery) -> String {
            delivery.failure == nil ? "waiting" : "failed"
        }

        private static func row(_ delivery: WebhookDelivery, _ times: DisplayedTimes) throws -> [String] {
            let events = try delivery.events
            let first = events.first.map { "\($0.type) \($0.kind ?? "-") \($0.id ?? "-")" } ?? "-"
            return [
                "\(delivery.number)", times.exactText(milliseconds: delivery.arrival.received), state(delivery),
                first + (events.count > 1 ? " and \(events.count - 1) more" : "")
                    + (delivery.executed > 0 ? " (\(delivery.executed) executed)" : ""), delivery.failure ?? "-",
            ].map { Diagnostics.printable($0) }
        }

        private static func json(_ delivery: WebhookDelivery) throws -> String {
            var line = JSONLine()
            line.add("number", delivery.number)
            line.add("state", state(delivery))
            line.add("received", instant: delivery.arrival.received)
            line.add("failure", delivery.failure)
            line.add("executed", Int64(delivery.executed))
            let events = try delivery.events.map { WebhookPrinter.json($0, received: nil) }
            line.add("events", json: "[\(events.joined(separator: ","))]")
            return line.text
        }
    }

    /// `clover webhook replay`.
    struct Replay: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "replay",
            abstract: "Deliver webhooks again that failed",
            discussion: """
                Examples:
                  clover webhook replay --all --forward-to http://127.0.0.1:5000/
                  clover webhook replay 17 --exec ./import-event
                  clover webhook replay --all >events.ndjson

                Prints the events of deliveries that failed, and delivers them to the targets that are given here, \
                except to one that they reached before. A delivery that succeeds is no longer listed; without a \
                target, printing it is enough. The listener may be running. If some fail again, the status is 82.
                """
        )

        @OptionGroup
        var choice: WebhookDeliveryChoice

        @OptionGroup
        var delivery: WebhookDeliveryOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let authCode = try await WebhookSecret.authCode.read(file: delivery.authCodeFile, in: environment)
            let printer = WebhookPrinter(isJSON: messages.json, in: environment)
            let targets = try await delivery.targets(printer, authCode: authCode, in: environment)
            guard let spool = try await WebhookSpoolReader.open(in: environment) else {
                if let number = choice.numbers.first { throw WebhookFault.noDelivery(number) }
                return 0
            }
            let lock = try WebhookSpoolLock(for: .replaying, directory: try environment.stateDirectory())
            defer { withExtendedLifetime(lock) {} }
            let deliverer = WebhookDeliverer(spool, targets) { WebhookFailureText.report($0, in: environment) }
            var failures = 0
            var count = 0
            try await choice.each(in: environment) { delivery in
                guard delivery.failure != nil else { throw WebhookFault.deliveryWaits(delivery.number) }
                count += 1
                if try await !deliverer.replay(delivery) { failures += 1 }
            }
            if failures > 0 { throw WebhookFault.replayFailed(failures, of: count) }
            return 0
        }
    }

    /// `clover webhook drop`.
    struct Drop: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "drop",
            abstract: "Remove webhooks that were received and not delivered",
            discussion: """
                Examples:
                  clover webhook drop 17
                  clover webhook drop 17 18 19
                  clover webhook drop --all

                Removes deliveries for good. --all removes those that failed; one that waits for the listener is \
                removed only by its number.
                """
        )

        @OptionGroup
        var choice: WebhookDeliveryChoice

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            var count = 0
            if let spool = try await WebhookSpoolReader.open(in: environment) {
                try await choice.each(in: environment) { delivery in
                    count += try await DedicatedThread.run { try spool.remove([delivery.number]) }
                }
            } else if let number = choice.numbers.first {
                throw WebhookFault.noDelivery(number)
            }
            environment.diagnostics.notice("removed \(count == 1 ? "1 delivery" : "\(count) deliveries")")
            return 0
        }
    }
}

/// The deliveries that a command is for.
struct WebhookDeliveryChoice: ParsableArguments {
    @Argument(help: ArgumentHelp("Numbers of deliveries, as listed.", valueName: "number"))
    var numbers: [Int64] = []

    @Flag(help: "All deliveries that failed.")
    var all = false

    func validate() throws {
        if numbers.isEmpty != all { throw ValidationError("give the numbers of deliveries, or --all") }
    }

    /// Calls `body` for each chosen delivery.
    ///
    /// - Throws: `WebhookFault.noDelivery`, and what `body` throws.
    func each(
        in environment: CommandEnvironment, _ body: (WebhookDelivery) async throws -> Void
    ) async throws {
        if all {
            var reader = try await WebhookSpoolReader(failed: true, in: environment)
            while let deliveries = try await reader.next() {
                for delivery in deliveries { try await body(delivery) }
            }
            return
        }
        guard let spool = try await WebhookSpoolReader.open(in: environment) else { return }
        for number in numbers {
            let delivery = try await DedicatedThread.run { try spool.delivery(number) }
            guard let delivery else { throw WebhookFault.noDelivery(number) }
            try await body(delivery)
        }
    }
}

/// Reads the spool of the state directory.
struct WebhookSpoolReader {
    private static let batchSize = 100

    private let spool: WebhookSpool?
    private let failed: Bool?
    /// Number of the last delivery that was read.
    private var last: Int64 = 0

    /// - Parameter failed: only those that failed, or only those that wait; nil for both.
    init(failed: Bool?, in environment: CommandEnvironment) async throws {
        spool = try await Self.open(in: environment)
        self.failed = failed
    }

    /// Nil if there is none.
    static func open(in environment: CommandEnvironment) async throws -> WebhookSpool? {
        let directory = try environment.stateDirectory()
        return try await DedicatedThread.run { try WebhookSpool.existing(in: directory) }
    }

    /// The next deliveries, in order of arrival; nil after the last one.
    mutating func next() async throws -> [WebhookDelivery]? {
        guard let spool else { return nil }
        let batch = try await DedicatedThread.run { [last, failed] in
            try spool.deliveries(after: last, failed: failed, limit: Self.batchSize)
        }
        last = batch.last?.number ?? last
        return batch.isEmpty ? nil : batch
    }
}
