import CloverFeed
import CloverSystem
import CloverTestSupport
import CloverWebhooks
import Foundation
import Testing

/// A listener that receives the webhooks of the model's shop, and the feed's view of its file, which is removed, replaced,
/// or put back from an older copy at random.
///
/// Unchecked, because one task at a time uses it.
final class ModelListener: @unchecked Sendable {
    private let folder: TemporaryDirectory
    private let directory: StateDirectory
    private var spool: WebhookSpool?
    private var reader: WebhookNoticeReader
    /// What the shop has sent and no listener has acknowledged.
    private var waiting: [WebhookArrival] = []
    private var copies = 0
    /// How often the file was removed, replaced or put back.
    private(set) var removals = 0
    private(set) var restorations = 0
    /// How often the feed noticed that something is missing.
    private(set) var gaps = 0

    private static let file = "webhooks.sqlite"
    private static let keys = ["orders": "O", "items": "I", "employees": "E"]

    init() throws {
        folder = try TemporaryDirectory()
        directory = StateDirectory(path: folder.path)
        reader = WebhookNoticeReader(directory, after: nil)
    }

    func send(_ id: String, _ type: String, at time: Int64, in world: ModelWorld) {
        let key = Self.keys[world.list(of: id)] ?? ""
        let body = #"{"merchants":{"M":[{"objectId":"\#(key):\#(id)","type":"\#(type)","ts":\#(time)}]}}"#
        let arrival = WebhookArrival(received: time, body: Array(body.utf8), signature: nil)
        waiting += world.chance(200) ? [arrival, arrival] : [arrival]
    }

    /// Time passes: something happens to the file, and webhooks arrive, in any order.
    func live(in world: ModelWorld) {
        do {
            if !world.isQuiet { try meddle(in: world) }
            waiting.shuffle(using: &world.random)
            let count = world.isQuiet ? waiting.count : Int.random(in: 0...waiting.count, using: &world.random)
            guard count > 0 else { return }
            let spool = try spool ?? WebhookSpool(directory: directory)
            self.spool = spool
            do {
                try spool.add(Array(waiting.prefix(count)))
                waiting.removeFirst(count)
            } catch WebhookSpoolError.replaced {
                // Nothing was acknowledged, and the next listener uses the file that is there.
                self.spool = nil
            }
        } catch {
            Issue.record(error)
        }
    }

    private func meddle(in world: ModelWorld) throws {
        if world.chance(50) { spool = nil }
        let path = folder[Self.file]
        guard FileManager.default.fileExists(atPath: path) else { return }
        if world.chance(100) {
            copies += 1
            try FileManager.default.copyItem(atPath: path, toPath: folder["copy\(copies)"])
        }
        if world.chance(10) {
            removals += 1
            try FileManager.default.removeItem(atPath: path)
            if world.chance(500) { spool = nil }
        } else if copies > 0, world.chance(30) {
            restorations += 1
            let copy = folder["copy\(Int.random(in: max(1, copies - 2)...copies, using: &world.random))"]
            if world.chance(500) {
                // Into the same file, which the listener and the feed have open.
                try Data(contentsOf: URL(fileURLWithPath: copy)).write(to: URL(fileURLWithPath: path))
            } else {
                try FileManager.default.copyItem(atPath: copy, toPath: folder["new"])
                #expect(rename(folder["new"], path) == 0)
            }
        }
    }

    // MARK: The feed's view

    /// A run begins.
    ///
    /// - Returns: where a new feed begins; nil for one that has begun.
    func begin(after position: FeedReport.Position?) throws -> FeedReport.Position? {
        reader = WebhookNoticeReader(
            directory, after: position.map { WebhookPosition(number: $0.number, spool: $0.source) })
        guard position == nil else { return nil }
        try reader.start()
        return self.position
    }

    private var position: FeedReport.Position? {
        reader.position.map { FeedReport.Position(number: $0.number, source: $0.spool) }
    }

    func report() -> FeedReport {
        do {
            let before = position
            let (notices, isGapped) = try reader.next()
            if isGapped { gaps += 1 }
            let hints = notices.map { notice -> FeedHint in
                notice.isDeletion
                    ? .deleted(resource: notice.list, id: notice.id, at: notice.time ?? 0)
                    : .changed(resource: notice.list, at: notice.time)
            }
            return FeedReport(hints, position: position == before ? nil : position, isGapped: isGapped)
        } catch {
            Issue.record(error)
            return FeedReport(isGapped: true)
        }
    }
}
