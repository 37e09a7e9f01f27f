/// Writes records unchanged, one per line or as one JSON array.
package actor PassThrough: RecordFilter {
    private let output: RecordOutput
    private let slurps: Bool
    private var report = FilterReport()
    private var last: [UInt8] = []

    /// - Parameter slurp: writes one array of all records on one line, instead of one line per record.
    package init(output: RecordOutput, slurp: Bool = false) {
        self.output = output
        slurps = slurp
    }

    package func consume(_ batch: RecordBatch) async throws -> RecordFlow {
        try Task.checkCancellation()
        guard let lastRecord = batch.records.last else { return .more }
        // Only `null` and `false` matter later, and they are short.
        last = Array(batch.bytes[lastRecord.range].prefix(6))
        if slurps {
            try await output.writeBehind(joined(batch))
        } else {
            try await output.writeBehind(batch.bytes)
        }
        report.results += batch.records.count
        return .more
    }

    /// Records are already written. An array stays without its closing bracket, so that it is not mistaken for
    /// complete.
    package func breakOff() async throws {
        try await output.finishWriting()
    }

    package func finish() async throws -> FilterReport {
        try Task.checkCancellation()
        try await output.finishWriting()
        if report.results > 0 {
            report.lastResult = last == Array("null".utf8) || last == Array("false".utf8) ? .falsy : .truthy
        }
        if slurps {
            try await output.write(Array((report.results == 0 ? "[]\n" : "]\n").utf8))
            report.results = 1
            report.lastResult = .truthy
        }
        return report
    }

    /// The batch as a part of the array: a bracket or comma before each record instead of the newline after it.
    private func joined(_ batch: RecordBatch) -> [UInt8] {
        var piece: [UInt8] = []
        piece.reserveCapacity(batch.bytes.count)
        for (index, record) in batch.records.enumerated() {
            piece.append(UInt8(ascii: report.results + index == 0 ? "[" : ","))
            piece.append(contentsOf: batch.bytes[record.range])
        }
        return piece
    }
}
