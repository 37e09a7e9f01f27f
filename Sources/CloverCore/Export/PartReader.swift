import CloverAPI
import CloverExport
import CloverHTTP
import CloverRecords

/// Gets the entries of a part from records that have to be asked for them, one by one, in the records' order.
struct PartReader: Sendable {
    private let part: ExportPart
    private let resource: ResourcePlan
    private let merchant: ExportMerchant
    /// The end of the time that is read, in milliseconds since 1970: that of the run that began first.
    private let now: Int64
    private let inspection: RecordInspection?

    /// Records that are asked ahead of the one whose entries are written.
    private static let ahead = 4

    init(
        _ part: ExportPart, _ request: ExportRequest, _ resource: ResourcePlan, _ merchant: ExportMerchant, now: Int64,
        in environment: CommandEnvironment
    ) throws {
        self.part = part
        self.resource = resource
        self.merchant = merchant
        self.now = now
        inspection =
            part.asksWhereMissing
            ? try RecordInspection(
                Self.path(part, of: "-", resource, merchant), isEnvelope: false,
                showsSensitive: request.showsSensitive, validates: false, environment.diagnostics)
            : nil
    }

    /// Gives the entries of all pieces to `deliver`.
    ///
    /// - Parameter onAsked: gets those that were asked for, as they are delivered.
    /// - Returns: what is missing; nil for nothing.
    func read(
        _ pieces: [ExportPart.Piece], onAsked: (RecordBatch) -> Void, deliver: (RecordBatch) async throws -> Void
    ) async throws -> CoreError? {
        let parents = pieces.compactMap { if case .ask(let id) = $0 { id } else { nil } }
        return try await withThrowingTaskGroup(of: (Int, RecordBatch?).self) { group in
            defer { group.cancelAll() }
            var problem: CoreError?
            var asked = 0
            var place = 0
            var answers: [Int: RecordBatch?] = [:]
            for piece in pieces {
                guard case .ask(let id) = piece else {
                    if case .entries(let entries) = piece { try await deliver(entries) }
                    continue
                }
                while asked < min(parents.count, place + Self.ahead) {
                    let (next, parent) = (asked, parents[asked])
                    group.addTask { (next, try await firstPage(of: parent)) }
                    asked += 1
                }
                while answers[place] == nil, let (number, answer) = try await group.next() { answers[number] = answer }
                if let whole = answers.removeValue(forKey: place) ?? nil {
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

    /// Says, once, what was masked in what was asked for.
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

    /// The entries of a record when they are fewer than a page; nil when they are read page by page as they are written,
    /// because they may be any number.
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

    /// - Returns: nil for a record that is gone, and its entries with it.
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

    /// Whether the record was deleted since it was listed.
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
