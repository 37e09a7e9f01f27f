import CloverDatabase
import CloverHTTP
import CloverSystem

/// Prints and delivers what waits in the spool, in order of arrival, and removes what was delivered everywhere. Printing
/// and delivering can run side by side, so that a target that does not respond holds up nothing else.
///
/// A delivery can happen twice if the process is killed between it and the removal; none is lost.
package struct WebhookDeliverer: Sendable {
    /// Where to deliver to.
    package struct Targets: Sendable {
        /// Prints the events of deliveries, in order of arrival.
        package var print: @Sendable ([WebhookDelivery]) async throws -> Void
        /// Runs a command for an event and returns its exit status; nil runs none.
        package var execute: (@Sendable (WebhookEvent, _ received: Int64) async throws -> Int32)?
        package var forwarder: WebhookForwarder?
        package var retry: WebhookRetry

        /// Where deliveries go, besides printing.
        package var goals: WebhookGoals {
            var goals: WebhookGoals = []
            if execute != nil { goals.insert(.command) }
            if forwarder != nil { goals.insert(.handler) }
            return goals
        }

        package init(retry: WebhookRetry, print: @escaping @Sendable ([WebhookDelivery]) async throws -> Void) {
            self.retry = retry
            self.print = print
        }
    }

    private let spool: WebhookSpool
    private let targets: Targets
    private let onFailure: @Sendable (WebhookDelivery) -> Void
    private let onFull: @Sendable () -> Void

    /// Maximum number of deliveries that are read at a time.
    private static let batchSize = 100

    /// Pause while the device has no room, in seconds.
    private static let pauseWhileFull = 1.0

    /// - Parameters:
    ///   - onFailure: called for each delivery that failed, which stays in the spool.
    ///   - onFull: called once for each time that the device has no room to note what was delivered.
    package init(
        _ spool: WebhookSpool, _ targets: Targets, onFailure: @escaping @Sendable (WebhookDelivery) -> Void,
        onFull: @escaping @Sendable () -> Void = {}
    ) {
        self.spool = spool
        self.targets = targets
        self.onFailure = onFailure
        self.onFull = onFull
    }

    /// Prints what waits, and removes it if that is all that was wanted of it.
    ///
    /// - Throws: `StateDatabaseError`, `CancellationError`, and what printing throws.
    package func printWaiting() async throws {
        while true {
            let batch = try await waiting(printed: false)
            if batch.isEmpty { return }
            try await targets.print(batch)
            let done = batch.filter { $0.arrival.goals.union(targets.goals).isEmpty }
            let rest = batch.filter { !$0.arrival.goals.union(targets.goals).isEmpty }
            try await note { spool in
                try spool.remove(done.map(\.number))
                try spool.update(
                    rest.map { delivery in
                        var delivery = delivery
                        delivery.isPrinted = true
                        return delivery
                    })
            }
        }
    }

    /// Delivers what waits and was printed. What failed, or was accepted for a target that is no longer there, is kept for
    /// ``replay(_:)``.
    ///
    /// - Throws: `StateDatabaseError` and `CancellationError`.
    package func deliverPrinted() async throws {
        while true {
            let batch = try await waiting(printed: true)
            if batch.isEmpty { return }
            for delivery in batch { try await deliver(delivery, toAll: true) }
        }
    }

    private func waiting(printed: Bool) async throws -> [WebhookDelivery] {
        try await DedicatedThread.run { [spool] in
            try spool.deliveries(failed: false, printed: printed, limit: Self.batchSize)
        }
    }

    /// Prints a delivery again, and delivers it to what it has not reached.
    ///
    /// - Returns: false if it failed again.
    package func replay(_ delivery: WebhookDelivery) async throws -> Bool {
        var delivery = delivery
        delivery.failure = nil
        try await targets.print([delivery])
        delivery.isPrinted = true
        return try await deliver(delivery, toAll: false)
    }

    /// Changes the spool. While the device has no room, waits: what was delivered must not be delivered again.
    private func note(_ change: @escaping @Sendable (WebhookSpool) throws -> Void) async throws {
        var isFirst = true
        while true {
            do {
                return try await DedicatedThread.run { [spool] in try change(spool) }
            } catch StateDatabaseError.full {
                if isFirst { onFull() }
                isFirst = false
                try await targets.retry.pause(Self.pauseWhileFull)
            }
        }
    }

    /// Runs the command and forwards, as far as that was not done before.
    ///
    /// - Parameter toAll: whether a target for which it was accepted must not be missing.
    /// - Returns: false if it failed.
    @discardableResult
    private func deliver(_ delivery: WebhookDelivery, toAll: Bool) async throws -> Bool {
        var delivery = delivery
        delivery.isPrinted = true
        do {
            try await execute(&delivery)
            if let forwarder = targets.forwarder, !delivery.isForwarded {
                try await forwarder.forward(delivery.arrival)
                delivery.isForwarded = true
            }
            if toAll { try checkGoals(of: delivery) }
            try await note { [number = delivery.number] spool in _ = try spool.remove([number]) }
            return true
        } catch let failure as WebhookDeliveryFailure {
            delivery.failure = failure.text
            try await note { [delivery] spool in try spool.update([delivery]) }
            onFailure(delivery)
            return false
        } catch {
            // Stopped: the next run goes on from here.
            try await DedicatedThread.run { [spool, delivery] in try spool.update([delivery]) }
            throw error
        }
    }

    /// - Throws: `WebhookDeliveryFailure` if the delivery was accepted for a target that it has not reached.
    private func checkGoals(of delivery: WebhookDelivery) throws {
        var missing: [String] = []
        let isExecuted = try delivery.executed >= delivery.events.count
        if delivery.arrival.goals.contains(.command), !isExecuted { missing.append("--exec") }
        if delivery.arrival.goals.contains(.handler), !delivery.isForwarded { missing.append("--forward-to") }
        guard !missing.isEmpty else { return }
        throw WebhookDeliveryFailure(
            text: "it was received for \(missing.joined(separator: " and ")), which the listener now runs without",
            attempts: 0)
    }

    private func execute(_ delivery: inout WebhookDelivery) async throws {
        guard let execute = targets.execute else { return }
        for event in try delivery.events.dropFirst(delivery.executed) {
            let received = delivery.arrival.received
            // A command that has begun is run to its end; no other one begins.
            try Task.checkCancellation()
            try await targets.retry.run {
                let status = try await execute(event, received)
                if status == 0 { return nil }
                // The policy has no failures of programs. This one is repeated after pauses, too.
                return WebhookRetry.Attempt(failure: .unreadable, text: "the command ended with status \(status)")
            }
            delivery.executed += 1
        }
    }
}

extension WebhookDelivery {
    /// What the body says. Only bodies that could be read are in the spool.
    package var body: WebhookBody {
        get throws { try WebhookBody(arrival.body) }
    }

    /// The events of the body.
    package var events: [WebhookEvent] {
        get throws {
            guard case .events(let events) = try body else { return [] }
            return events
        }
    }
}
