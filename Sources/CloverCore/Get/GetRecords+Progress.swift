import CloverAPI
import Synchronization

extension GetRecords {
    /// What has been read while the run is under way.
    final class Progress: Sendable {
        private let state = Mutex((summary: RecordPager.Summary(), list: ListProgress()))

        var records: Int { summary.records }
        var summary: RecordPager.Summary { state.withLock(\.summary) }

        func add(_ count: Int) { state.withLock { $0.summary.records += count } }

        /// So far is the list.
        func note(_ list: ListProgress) { state.withLock { $0.list = list } }

        /// The run breaks off here.
        func end(_ summary: RecordPager.Summary) { state.withLock { $0.summary = summary } }

        /// The facts for a line on the terminal.
        func tell(
            _ facts: inout ProgressFacts, _ plan: GetPlan, _ statistics: ServiceClient.Statistics, _ pause: ServicePause
        ) {
            let (records, list) = state.withLock { ($0.summary.records, $0.list) }
            facts.records = records
            facts.pages = list.pages
            facts.requests = statistics.requests
            facts.secondsWaited = statistics.secondsWaited
            facts.pausedUntil = pause.until
            facts.share = list.share
            if let limit = plan.pages?.limit {
                facts.unit = "record"
                facts.done = records
                facts.total = limit
            } else if let count = list.windowCount, count > 1 {
                facts.unit = "window"
                facts.done = list.windows
                facts.total = count
            }
        }
    }
}
