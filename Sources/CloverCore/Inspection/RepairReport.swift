import CloverRecords
import Synchronization

/// Counts what was not UTF-8 in records, and was replaced by U+FFFD.
final class RepairReport: Sendable {
    private let counts = Mutex((records: 0, sequences: 0))

    func note(_ batch: RecordBatch) {
        let repaired = batch.records.filter { $0.replacements > 0 }
        guard !repaired.isEmpty else { return }
        counts.withLock { counts in
            counts.records += repaired.count
            counts.sequences += repaired.reduce(0) { $0 + $1.replacements }
        }
    }

    /// Says it once, unless the user wants it quiet.
    func show(_ diagnostics: Diagnostics) {
        let (records, sequences) = counts.withLock(\.self)
        guard records > 0 else { return }
        var line = JSONLine()
        line.add("records", Int64(records))
        line.add("sequences", Int64(sequences))
        diagnostics.report(
            "\(records == 1 ? "1 record has" : "\(records) records have") bytes that are not UTF-8; U+FFFD replaces "
                + (sequences == 1 ? "them in 1 place" : "them in \(sequences) places"),
            json: "{\"replaced\":\(line.text)}", from: .normal)
    }
}
