import CloverAuth
import CloverCore
import CloverFeed
import CloverSystem
import CloverWebhooks
import Synchronization

/// The webhooks that a listener with the same state directory received, as reports for a feed.
final class FollowWebhooks: Sendable {
    private struct State {
        var reader: WebhookNoticeReader
        var hasFailed = false
    }

    private let merchantID: String
    private let environment: CommandEnvironment
    private let state: Mutex<State>

    /// Seconds between two looks at the spool.
    private static let interval = 0.2

    /// - Parameter position: where the feed's last run stopped; nil for a new feed, which has to be started.
    init(
        _ directory: StateDirectory, merchantID: String, after position: FeedReport.Position?,
        in environment: CommandEnvironment
    ) {
        self.merchantID = merchantID
        self.environment = environment
        let position = position.map { WebhookPosition(number: $0.number, spool: $0.source) }
        state = Mutex(State(reader: WebhookNoticeReader(directory, after: position)))
    }

    /// Where a new feed begins: after what is there. Nil for a feed that has begun, and if that cannot be read.
    func start() async -> FeedReport.Position? {
        guard state.withLock({ $0.reader.position == nil }) else { return nil }
        return await DedicatedThread.run { [self] in
            attempt {
                try state.withLock { state in
                    try state.reader.start()
                    return Self.position(state.reader)
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
            let before = state.reader.position
            let (notices, isGapped) = try state.reader.next()
            state.hasFailed = false
            let hasMoved = state.reader.position != before
            return FeedReport(
                hints(of: notices), position: hasMoved ? Self.position(state.reader) : nil, isGapped: isGapped)
        }
    }

    private static func position(_ reader: WebhookNoticeReader) -> FeedReport.Position? {
        reader.position.map { FeedReport.Position(number: $0.number, source: $0.spool) }
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
