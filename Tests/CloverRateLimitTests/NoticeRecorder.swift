import CloverRateLimit
import CloverSystem
import Synchronization

/// Collects what a ledger reports.
final class NoticeRecorder: Sendable {
    private let recorded = Mutex<[LedgerNotice]>([])

    var notices: [LedgerNotice] { recorded.withLock { $0 } }

    var record: @Sendable (LedgerNotice) -> Void {
        { notice in self.recorded.withLock { $0.append(notice) } }
    }
}

extension RateLedger {
    /// A ledger for a token that belongs to no app.
    convenience init(
        directory: StateDirectory, scope: LedgerScope, limits: RateLimits = RateLimits(),
        onNotice: @escaping @Sendable (LedgerNotice) -> Void
    ) {
        self.init(directory: directory, token: RateBudget(scope, limits: limits), onNotice: onNotice)
    }
}
