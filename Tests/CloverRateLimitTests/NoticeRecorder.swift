import CloverRateLimit
import Synchronization

/// Collects what a ledger reports.
final class NoticeRecorder: Sendable {
    private let recorded = Mutex<[LedgerNotice]>([])

    var notices: [LedgerNotice] { recorded.withLock { $0 } }

    var record: @Sendable (LedgerNotice) -> Void {
        { notice in self.recorded.withLock { $0.append(notice) } }
    }
}
