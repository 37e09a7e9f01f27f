import CloverTestSupport

/// A scripted list of records, served in pages as the service does it.
struct ServedList: Sendable {
    let records: [String]

    /// The page that a request asks for: 100 records when it does not say, 1000 at most.
    func page(for request: LoopbackRequest) -> [String] {
        let limit = min(request.values(of: "limit").first.flatMap { Int($0) } ?? 100, 1000)
        let offset = request.values(of: "offset").first.flatMap { Int($0) } ?? 0
        return Array(records.dropFirst(offset).prefix(limit))
    }

    func answer(to request: LoopbackRequest) -> LoopbackResponse { LoopbackResponse(body: body(for: request)) }

    func body(for request: LoopbackRequest) -> [UInt8] { LoopbackResponse.envelope(page(for: request)) }

    /// What stdout has to be when every record is delivered as it is.
    var lines: String { records.map { $0 + "\n" }.joined() }
}
