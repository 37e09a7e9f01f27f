package import CloverRecords
import Synchronization

/// Masks the sensitive fields of records: PINs, bank and card numbers, tokens, secrets, at any depth, where the
/// catalogue's model of a record has one, and by name in objects of which nothing is known.
///
/// A string becomes `"[masked]"`, a number or boolean null; objects and arrays keep their shape, and their values are
/// masked one by one. Null, an empty string and what is absent stay, and so does every byte of all else.
package final class RecordMasker: Sendable {
    /// A record in which sensitive fields may stand, and which cannot be read to find them.
    package struct Unreadable: Error, Sendable, Equatable {
        package let id: String?
        /// The offset in the record where it is not JSON.
        package let offset: Int
    }

    /// What was masked.
    package struct Report: Sendable, Equatable {
        package fileprivate(set) var records = 0
        /// Model and field, such as `employees.Employee.pin`, or a field's name alone where the model is not known.
        package fileprivate(set) var fields: Set<String> = []
    }

    private let rule: MaskRules.Rule
    private let state = Mutex((rules: MaskRules(), report: Report()))

    /// - Parameters:
    ///   - endpoint: where the records come from; nil for a path that the catalogue does not know.
    ///   - isEnvelope: a list comes as one record, `{"elements":[...]}`.
    package init(_ endpoint: Endpoint?, isEnvelope: Bool) {
        // Where the catalogue does not say what a write answers, it is the record that was sent.
        let record = (endpoint?.model ?? endpoint?.body).map { MaskRules.Rule.model($0) } ?? .unknown
        rule = isEnvelope && endpoint?.shape == .list ? .entries(record) : record
    }

    package var report: Report { state.withLock(\.report) }

    /// The batch with its sensitive values masked.
    package func masked(_ batch: RecordBatch) throws(Unreadable) -> RecordBatch {
        guard batch.bytes.withUnsafeBytes({ SensitiveNames.all.mayStand(in: $0) }) else { return batch }
        var result = RecordBatch()
        result.bytes.reserveCapacity(batch.bytes.count)
        result.records.reserveCapacity(batch.records.count)
        for record in batch.records {
            let fault = batch.bytes.withUnsafeBytes { bytes -> JSONScanner.Fault? in
                let record = UnsafeRawBufferPointer(rebasing: bytes[record.range])
                do throws(JSONScanner.Fault) {
                    try append(record, to: &result)
                    return nil
                } catch {
                    return error
                }
            }
            if let fault { throw Unreadable(id: batch.id(of: record), offset: fault.position) }
        }
        return result
    }

    private func append(_ record: UnsafeRawBufferPointer, to result: inout RecordBatch) throws(JSONScanner.Fault) {
        guard SensitiveNames.all.mayStand(in: record) else {
            result.append(record)
            return
        }
        var walk = MaskWalk(record: record)
        let fault = state.withLock { state -> JSONScanner.Fault? in
            do throws(JSONScanner.Fault) {
                try walk.run(rule, rules: &state.rules)
            } catch {
                return error
            }
            if !walk.changes.isEmpty {
                state.report.records += 1
                state.report.fields.formUnion(walk.labels)
            }
            return nil
        }
        if let fault { throw fault }
        guard !walk.changes.isEmpty else {
            result.append(record)
            return
        }
        var masked: [UInt8] = []
        masked.reserveCapacity(record.count + 16 * walk.changes.count)
        var next = 0
        for change in walk.changes {
            masked += record[next..<change.range.lowerBound]
            masked += UnsafeBufferPointer(
                start: change.replacement.utf8Start, count: change.replacement.utf8CodeUnitCount)
            next = change.range.upperBound
        }
        masked += record[next...]
        masked.withUnsafeBytes { result.append($0) }
    }
}
