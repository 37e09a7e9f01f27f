import CloverAPI
import CloverCore
import Synchronization

/// The requests and records of a report so far, for its head and its receipt, also of one that fails.
final class ReportUsage: Sendable {
    /// What its requests wait for.
    let pause = RateLimitPause()
    private let state = Mutex((clients: [ServiceClient](), summary: RecordPager.Summary()))

    func add(_ client: ServiceClient) { state.withLock { $0.clients.append(client) } }

    func add(_ part: RecordPager.Summary) {
        state.withLock {
            $0.summary.records += part.records
            $0.summary.recordsRead += part.recordsRead
            $0.summary.pages += part.pages
            $0.summary.completedLists += part.completedLists
        }
    }

    var summary: RecordPager.Summary { state.withLock(\.summary) }

    /// Of all clients together.
    var statistics: ServiceClient.Statistics {
        state.withLock(\.clients).map(\.statistics).reduce(into: ServiceClient.Statistics()) { sum, part in
            sum.requests += part.requests
            sum.retries += part.retries
            sum.secondsWaited += part.secondsWaited
        }
    }
}
