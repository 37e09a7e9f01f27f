import CloverAuth
import CloverCore
import CloverFeed
import CloverSystem
import CloverWebhooks
import Synchronization

/// The webhooks that a listener with the same state directory received, as reports for a feed.
final class FollowWebhooks: Sendable {
    private struct State {
        var spool: WebhookSpool?
        /// How far the notices were read; nil before the first reading.
        var position: Int64?
        var hasFailed = false
    }

    private let directory: StateDirectory
    private let merchantID: String
    private let environment: CommandEnvironment
    private let state: Mutex<State>

    /// Seconds between two looks at the spool.
    private static let interval = 0.2
    private static let portion = 1000

    /// - Parameter position: where the feed's last run stopped; nil for a new feed, which begins after what is there.
    init(_ directory: StateDirectory, merchantID: String, after position: Int64?, in environment: CommandEnvironment) {
        self.directory = directory
        self.merchantID = merchantID
        self.environment = environment
        state = Mutex(State(position: position))
    }

    /// Waits for this many seconds, or until a webhook came.
    func wait(_ seconds: Double) async throws -> FeedReport {
        var rest = seconds
        while true {
            let report = await DedicatedThread.run { self.look() }
            if report != FeedReport() || rest <= 0 { return report }
            let pause = min(rest, Self.interval)
            try await environment.sleep(pause)
            rest -= pause
        }
    }

    /// What came since the last look. Blocks.
    private func look() -> FeedReport {
        do {
            return try report()
        } catch {
            // The feed is complete without webhooks; they only make it faster, and tell of deletions.
            let isFirst = state.withLock { state in
                defer { state.hasFailed = true }
                return !state.hasFailed
            }
            if isFirst {
                environment.diagnostics.warning(
                    "webhooks that a listener received cannot be read for now: \(Self.text(error))")
            }
            return FeedReport()
        }
    }

    private func report() throws -> FeedReport {
        try state.withLock { state in
            if state.spool == nil { state.spool = try WebhookSpool.existing(in: directory) }
            guard let spool = state.spool else {
                // Whatever a later listener receives is new to this feed.
                return Self.moved(&state.position, to: state.position ?? 0)
            }
            guard let position = state.position else {
                let last = try spool.lastNotice()
                return Self.moved(&state.position, to: last)
            }
            let (notices, isGapped) = try spool.notices(after: position, limit: Self.portion)
            state.hasFailed = false
            let end = try isGapped ? spool.lastNotice() : nil
            guard let last = notices.last?.number ?? end else {
                return FeedReport()
            }
            state.position = last
            return FeedReport(hints(of: notices), position: last, isGapped: isGapped)
        }
    }

    private static func moved(_ position: inout Int64?, to place: Int64) -> FeedReport {
        guard position != place else { return FeedReport() }
        position = place
        return FeedReport(position: place)
    }

    private func hints(of notices: [WebhookNotice]) -> [FeedHint] {
        notices.filter { $0.merchant == merchantID }.map { notice in
            notice.isDeletion
                ? .deleted(resource: notice.list, id: notice.id, at: notice.time ?? environment.clock.wall())
                : .changed(resource: notice.list)
        }
    }

    private static func text(_ error: any Error) -> String {
        if case .report(let report) = ErrorReport.ending(of: error) { report.message } else { "\(error)" }
    }
}
