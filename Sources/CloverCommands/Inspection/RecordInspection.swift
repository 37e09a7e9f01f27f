import CloverAPI
import CloverCore
import CloverJSON
import Synchronization

/// Inspects records between the service and the filter: compares them with their model as received, then masks sensitive
/// fields, so that no filter sees them. The run's own tokens and secrets are always masked.
struct RecordInspection: Sendable {
    private let masker: RecordMasker
    private let strays: ValidationReport?
    private let repairs = EncodingRepairReport()
    private let diagnostics: Diagnostics

    /// - Parameters:
    ///   - path: path of the records or of the write.
    ///   - isEnvelope: whether a list is one record, `{"elements":[...]}`.
    ///   - showsSensitive: whether to leave sensitive fields unmasked.
    ///   - validates: whether to compare records with their model.
    ///   - acceptsNull: whether any field may be null, as with `return_null_fields=true`.
    /// - Throws: `CoreError.noModel` when there is no model to compare with.
    init(
        _ path: ResourcePath, isEnvelope: Bool, showsSensitive: Bool, validates: Bool, acceptsNull: Bool = false,
        _ diagnostics: Diagnostics
    ) throws(CoreError) {
        masker = RecordMasker(
            path.endpoint, isEnvelope: isEnvelope, secrets: diagnostics.mask, showsFields: showsSensitive)
        strays = validates ? try ValidationReport(path, acceptsNull: acceptsNull, diagnostics) : nil
        self.diagnostics = diagnostics
    }

    /// Returns the records as they may be printed.
    func pass(_ batch: RecordBatch) throws(CoreError) -> RecordBatch {
        strays?.check(batch)
        repairs.note(batch)
        do throws(RecordMasker.Unreadable) {
            return try masker.masked(batch)
        } catch {
            throw .unmaskable(id: error.id, offset: error.offset)
        }
    }

    /// Reports once what was found, replaced and masked.
    func finish() {
        strays?.finish()
        repairs.show(diagnostics)
        let report = masker.report
        diagnostics.reportMasked(report.records, "record", fields: report.fields)
    }
}

/// `--validate`: reports on standard error where records do not match their model, and at the end how many do not.
final class ValidationReport: Sendable {
    /// Maximum number of lines about single problems; beyond them, kinds are counted.
    private static let maximumLines = 20
    /// Maximum number of kinds named at the end.
    private static let maximumKinds = 20

    private let validator: RecordValidator
    private let diagnostics: Diagnostics
    private let state = Mutex(State())

    private struct State {
        var records = 0
        var strays = 0
        var problems = 0
        /// Count of each kind of problem; entries of a list count as one place.
        var kinds: [String: Int] = [:]
        var remarks: [RecordValidator.Remark: Int] = [:]
    }

    /// Throws when the path's records have no known model.
    init(_ path: ResourcePath, acceptsNull: Bool, _ diagnostics: Diagnostics) throws(CoreError) {
        guard let model = path.endpoint?.model,
            let validator = RecordValidator(model: model, acceptsNull: acceptsNull)
        else {
            throw .noModel(path: path.display)
        }
        self.validator = validator
        self.diagnostics = diagnostics
    }

    func check(_ batch: RecordBatch) {
        state.withLock { state in
            state.records += batch.records.count
            for record in batch.records {
                let (problems, remarks) = batch.bytes.withUnsafeBytes {
                    validator.look(at: UnsafeRawBufferPointer(rebasing: $0[record.range]))
                }
                for remark in remarks { state.remarks[remark, default: 0] += 1 }
                guard !problems.isEmpty else { continue }
                state.strays += 1
                for problem in problems { note(problem, of: batch.id(of: record), number: state.records, &state) }
            }
        }
    }

    private func note(_ problem: RecordValidator.Problem, of id: String?, number: Int, _ state: inout State) {
        state.problems += 1
        state.kinds[Self.kind(of: problem), default: 0] += 1
        guard state.problems <= Self.maximumLines else { return }
        var line = JSONLine()
        line.add("id", id)
        line.add("model", validator.model)
        line.add("pointer", problem.pointer)
        line.add("problem", problem.description)
        diagnostics.report(
            "record \(id ?? "without id") does not match \(validator.model): \(problem)",
            json: "{\"stray\":\(line.text)}", from: .quiet)
    }

    /// Reports how many records do not match, and the counts of all remarks.
    func finish() {
        let state = state.withLock { $0 }
        report(.unknownField, "fields that \(validator.model) does not have", "unknownFields", state)
        report(.inexact, "whole numbers beyond 2^53, which --jq and many programs round", "beyond53Bits", state)
        var line = JSONLine()
        line.add("model", validator.model)
        line.add("records", Int64(state.records))
        line.add("strays", Int64(state.strays))
        line.add("problems", Int64(state.problems))
        let kinds = state.kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        var counts = JSONLine()
        for (kind, count) in kinds { counts.add(kind, Int64(count)) }
        line.add("kinds", json: counts.text)
        let records = state.records == 1 ? "1 record" : "\(state.records) records"
        diagnostics.report(
            state.strays == 0
                ? (state.records == 1 ? "1 record matches" : "all \(records) match") + " \(validator.model)"
                : "\(state.strays) of \(records) \(state.strays == 1 ? "does" : "do") not match \(validator.model)"
                    + (state.problems > Self.maximumLines ? ": " + Self.summary(of: kinds) : ""),
            json: "{\"validation\":\(line.text)}", from: state.strays == 0 ? .normal : .quiet)
    }

    private func report(_ kind: RecordValidator.Remark.Kind, _ title: String, _ name: String, _ state: State) {
        let counts = state.remarks.filter { $0.key.kind == kind }.map { (key: $0.key.pointer, value: $0.value) }
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        guard !counts.isEmpty else { return }
        var numbers = JSONLine()
        for (pointer, count) in counts { numbers.add(pointer, Int64(count)) }
        var line = JSONLine()
        line.add("model", validator.model)
        line.add(name, json: numbers.text)
        let shown = counts.prefix(Self.maximumKinds).map {
            "\($0.key) (\($0.value == 1 ? "once" : "\($0.value) times"))"
        }
        diagnostics.report(
            "\(title): " + shown.joined(separator: ", ") + (counts.count > shown.count ? ", ..." : ""),
            json: "{\"validation\":\(line.text)}", from: .normal)
    }

    private static func summary(of kinds: [(key: String, value: Int)]) -> String {
        kinds.prefix(maximumKinds).map { "\($0.value) times \($0.key)" }.joined(separator: "; ")
            + (kinds.count > maximumKinds ? "; ..." : "")
    }

    /// The problem with list indices replaced by `*`: `/lineItems/elements/*/price is string, not int64`.
    private static func kind(of problem: RecordValidator.Problem) -> String {
        let pointer = problem.pointer.split(separator: "/", omittingEmptySubsequences: false)
            .map { !$0.isEmpty && $0.allSatisfy(\.isNumber) ? "*" : $0 }.joined(separator: "/")
        return RecordValidator.Problem(pointer: pointer, kind: problem.kind.general).description
    }
}

/// Counts byte sequences of records that were not UTF-8 and were replaced by U+FFFD.
final class EncodingRepairReport: Sendable {
    private let counts = Mutex((records: 0, sequences: 0))

    func note(_ batch: RecordBatch) {
        let repaired = batch.records.filter { $0.replacements > 0 }
        guard !repaired.isEmpty else { return }
        counts.withLock { counts in
            counts.records += repaired.count
            counts.sequences += repaired.reduce(0) { $0 + $1.replacements }
        }
    }

    /// Prints the counts; always shown, because the records are not as the service sent them.
    func show(_ diagnostics: Diagnostics) {
        let (records, sequences) = counts.withLock(\.self)
        guard records > 0 else { return }
        var line = JSONLine()
        line.add("records", Int64(records))
        line.add("sequences", Int64(sequences))
        diagnostics.report(
            "\(records == 1 ? "1 record has" : "\(records) records have") bytes that are not UTF-8; U+FFFD replaces "
                + (sequences == 1 ? "them in 1 place" : "them in \(sequences) places"),
            json: "{\"replaced\":\(line.text)}", from: .quiet)
    }
}
