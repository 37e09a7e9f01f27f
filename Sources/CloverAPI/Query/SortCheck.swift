import CloverJSON

/// Compares the records of a page with the order that the service was asked for. Two neighbours in the wrong order show that it did
/// not sort.
///
/// Only numbers and times of the records themselves are compared, as the catalogue has their types: how Clover orders texts, and the
/// cases of an enum, is not known. These say nothing:
/// - Records of different pages, which may have changed in between.
/// - Equal values, times that differ by their rounding, and records without a value.
/// - Records that were changed shortly before or during the run: Clover may have sorted by their old values.
struct SortCheck: Sendable {
    /// The first two neighbours in the wrong order.
    private(set) var contradiction: SortContradiction?
    private let key: SortKey
    /// By how much times in the right order may differ from it, in milliseconds; 0 for other numbers.
    private let tolerance: Double
    /// Records with a later time of change are not compared; milliseconds since 1970.
    private let unchangedSince: Int64
    /// The last record with a value in an earlier part of the page.
    private var last: Entry?

    /// How long before the run a record must have been changed last, in milliseconds.
    private static let settling: Int64 = 300_000

    private struct Entry {
        let value: Double
        let id: String?
        let isSettled: Bool
    }

    /// Nil if the order is not compared.
    ///
    /// - Parameter now: the start of the run, in milliseconds since 1970.
    init?(_ query: RecordQuery, of path: ResourcePath, now: Int64) {
        guard !query.isSortOwn, let key = query.sort.first,
            let model = path.endpoint?.model.flatMap(ModelCatalogue.model(named:)),
            let field = model.field(named: key.field)
        else { return nil }
        switch field.type {
        case .integer, .timestamp, .double: break
        default: return nil
        }
        self.key = key
        tolerance = field.isInstant || field.type == .timestamp ? Double(TimePaginator.rounding) : 0
        unchangedSince = now - Self.settling
    }

    mutating func beginPage() {
        last = nil
    }

    /// Compares a part of the page, in the order of the response.
    mutating func see(_ batch: RecordBatch) {
        guard contradiction == nil else { return }
        var former: (value: Double, record: Record)?
        for record in batch.records {
            guard let value = batch.value(of: key.field, in: record).flatMap({ Double($0) }) else { continue }
            if let before = former?.value ?? last?.value, isBefore(value, before) {
                let own = entry(value, record, of: batch)
                let preceding = former.map { entry($0.value, $0.record, of: batch) } ?? last
                if let preceding, own.isSettled, preceding.isSettled {
                    contradiction = SortContradiction(
                        field: key.field, isDescending: key.isDescending, id: own.id, precedingID: preceding.id)
                    return
                }
            }
            former = (value, record)
        }
        if let former { last = entry(former.value, former.record, of: batch) }
    }

    /// Whether a value belongs before the one that it follows.
    private func isBefore(_ value: Double, _ preceding: Double) -> Bool {
        key.isDescending ? value > preceding + tolerance : value < preceding - tolerance
    }

    private func entry(_ value: Double, _ record: Record, of batch: RecordBatch) -> Entry {
        let changed = batch.time("modifiedTime", of: record)
        return Entry(value: value, id: batch.id(of: record), isSettled: changed ?? .min < unchangedSince)
    }
}

/// Two neighbouring records of a page that are not in the order that was asked for.
package struct SortContradiction: Error, Equatable {
    package let field: String
    package let isDescending: Bool
    package let id: String?
    /// The id of the record before it, which belongs after it.
    package let precedingID: String?

    /// What the records show, as one clause.
    ///
    /// - Parameter list: the list that was read, such as `orders`.
    package func words(of list: String) -> String {
        "Clover does not sort \(list) by \(field) as asked: \(id ?? "a record"), whose \(field) is "
            + "\(isDescending ? "larger" : "smaller"), follows \(precedingID ?? "another")"
    }
}
