import CloverAPI
import CloverCalendar
import CloverHTTP
import CloverJSON
import Foundation

/// What a pager delivered, and what it asked for.
struct ReadRun {
    var ids: [String]
    var records: [String]
    var summary: RecordPager.Summary
    var urls: [String]

    /// Reads a path of merchant M1 to its end, or to a limit.
    static func read(
        _ transport: ScriptedTransport, path: String = "items", query: RecordQuery = RecordQuery(),
        plan: PagePlan? = PagePlan(offset: 0, limit: nil, pageSize: 10), now: Int64 = 0, retries: Int = 5
    ) async throws -> ReadRun {
        let resolved = try ResourcePath(parsing: path, identifier: nil, merchantID: "M1", isChecked: true)
        let client = try ServiceClient.scripted(transport, retries: retries)
        let pager = RecordPager(client: client, path: resolved, query: query, isChecked: true, now: now)
        var batches = RecordBatch()
        let summary = try await pager.run(plan: plan) { batch in
            for record in batch.records {
                batch.bytes.withUnsafeBytes { bytes in
                    batches.append(UnsafeRawBufferPointer(rebasing: bytes[record.range]))
                }
            }
            return .more
        }
        return ReadRun(
            ids: batches.records.map { batches.id(of: $0) ?? "-" },
            records: batches.records.map { String(decoding: batches.bytes[$0.range], as: UTF8.self) },
            summary: summary, urls: transport.urls)
    }

    static func filters(_ texts: String..., now: Int64 = 0) throws -> RecordQuery {
        var query = RecordQuery()
        query.filters = try texts.map {
            try FilterExpression(parsing: $0, times: TimeExpression.Context(now: now, zone: .utc))
        }
        return query
    }
}

extension String {
    /// The decoded values of a query item of this URL, in order.
    func values(of name: String) -> [String] {
        (URLComponents(string: self)?.queryItems ?? []).filter { $0.name == name }.compactMap(\.value)
    }
}
