package import CloverRecords

/// What was exported at the end of the last run, so that it is not exported again where the next one overlaps it; and
/// what this run brings for the one after.
///
/// A record is known by its id, and its version by the time of its last change, or by its bytes where it has none.
package struct SeenRecords: Sendable {
    /// One version of a record.
    package struct Version: Sendable, Equatable {
        /// Milliseconds since 1970; nil for a record without the time.
        package var time: Int64?
        /// Of its bytes; nil for a record with the time.
        package var hash: Int64?

        package init(time: Int64?, hash: Int64?) {
            self.time = time
            self.hash = hash
        }
    }

    private let known: [String: Version]
    private let field: String?
    private let end: Int64
    private let overlap: Int64
    /// What the next run has to know, as far as can be told: every version from `overlap` before the newest on.
    package private(set) var found: [String: Version] = [:]
    /// The latest time of a record; nil when none had one.
    package private(set) var newest: Int64?
    private var pruneAt = 4096

    /// - Parameters:
    ///   - known: what may not come again.
    ///   - field: the member with the time; nil for none.
    ///   - newest: the latest time of the windows before.
    ///   - end: the run's own, which no overlap begins behind.
    package init(known: [String: Version], field: String?, newest: Int64?, end: Int64, overlap: Int64) {
        self.known = known
        self.field = field
        self.newest = newest
        self.end = end
        self.overlap = overlap
    }

    /// Removes what is known from the batch, and remembers the rest.
    package mutating func drop(from batch: inout RecordBatch) {
        let known = known
        var versions: [(id: String, version: Version)] = []
        batch.removeRecords { batch, record in
            let time = field.flatMap { batch.value(of: $0, in: record) }.flatMap { Int64($0) }
            let version = Version(time: time, hash: time == nil ? StableHash.value(of: batch, record) : nil)
            let id = batch.id(of: record) ?? "#\(StableHash.value(of: batch, record))"
            versions.append((id, version))
            return known[id] == version
        }
        for (id, version) in versions { note(id, version) }
        if found.count > pruneAt {
            prune()
            pruneAt = max(4096, 2 * found.count)
        }
    }

    /// Forgets what the next run will not ask for.
    package mutating func prune() {
        guard let newest else { return }
        let bound = earliest(newest)
        found = found.filter { $0.value.time.map { $0 >= bound } ?? true }
    }

    /// The earliest time that the next run asks for. Times are the service's: any number may come.
    private func earliest(_ newest: Int64) -> Int64 {
        let (bound, isBeyond) = min(newest, end).subtractingReportingOverflow(overlap)
        return isBeyond ? .min : bound
    }

    private mutating func note(_ id: String, _ version: Version) {
        if let time = version.time {
            newest = max(newest ?? time, time)
            guard time >= earliest(newest ?? time) else { return }
        }
        found[id] = version
    }
}
