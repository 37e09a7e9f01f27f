package import CloverAPI
package import CloverExport
import CloverHTTP
package import CloverJSON
import CloverSystem

/// Where the records of one list come from.
package protocol FeedSource: Sendable {
    /// Reads what a poll asks for, page by page.
    ///
    /// - Parameters:
    ///   - now: this machine's time, in milliseconds since 1970.
    ///   - deliver: receives the records in the service's order; `.stop` ends the reading.
    /// - Throws: if anything that was asked for did not come.
    mutating func read(
        _ poll: FeedPoll, at now: Int64, deliver: ([SeenRecord]) async throws -> RecordFlow
    ) async throws -> FeedCost

    /// Whether single records can be asked for.
    var looksUpRecords: Bool { get }

    /// Whether a record that was reported as deleted, or did not come, is not there any more, or says that it is deleted.
    ///
    /// - Throws: if that cannot be found out.
    func isGone(_ id: String) async throws -> Bool
}

extension FeedSource {
    package var looksUpRecords: Bool { true }
}

/// What a reading cost.
package struct FeedCost: Sendable, Equatable {
    package var requests: Int
    /// Seconds that the requests waited for the budget that all processes share, and between retries.
    package var secondsWaited: Double

    package init(requests: Int, secondsWaited: Double = 0) {
        self.requests = requests
        self.secondsWaited = secondsWaited
    }
}

/// A list of the service.
package struct ServiceFeedSource: FeedSource {
    private let resource: ResourcePlan
    private let rules: FeedRules
    private let client: ServiceClient
    private let mask: @Sendable (RecordBatch) throws -> RecordBatch
    private let incomplete: @Sendable (RecordPager.Summary) -> any Error
    /// Creation time of the list's oldest record, once it was looked up.
    private var beginning: Int64?
    private var largestPage = 0

    /// - Parameters:
    ///   - mask: makes of records what is delivered; it keeps their number and order.
    ///   - incomplete: the error of a reading that does not prove to be complete.
    package init(
        _ resource: ResourcePlan, _ rules: FeedRules, _ client: ServiceClient,
        mask: @escaping @Sendable (RecordBatch) throws -> RecordBatch,
        incomplete: @escaping @Sendable (RecordPager.Summary) -> any Error
    ) {
        self.resource = resource
        self.rules = rules
        self.client = client
        self.mask = mask
        self.incomplete = incomplete
    }

    package mutating func read(
        _ poll: FeedPoll, at now: Int64, deliver: ([SeenRecord]) async throws -> RecordFlow
    ) async throws -> FeedCost {
        let before = client.statistics
        var oldest: Int64?
        if resource.isReadFromBeginning, poll.from != nil {
            if poll.isDeep {
                if beginning == nil { beginning = try await resource.beginning(client).instant }
                oldest = beginning
            } else {
                oldest = now - FeedStream.recent
            }
        }
        // The end is open: what is newer than this machine's clock counts, too.
        let end = max(now, poll.from ?? now) + Self.openEnd
        let window = PlannedWindow(field: poll.from == nil ? nil : rules.changeField, from: poll.from, to: end)
        var hasStopped = false
        let summary = try await resource.read(
            window, from: client, start: now, beginning: oldest, largestPage: &largestPage,
            // After a short reading, a usual one still finds what it missed.
            provesEnd: !poll.isShort
        ) { [mask, rules] batch in
            let flow = try await deliver(SeenRecord.all(in: batch, shown: try mask(batch), rules))
            hasStopped = flow == .stop
            return flow
        }
        guard summary.isWhole || hasStopped else { throw incomplete(summary) }
        let after = client.statistics
        return FeedCost(
            requests: after.requests - before.requests, secondsWaited: after.secondsWaited - before.secondsWaited)
    }

    package var looksUpRecords: Bool { EndpointCatalogue.operation(typed: "\(resource.path.encoded)/ID") != nil }

    package func isGone(_ id: String) async throws -> Bool {
        let url = client.url(path: "\(resource.path.encoded)/\(PercentCoding.encode(id))", query: "")
        var attempt = ServiceClient.Attempt()
        while true {
            let body: [UInt8]
            do {
                body = try await client.object(of: url, limit: Self.sizeLimit, attempt: &attempt)
            } catch ServiceError.notFound {
                return true
            }
            var batch = RecordBatch()
            do throws(PageError) {
                var scanner = PageScanner(expecting: .oneObject)
                try scanner.scan(body, into: &batch)
                try scanner.finish(into: &batch)
            } catch {
                try await client.recover(from: error, url: url, attempt: &attempt)
                continue
            }
            guard let record = SeenRecord.all(in: batch, shown: batch, rules).first, record.id == id else {
                throw ServiceError.unreadable(.noRecord, url: Redaction.url(url), retries: attempt.retries)
            }
            return record.isDeleted
        }
    }

    /// Maximum size of one record in bytes.
    private static let sizeLimit = 16 << 20
    /// A day.
    private static let openEnd: Int64 = 86_400_000
}

extension FeedRules {
    /// The rules of a resource.
    package init(of resource: ResourcePlan, overlap: Int64, completeEvery: Int64? = nil) {
        let field = resource.tracking.field
        var creation: String?
        if let endpoint = resource.path.endpoint, let name = endpoint.timeField,
            ModelCatalogue.model(named: endpoint.model ?? "")?.field(named: name) != nil
        {
            creation = name
        }
        self.init(
            changeField: field, creationField: creation, isWindowed: field != nil && resource.isReadFromBeginning,
            overlap: overlap, completeEvery: completeEvery)
    }
}
