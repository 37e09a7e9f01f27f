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
        /// How far the notices were read; nil if that is not known.
        var position: WebhookPosition?
        var hasFailed = false
    }

    private let directory: StateDirectory
    private let merchantID: String
    private let environment: CommandEnvironment
    private let state: Mutex<State>

    /// Seconds between two looks at the spool.
    private static let interval = 0.2
    private static let portion = 1000

    /// - Parameter position: where the feed's last run stopped; nil for a new feed, which has to be started.
    init(
        _ directory: StateDirectory, merchantID: String, after position: FeedReport.Position?,
        in environment: CommandEnvironment
    ) {
        self.directory = directory
        self.merchantID = merchantID
        self.environment = environment
        state = Mutex(State(position: position.map { WebhookPosition(number: $0.number, spool: $0.source) }))
    }

    /// Where a new feed begins: after what is there. Nil for a feed that has begun, and if that cannot be read.
    func start() async -> FeedReport.Position? {
        guard state.withLock({ $0.position == nil }) else { return nil }
        return await DedicatedThread.run { [self] in
            attempt {
                try state.withLock { state in
                    let start = try open(&state)?.end() ?? WebhookPosition(number: 0, spool: nil)
                    state.position = start
                    return Self.position(start)
                }
            } ?? nil
        }
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

    /// What came since the last look. Blocks. What cannot be read may contain deletions.
    private func look() -> FeedReport {
        let hadFailed = state.withLock(\.hasFailed)
        return attempt { try report() } ?? FeedReport(isGapped: !hadFailed)
    }

    private func attempt<Value>(_ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            // The feed is complete without webhooks, but for deletions; they only make it faster.
            let isFirst = state.withLock { state in
                defer { state.hasFailed = true }
                return !state.hasFailed
            }
            if isFirst {
                environment.diagnostics.warning(
                    "webhooks that a listener received cannot be read: \(Self.text(error))")
            }
            return nil
        }
    }

    private func report() throws -> FeedReport {
        try state.withLock { state in
            let before = state.position
            guard let spool = try open(&state) else {
                let none = WebhookPosition(number: 0, spool: nil)
                state.position = none
                if before == none { return FeedReport() }
                // The file was removed, with what was not read yet. Whatever a later listener receives is new.
                return FeedReport(position: Self.position(none), isGapped: true)
            }
            let end: WebhookPosition
            var report: FeedReport
            if let before {
                let (notices, position, isGapped) = try spool.notices(after: before, limit: Self.portion)
                (end, report) = (position, FeedReport(hints(of: notices), isGapped: isGapped))
            } else {
                // The beginning could not be read.
                (end, report) = (try spool.end(), FeedReport(isGapped: true))
            }
            state.hasFailed = false
            if before != end { report.position = Self.position(end) }
            state.position = end
            return report
        }
    }

    /// The listener's file; nil if there is none.
    private func open(_ state: inout State) throws -> WebhookSpool? {
        if state.spool?.isInPlace != true { state.spool = try WebhookSpool.existing(in: directory) }
        return state.spool
    }

    private static func position(_ position: WebhookPosition) -> FeedReport.Position {
        FeedReport.Position(number: position.number, source: position.spool)
    }

    private func hints(of notices: [WebhookNotice]) -> [FeedHint] {
        notices.filter { $0.merchant == merchantID }.map { notice in
            notice.isDeletion
                ? .deleted(resource: notice.list, id: notice.id, at: notice.time ?? environment.clock.wall())
                : .changed(resource: notice.list, at: notice.time)
        }
    }

    private static func text(_ error: any Error) -> String {
        if case .report(let report) = ErrorReport.ending(of: error) { report.message } else { "\(error)" }
    }
}
