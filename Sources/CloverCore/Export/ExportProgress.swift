import CloverAPI
import Synchronization

/// The line on the terminal that shows how far the export of one resource is.
final class ExportProgress: Sendable {
    private let tally: ExportTally
    private let merchant: ExportMerchant
    /// Where the resource is in the tally, and what the merchant's requests were before it; nil before its turn.
    private let turn = Mutex<(place: Int, before: ServiceClient.Statistics)?>(nil)

    init(
        _ resource: String, _ merchant: ExportMerchant, _ request: ExportRequest, on board: ProgressBoard,
        _ tally: ExportTally
    ) {
        self.tally = tally
        self.merchant = merchant
        board.line(request.hasManyMerchants ? "\(resource) of \(merchant.merchantID)" : resource) { self.tell(&$0) }
    }

    /// Its turn has come.
    func begin(_ place: Int) {
        let before = merchant.client.statistics
        turn.withLock { $0 = (place, before) }
    }

    private func tell(_ facts: inout ProgressFacts) {
        guard let (place, before) = turn.withLock(\.self) else {
            facts.phase = .waiting
            return
        }
        let entry = tally.resources[place]
        facts.records = entry.records + entry.underWay.records
        if entry.isDone || entry.failure != nil {
            facts.phase = .finished(entry.isDone ? "done" : "failed")
            return
        }
        facts.phase = .underWay
        facts.pages = entry.pages + entry.underWay.pages
        let statistics = merchant.client.statistics.since(before)
        facts.requests = statistics.requests
        facts.secondsWaited = statistics.secondsWaited
        facts.pausedUntil = merchant.pause.until
        facts.share = entry.underWay.share.map { (Double(entry.windowsDone) + $0) / Double(max(1, entry.windows)) }
        if entry.windows > 1 {
            facts.unit = "window"
            facts.done = entry.windowsDone
            facts.total = entry.windows
        } else if let count = entry.underWay.windowCount, count > 1 {
            // What changed lately is asked for in windows of when it was made.
            facts.unit = "window"
            facts.done = entry.underWay.windows
            facts.total = count
        }
    }
}
