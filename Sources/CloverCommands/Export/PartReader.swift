import CloverAPI
import CloverCore
import CloverExport
import CloverHTTP
import CloverJSON
import CloverOutput

extension ExportPart {
    /// Entries of a part in the order of their records.
    enum Piece: Sendable {
        /// Entries, each with its record's id as first member: `"parentId":"ID"`.
        case entries(RecordBatch)
        /// The entries of the record with this id have to be requested.
        case ask(id: String)
    }

    /// Moves the list out of the records.
    ///
    /// - Returns: the records without it, and its entries.
    func split(_ batch: RecordBatch) -> (records: RecordBatch, pieces: [Piece]) {
        var records = RecordBatch()
        var pieces: [Piece] = []
        var entries = RecordBatch()
        for record in batch.records {
            let id = batch.id(of: record)
            let found = member.flatMap { batch.removing(list: $0, from: record, prefix: Self.prefix(id)) }
            if let found, !staysInRecord {
                found.record.withUnsafeBytes { records.append($0) }
            } else {
                records.append(record, of: batch)
            }
            if let found {
                for entry in found.entries.records { entries.append(entry, of: found.entries) }
            } else if requestsIfMissing, let id {
                if !entries.isEmpty { pieces.append(.entries(entries)) }
                entries = RecordBatch()
                pieces.append(.ask(id: id))
            }
        }
        if !entries.isEmpty { pieces.append(.entries(entries)) }
        return (records, pieces)
    }

    private static let parent = "parentId"

    /// Whether the field of an output is the id of an entry's record, which is not in the entry's model.
    ///
    /// - Parameter output: `RESOURCE` or `RESOURCE.PART`.
    static func isParent(_ field: FieldPath, of output: String) -> Bool {
        field.text == parent && output.contains(".")
    }

    /// The schema of its entries, which begin with the id of their record.
    var schema: RecordSchema {
        get throws {
            var schema = try RecordSchema.of(model: model)
            if !schema.columns.isEmpty {
                schema.columns.insert(RecordColumn(try FieldPath(parsing: Self.parent)), at: 0)
            }
            return schema
        }
    }

    /// What each entry begins with.
    fileprivate static func prefix(_ id: String?) -> [UInt8] {
        Array("{\"\(parent)\":\(id.map { JSONString.quoted($0) } ?? "null")".utf8)
    }
}

/// Reads the entries of a part in the order of their records. Entries that did not come with a record are requested for
/// each record.
struct PartReader: Sendable {
    private let part: ExportPart
    private let resource: ResourcePlan
    private let merchant: ExportMerchant
    /// End of the range, in milliseconds since 1970: the start of the run that made the plan.
    private let now: Int64
    private var inspection: RecordInspection?

    /// Number of records whose entries are requested ahead.
    private static let prefetchCount = 4

    init(_ part: ExportPart, of window: WindowExport) throws {
        self.part = part
        resource = window.resource
        merchant = window.merchant
        now = window.plan.startedAt
        inspection = nil
        guard part.requestsIfMissing else { return }
        inspection = try RecordInspection(
            path(below: ["-", part.name]), isEnvelope: false, showsSensitive: window.request.showsSensitive,
            validates: false, window.environment.diagnostics)
    }

    /// Passes the entries of all pieces to `deliver`.
    ///
    /// - Parameter onAsked: also receives the entries that were requested record by record, before they are delivered.
    /// - Returns: what is missing; nil when nothing is.
    func read(
        _ pieces: [ExportPart.Piece], onAsked: (RecordBatch) -> Void, deliver: (RecordBatch) async throws -> Void
    ) async throws -> CoreError? {
        let parents = pieces.compactMap { if case .ask(let id) = $0 { id } else { nil } }
        return try await withThrowingTaskGroup(of: (Int, RecordBatch?).self) { group in
            defer { group.cancelAll() }
            var problem: CoreError?
            var asked = 0
            var place = 0
            var firstPages: [Int: RecordBatch?] = [:]
            for piece in pieces {
                guard case .ask(let id) = piece else {
                    if case .entries(let entries) = piece { try await deliver(entries) }
                    continue
                }
                while asked < min(parents.count, place + Self.prefetchCount) {
                    let (next, parent) = (asked, parents[asked])
                    group.addTask { (next, try await firstPage(of: parent)) }
                    asked += 1
                }
                while firstPages[place] == nil, let (number, page) = try await group.next() {
                    firstPages[number] = page
                }
                if let whole = firstPages.removeValue(forKey: place) ?? nil {
                    try await pass(whole, of: id, onAsked, deliver)
                } else {
                    let missing = try await readAll(of: id) { try await pass($0, of: id, onAsked, deliver) }
                    problem = problem ?? missing
                }
                place += 1
            }
            return problem
        }
    }

    /// Reports once what was masked in the requested entries.
    func finish() { inspection?.finish() }

    private func pass(
        _ entries: RecordBatch, of id: String, _ onAsked: (RecordBatch) -> Void,
        _ deliver: (RecordBatch) async throws -> Void
    ) async throws {
        guard !entries.isEmpty else { return }
        let tagged = try (inspection?.pass(entries) ?? entries).prefixed(by: ExportPart.prefix(id))
        onAsked(tagged)
        try await deliver(tagged)
    }

    /// The entries of a record when they fit on one page; nil when there may be more, which are then read page by page as
    /// they are written.
    private func firstPage(of id: String) async throws -> RecordBatch? {
        let path = try path(below: [id, part.name])
        guard HistoryLimit.rule(of: path, for: RecordQuery()) == nil else { return nil }
        var entries = RecordBatch()
        let plan = PagePlan(offset: 0, limit: path.pageSize, pageSize: path.pageSize)
        let summary = try await read(path, plan, of: id) { batch in
            for record in batch.records { entries.append(record, of: batch) }
        }
        return summary?.mayHaveMore == true ? nil : entries
    }

    private func readAll(
        of id: String, _ deliver: (RecordBatch) async throws -> Void
    ) async throws -> CoreError? {
        let path = try path(below: [id, part.name])
        let plan = PagePlan(offset: 0, limit: nil, pageSize: path.pageSize)
        guard let summary = try await read(path, plan, of: id, deliver) else { return nil }
        return ResourcePlan.problem(summary, of: path, RecordQuery(), now: now)
    }

    /// - Returns: nil for a record that was deleted with its entries.
    private func read(
        _ path: ResourcePath, _ plan: PagePlan, of id: String, _ deliver: (RecordBatch) async throws -> Void
    ) async throws -> RecordPager.Summary? {
        let pager = RecordPager(client: merchant.client, path: path, query: RecordQuery(), isChecked: true, now: now)
        do {
            return try await pager.run(plan: plan) { batch in
                try await deliver(batch)
                return .more
            }
        } catch ServiceError.notFound(let url, let message) {
            guard try await isGone(id) else { throw ServiceError.notFound(url: url, message: message) }
            return nil
        }
    }

    /// Whether the record was deleted after it was listed.
    private func isGone(_ id: String) async throws -> Bool {
        let path = try path(below: [id])
        var attempt = ServiceClient.Attempt()
        do {
            let response = try await merchant.client.get(
                merchant.client.url(path: path.encoded, query: ""), attempt: &attempt)
            response.body.cancel()
            return false
        } catch ServiceError.notFound {
            return true
        }
    }

    private func path(below segments: [String]) throws -> ResourcePath {
        if let path = resource.path.appending(segments) { return path }
        let url = Redaction.url(merchant.client.url(of: resource.path, query: ""))
        throw ServiceError.unreadable(.unusableID(segments.first ?? ""), url: url, retries: 0)
    }
}
