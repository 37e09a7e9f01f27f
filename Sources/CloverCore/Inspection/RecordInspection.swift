import CloverAPI
import CloverRecords

/// What is done with records between the service and the filter: they are compared with their model as they were sent,
/// and then their sensitive fields are masked, so that no filter gets at them.
struct RecordInspection: Sendable {
    /// Nil where sensitive fields may be shown.
    private let masker: RecordMasker?
    private let strays: StrayReport?
    private let diagnostics: Diagnostics

    /// - Parameters:
    ///   - path: what the records are read from, or the answer of a write comes from.
    ///   - isEnvelope: a list comes as one record, `{"elements":[...]}`.
    ///   - showsSensitive: nothing is masked.
    ///   - validates: records are compared with their model.
    /// - Throws: `CoreError.noModel` when there is nothing to compare with.
    init(
        _ path: ResourcePath, isEnvelope: Bool, showsSensitive: Bool, validates: Bool,
        _ diagnostics: Diagnostics
    ) throws(CoreError) {
        masker = showsSensitive ? nil : RecordMasker(path.endpoint, isEnvelope: isEnvelope)
        strays = validates ? try StrayReport(path, diagnostics) : nil
        self.diagnostics = diagnostics
    }

    /// The records as they may be printed.
    func pass(_ batch: RecordBatch) throws(CoreError) -> RecordBatch {
        strays?.check(batch)
        guard let masker else { return batch }
        do throws(RecordMasker.Unreadable) {
            return try masker.masked(batch)
        } catch {
            throw .unmaskable(id: error.id, offset: error.offset)
        }
    }

    /// Says, once, what was found and what was masked.
    func finish() {
        strays?.finish()
        guard let report = masker?.report, report.records > 0 else { return }
        let fields = report.fields.sorted()
        var line = JSONLine()
        line.add("records", Int64(report.records))
        line.add("fields", fields)
        line.add("hint", "--show-sensitive shows them")
        diagnostics.report(
            "masked in \(report.records == 1 ? "1 record" : "\(report.records) records"): "
                + fields.joined(separator: ", ") + "; --show-sensitive shows them",
            json: "{\"masked\":\(line.text)}", from: .normal)
    }
}
