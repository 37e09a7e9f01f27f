import CloverAuth
import Synchronization

/// Keeps the notices of a refresher.
final class NoticeLog: Sendable {
    private let log = Mutex<[TokenNotice]>([])

    var notices: [TokenNotice] { log.withLock(\.self) }

    func add(_ notice: TokenNotice) {
        log.withLock { $0.append(notice) }
    }
}
