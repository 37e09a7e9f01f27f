import CloverJSON
import CloverOutput

/// Passes records on in pages, `{"elements":[...]}`, as a service with pages of this size would return them. An empty list
/// is one empty page.
actor PageEnvelopes: RecordFilter {
    private let inner: any RecordFilter
    private let size: Int
    private var waiting = RecordBatch()
    private var hasPassed = false

    /// - Parameter size: records on a page.
    init(into inner: any RecordFilter, size: Int) {
        self.inner = inner
        self.size = size
    }

    func consume(_ batch: RecordBatch) async throws -> RecordFlow {
        for record in batch.records {
            batch.bytes.withUnsafeBytes { waiting.append(UnsafeRawBufferPointer(rebasing: $0[record.range])) }
            if waiting.records.count == size, try await passPage() == .stop { return .stop }
        }
        return .more
    }

    func finish() async throws -> FilterReport {
        if !waiting.isEmpty || !hasPassed { _ = try await passPage() }
        return try await inner.finish()
    }

    func breakOff() async throws {
        if !waiting.isEmpty { _ = try await passPage() }
        try await inner.breakOff()
    }

    private func passPage() async throws -> RecordFlow {
        let page = Self.page(of: waiting, named: "elements")
        waiting = RecordBatch()
        hasPassed = true
        return try await inner.consume(page)
    }

    /// One record that holds these records as a list.
    static func page(of batch: RecordBatch, named name: String) -> RecordBatch {
        var bytes = Array("{\"\(name)\":[".utf8)
        bytes.reserveCapacity(bytes.count + batch.bytes.count + 2)
        for (index, record) in batch.records.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += batch.bytes[record.range]
        }
        bytes += Array("]}".utf8)
        var page = RecordBatch()
        bytes.withUnsafeBytes { page.append($0, replacements: batch.records.reduce(0) { $0 + $1.replacements }) }
        return page
    }
}
