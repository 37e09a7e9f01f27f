import CloverJSON

/// Scans whole pages for tests, in chunks of a given size or cut at given places.
struct PageScan {
    var shape = PageScanner.Shape.list
    var elements = PageScanner.Elements.anything

    /// The records as text, with the newline that follows each replaced by nothing.
    func records(of chunks: [[UInt8]]) throws(PageError) -> [String] {
        var scanner = PageScanner(expecting: shape, elements: elements)
        var batch = RecordBatch()
        for chunk in chunks { try scanner.scan(chunk, into: &batch) }
        try scanner.finish(into: &batch)
        return Self.texts(of: batch)
    }

    func records(of page: String) throws(PageError) -> [String] {
        try records(of: [Array(page.utf8)])
    }

    static func texts(of batch: RecordBatch) -> [String] {
        batch.records.map { String(decoding: batch.bytes[$0.range], as: UTF8.self) }
    }

    /// The page in pieces of `size` bytes.
    static func chunks(of page: [UInt8], size: Int) -> [[UInt8]] {
        stride(from: 0, to: page.count, by: size).map { Array(page[$0..<min($0 + size, page.count)]) }
    }
}
