import CloverAPI
import CloverExport
import CloverHTTP
import CloverJSON

/// A list that belongs to each record and is exported completely, as a separate resource (`--with`).
///
/// A list that Clover expands inside the records is read with them, and entries beyond its cut at 100 are fetched
/// (Clover: paginating elements). Any other list is requested record by record.
struct ExportPart: Sendable {
    /// Name that the user types: `line_items`.
    let name: String
    /// Member of the record, and the expansion that adds it: `lineItems`; nil for a list that has to be requested.
    let member: String?
    /// Endpoint of a record's entries; nil when the catalogue has none.
    let endpoint: Endpoint?
    /// Model of an entry; nil when unknown.
    let model: String?
    /// Whether the records keep the list, too.
    let staysInRecord: Bool
    /// Whether to request the list for a record without it: an empty list looks the same as an expansion that the
    /// service silently ignored. Only for resources that are exported in full, which have few records.
    let requestsIfMissing: Bool

    /// Nil when the resource has no list of that name.
    init?(_ name: String, of path: ResourcePath, expand: [String], tracking: ChangeTracking) {
        let owner = Self.owner(path)
        let inside = Self.expandableLists(path)
        let beside = EndpointCatalogue.lists(ofEach: path)
        let wanted = name.filter { $0 != "_" }.lowercased()
        if let member = inside.first(where: { $0.lowercased() == wanted }) {
            self.name = Self.snakeCase(member)
            self.member = member
            let endpoint = EndpointCatalogue.endpoint(at: path.segments + ["-", Self.snakeCase(member)])
            self.endpoint = endpoint
            model = endpoint?.model ?? owner?.field(named: member)?.type.nestedModel
            requestsIfMissing = tracking == .whole && endpoint?.shape == .list
        } else if let name = beside.first(where: { $0.filter { $0 != "_" } == wanted }) {
            self.name = name
            member = nil
            let endpoint = EndpointCatalogue.endpoint(at: path.segments + ["-", name])
            self.endpoint = endpoint
            model = endpoint?.model
            requestsIfMissing = true
        } else {
            return nil
        }
        staysInRecord = member.map { expand.contains($0) } ?? true
    }

    /// Names of a resource's lists that a user can type.
    static func names(of path: ResourcePath) -> [String] {
        Set(expandableLists(path).map(snakeCase) + EndpointCatalogue.lists(ofEach: path)).sorted()
    }

    /// Model of the records.
    private static func owner(_ path: ResourcePath) -> Model? {
        path.endpoint?.model.flatMap { ModelCatalogue.model(named: $0) }
    }

    /// Expansions that add a list to each record.
    private static func expandableLists(_ path: ResourcePath) -> [String] {
        let owner = owner(path)
        return (path.endpoint?.expandable ?? []).filter { expansion in
            guard let field = owner?.field(named: expansion) else { return false }
            if case .list = field.type { return true }
            return false
        }
    }

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
                batch.bytes.withUnsafeBytes { records.append(UnsafeRawBufferPointer(rebasing: $0[record.range])) }
            }
            if let found {
                found.entries.bytes.withUnsafeBytes { bytes in
                    for entry in found.entries.records {
                        entries.append(UnsafeRawBufferPointer(rebasing: bytes[entry.range]))
                    }
                }
            } else if requestsIfMissing, let id {
                if !entries.isEmpty { pieces.append(.entries(entries)) }
                entries = RecordBatch()
                pieces.append(.ask(id: id))
            }
        }
        if !entries.isEmpty { pieces.append(.entries(entries)) }
        return (records, pieces)
    }

    /// Adds their record's id to requested entries, as first member.
    static func tagged(_ entries: RecordBatch, parent id: String) -> RecordBatch {
        let prefix = prefix(id)
        var result = RecordBatch()
        entries.bytes.withUnsafeBytes { bytes in
            for entry in entries.records {
                RecordBatch.prefixed(UnsafeRawBufferPointer(rebasing: bytes[entry.range]), with: prefix)
                    .withUnsafeBytes { result.append($0) }
            }
        }
        return result
    }

    private static func prefix(_ id: String?) -> [UInt8] {
        Array("{\"parentId\":\(id.map { JSONString.quoted($0) } ?? "null")".utf8)
    }

    private static func snakeCase(_ name: String) -> String {
        name.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
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
    private let inspection: RecordInspection?

    /// Number of records whose entries are requested ahead.
    private static let prefetchCount = 4

    init(
        _ part: ExportPart, _ request: ExportRequest, _ resource: ResourcePlan, _ merchant: ExportMerchant, now: Int64,
        in environment: CommandEnvironment
    ) throws {
        self.part = part
        self.resource = resource
        self.merchant = merchant
        self.now = now
        inspection =
            part.requestsIfMissing
            ? try RecordInspection(
                Self.path(part, of: "-", resource, merchant), isEnvelope: false,
                showsSensitive: request.showsSensitive, validates: false, environment.diagnostics)
            : nil
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
        let tagged = ExportPart.tagged(try inspection?.pass(entries) ?? entries, parent: id)
        onAsked(tagged)
        try await deliver(tagged)
    }

    /// The entries of a record when they fit on one page; nil when there may be more, which are then read page by page as
    /// they are written.
    private func firstPage(of id: String) async throws -> RecordBatch? {
        let path = try Self.path(part, of: id, resource, merchant)
        guard HistoryLimit.rule(of: path, for: RecordQuery()) == nil else { return nil }
        var entries = RecordBatch()
        let size = Self.pageSize(path)
        let summary = try await read(path, PagePlan(offset: 0, limit: size, pageSize: size), of: id) { batch in
            batch.bytes.withUnsafeBytes { bytes in
                for record in batch.records { entries.append(UnsafeRawBufferPointer(rebasing: bytes[record.range])) }
            }
        }
        return summary?.mayHaveMore == true ? nil : entries
    }

    private func readAll(
        of id: String, _ deliver: (RecordBatch) async throws -> Void
    ) async throws -> CoreError? {
        let path = try Self.path(part, of: id, resource, merchant)
        let plan = PagePlan(offset: 0, limit: nil, pageSize: Self.pageSize(path))
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
        let path = try ResourcePath(
            parsing: "/" + (resource.path.segments + [id]).joined(separator: "/"), identifier: nil,
            merchantID: merchant.merchantID, isChecked: false)
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

    private static func path(
        _ part: ExportPart, of id: String, _ resource: ResourcePlan, _ merchant: ExportMerchant
    ) throws(QueryError) -> ResourcePath {
        try ResourcePath(
            parsing: "/" + (resource.path.segments + [id, part.name]).joined(separator: "/"), identifier: nil,
            merchantID: merchant.merchantID, isChecked: true)
    }

    private static func pageSize(_ path: ResourcePath) -> Int { path.endpoint?.maximumPage ?? 1000 }
}
