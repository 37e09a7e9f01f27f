import CloverAuth
import Synchronization

/// Keeps the notices of a refresher.
final class NoticeLog: Sendable {
    private let log = Mutex<[TokenNotice]>([])

    /// What a person may want to know.
    var notices: [TokenNotice] {
        log.withLock { log in
            log.filter { notice in
                switch notice {
                case .asking, .asked: false
                default: true
                }
            }
        }
    }

    /// Whether the service is being asked, one entry each time that changes.
    var asking: [Bool] {
        log.withLock { log in
            log.compactMap { notice in
                switch notice {
                case .asking: true
                case .asked: false
                default: nil
                }
            }
        }
    }

    func add(_ notice: TokenNotice) {
        log.withLock { $0.append(notice) }
    }
}
