import CloverAPI
import CloverExport
import CloverRecords

/// Whether the records of a window are what was asked for: objects, and of that window's time. A service that does not filter
/// would give every window the same records.
struct WindowCheck {
    private let window: PlannedWindow
    private let resource: String
    private let field: String?
    /// From here on records may have been changed while they were read.
    private let now: Int64
    private var count = 0

    /// - Parameter now: the start of the run, in milliseconds since 1970.
    init(_ window: PlannedWindow, of resource: String, now: Int64) {
        self.window = window
        self.resource = resource
        self.now = now
        field = window.from == nil ? nil : window.field
    }

    /// - Throws: `.notAnObject`, `.otherTime`.
    mutating func pass(_ batch: RecordBatch) throws(ExportError) {
        for record in batch.records {
            count += 1
            guard batch.bytes[record.range.lowerBound] == UInt8(ascii: "{") else {
                throw .notAnObject(resource: resource, number: count, window)
            }
            guard let field, let from = window.from,
                let time = batch.value(of: field, in: record).flatMap({ Int64($0) })
            else { continue }
            let isLate = time >= window.to + TimeWindows.rounding && time < now - TimeWindows.rounding
            guard time >= from - TimeWindows.rounding, !isLate else {
                throw .otherTime(resource: resource, id: batch.id(of: record), time: time, window)
            }
        }
    }
}
