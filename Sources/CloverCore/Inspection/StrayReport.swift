import CloverAPI
import CloverRecords
import Synchronization

/// `--validate`: says on standard error where records stray from their model, and at the end how many did.
final class StrayReport: Sendable {
    /// Lines about single places; beyond them, kinds are counted.
    private static let linesAtMost = 20
    /// Kinds that are named at the end.
    private static let kindsAtMost = 20

    private let validator: RecordValidator
    private let diagnostics: Diagnostics
    private let state = Mutex(State())

    private struct State {
        var records = 0
        var strays = 0
        var problems = 0
        /// How often each kind of problem was met: places of lists count as one.
        var kinds: [String: Int] = [:]
        /// How often each remark was made.
        var remarks: [RecordValidator.Remark: Int] = [:]
    }

    /// Throws when nothing is known of the path's records.
    init(_ path: ResourcePath, _ diagnostics: Diagnostics) throws(CoreError) {
        guard let model = path.endpoint?.model, let validator = RecordValidator(model: model) else {
            throw .noModel(path: path.display)
        }
        self.validator = validator
        self.diagnostics = diagnostics
    }

    /// Looks at records as the service sent them.
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
        guard state.problems <= Self.linesAtMost else { return }
        var line = JSONLine()
        line.add("id", id)
        line.add("model", validator.model)
        line.add("pointer", problem.pointer)
        line.add("problem", problem.description)
        diagnostics.report(
            "record \(id ?? "without id") strays from \(validator.model): \(problem)",
            json: "{\"stray\":\(line.text)}", from: .quiet)
    }

    /// Says how many records strayed, and once for each name what else was met in them.
    func finish() {
        let state = state.withLock { $0 }
        say(.unknownField, "fields that \(validator.model) does not have", "unknownFields", state)
        say(.inexact, "whole numbers beyond 2^53, which --jq and many programs round", "beyond53Bits", state)
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
                ? "all of \(records) fit \(validator.model)"
                : "\(state.strays) of \(records) stray\(state.strays == 1 ? "s" : "") from \(validator.model)"
                    + (state.problems > Self.linesAtMost ? ": " + Self.summary(of: kinds) : ""),
            json: "{\"validation\":\(line.text)}", from: state.strays == 0 ? .normal : .quiet)
    }

    private func say(_ kind: RecordValidator.Remark.Kind, _ title: String, _ name: String, _ state: State) {
        let counts = state.remarks.filter { $0.key.kind == kind }.map { (key: $0.key.pointer, value: $0.value) }
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        guard !counts.isEmpty else { return }
        var numbers = JSONLine()
        for (pointer, count) in counts { numbers.add(pointer, Int64(count)) }
        var line = JSONLine()
        line.add("model", validator.model)
        line.add(name, json: numbers.text)
        let shown = counts.prefix(Self.kindsAtMost).map {
            "\($0.key) (\($0.value == 1 ? "once" : "\($0.value) times"))"
        }
        diagnostics.report(
            "\(title): " + shown.joined(separator: ", ") + (counts.count > shown.count ? ", ..." : ""),
            json: "{\"validation\":\(line.text)}", from: .normal)
    }

    private static func summary(of kinds: [(key: String, value: Int)]) -> String {
        kinds.prefix(kindsAtMost).map { "\($0.value) times \($0.key)" }.joined(separator: "; ")
            + (kinds.count > kindsAtMost ? "; ..." : "")
    }

    /// The problem with every place of a list in place of the one: `/lineItems/elements/*/price is string, not int64`.
    private static func kind(of problem: RecordValidator.Problem) -> String {
        let pointer = problem.pointer.split(separator: "/", omittingEmptySubsequences: false)
            .map { !$0.isEmpty && $0.allSatisfy(\.isNumber) ? "*" : $0 }.joined(separator: "/")
        return RecordValidator.Problem(pointer: pointer, kind: problem.kind.general).description
    }
}
