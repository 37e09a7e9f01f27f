import CloverAPI
import CloverRecords

/// What is done with records between the service and the filter: they are compared with their model as they were sent,
/// and then their sensitive fields are masked, so that no filter gets at them. A token or secret of the run itself is
/// masked in any case.
struct RecordInspection: Sendable {
    private let masker: RecordMasker
    private let strays: StrayReport?
    private let repairs = RepairReport()
    private let diagnostics: Diagnostics

    /// - Parameters:
    ///   - path: what the records are read from, or the answer of a write comes from.
    ///   - isEnvelope: a list comes as one record, `{"elements":[...]}`.
    ///   - showsSensitive: sensitive fields are not masked.
    ///   - validates: records are compared with their model.
    /// - Throws: `CoreError.noModel` when there is nothing to compare with.
    init(
        _ path: ResourcePath, isEnvelope: Bool, showsSensitive: Bool, validates: Bool,
        _ diagnostics: Diagnostics
    ) throws(CoreError) {
        masker = RecordMasker(
            path.endpoint, isEnvelope: isEnvelope, secrets: diagnostics.mask, showsFields: showsSensitive)
        strays = validates ? try StrayReport(path, diagnostics) : nil
        self.diagnostics = diagnostics
    }

    /// The records as they may be printed.
    func pass(_ batch: RecordBatch) throws(CoreError) -> RecordBatch {
        strays?.check(batch)
        repairs.note(batch)
        do throws(RecordMasker.Unreadable) {
            return try masker.masked(batch)
        } catch {
            throw .unmaskable(id: error.id, offset: error.offset)
        }
    }

    /// Says, once, what was found, what was replaced and what was masked.
    func finish() {
        strays?.finish()
        repairs.show(diagnostics)
        let report = masker.report
        MaskNotice(count: report.records, "record", fields: report.fields)?.show(diagnostics)
    }
}
