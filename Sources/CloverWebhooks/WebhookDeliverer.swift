import CloverHTTP
import CloverSystem

/// Delivers what waits in the spool, in order of arrival, and removes what was delivered everywhere.
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

    /// Delivers everything that waits. What failed is kept for ``replay(_:)``.
    ///
    /// - Throws: `StateDatabaseError`, `CancellationError`, and what printing throws.
    package func deliverWaiting() async throws {
        while true {
            let batch = try await DedicatedThread.run { [spool] in
                try spool.deliveries(failed: false, limit: Self.batchSize)
            }
            if batch.isEmpty { return }
            try await print(batch)
            if targets.execute == nil, targets.forwarder == nil { continue }
            for delivery in batch { try await deliver(delivery) }
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
        return try await deliver(delivery)
    }

    private func print(_ batch: [WebhookDelivery]) async throws {
        let fresh = batch.filter { !$0.isPrinted }
        try await targets.print(fresh)
        let isDone = targets.execute == nil && targets.forwarder == nil
        try await note { spool in
            if isDone {
                try spool.remove(batch.map(\.number))
            } else if !fresh.isEmpty {
                try spool.update(
                    fresh.map { delivery in
                        var delivery = delivery
                        delivery.isPrinted = true
                        return delivery
                    })
            }
        }
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
    @discardableResult
    private func deliver(_ delivery: WebhookDelivery) async throws -> Bool {
        var delivery = delivery
        delivery.isPrinted = true
        do {
            try await execute(&delivery)
            if let forwarder = targets.forwarder, !delivery.isForwarded {
                try await forwarder.forward(delivery.arrival)
                delivery.isForwarded = true
            }
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

    private func execute(_ delivery: inout WebhookDelivery) async throws {
        guard let execute = targets.execute else { return }
        for event in try delivery.events.dropFirst(delivery.executed) {
            let received = delivery.arrival.received
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
