package import CloverJSON

/// Processes records on their way to the output, in order.
///
/// Call `consume` for each batch, from one task at a time, then `finish` once. After an error or a cancellation, call
/// neither again.
package protocol RecordFilter: Sendable {
    /// Processes the next batch of the stream.
    ///
    /// Suspends while too much is queued, so that memory stays bounded.
    /// - Returns: `.stop` if further records do not matter: stop fetching and call `finish`.
    /// - Throws: an error of the output or the filter, from this call or an earlier one; `CancellationError`.
    func consume(_ batch: RecordBatch) async throws -> RecordFlow

    /// Ends the stream: completes and writes everything that is pending.
    func finish() async throws -> FilterReport

    /// Ends an incomplete stream. Results of single records are written and flushed; a result over all of them, such as
    /// a sum, is not, because it would look like the real one. Throws if the program does not compile.
    func breakOff() async throws
}

/// The results of a filter, available when it has finished.
package struct FilterReport: Sendable, Equatable {
    /// The truth value of the last result, as used by jq's `--exit-status`.
    package enum LastResult: Sendable, Equatable {
        case none
        /// `false` or `null`.
        case falsy
        case truthy
    }

    /// How a program ended the run.
    package struct Halt: Sendable, Equatable {
        /// The exit status that the program requested: 0 for `halt`, 5 or the given number for `halt_error`.
        package var status: Int32
        /// The message for standard error, written unchanged: a string as is, another value as JSON with a newline.
        package var message: [UInt8]

        package init(status: Int32, message: [UInt8]) {
            self.status = status
            self.message = message
        }
    }

    package var results: Int
    package var failures: Int
    package var lastResult: LastResult
    /// Set when the program used `halt` or `halt_error`.
    package var halt: Halt?

    package init(results: Int = 0, failures: Int = 0, lastResult: LastResult = .none, halt: Halt? = nil) {
        self.results = results
        self.failures = failures
        self.lastResult = lastResult
        self.halt = halt
    }
}

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
