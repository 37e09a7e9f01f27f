/// A run over one resource. It is stored with its first page, so that the next run can resume it if it is killed.
///
/// Times are milliseconds since 1970.
package struct ExportPlan: Sendable, Equatable {
    /// Row id; 0 for a plan that is not stored.
    package var place: Int64
    /// Row id of the last file before the plan; nil for a plan that is not stored.
    package var filesBefore: Int64?
    /// Key of the range: `last`, `full`, `since=-7d`, `day=2026-11-20`.
    package var request: String
    package var startedAt: Int64
    /// Start of the range; nil for a resource exported in full.
    package var start: Int64?
    package var finish: Int64
    /// Whether records that the last run exported are skipped.
    package var skipsKnownRecords: Bool
    /// Number of records so far.
    package var records: Int64
    /// Latest time of a record so far.
    package var newest: Int64?
    /// Checksum of a resource exported in full; nil before it was read.
    package var content: String?
    package var windows: [PlannedWindow]
    /// Indices of the windows that are done.
    package var done: Set<Int>
    /// Creation time of the list's oldest record, when it was looked up to make the plan. It is not stored.
    package var beginning: Int64?

    package init(request: String, startedAt: Int64, finish: Int64, skipsKnownRecords: Bool) {
        place = 0
        self.request = request
        self.startedAt = startedAt
        self.finish = finish
        self.skipsKnownRecords = skipsKnownRecords
        records = 0
        windows = []
        done = []
    }

    /// Indices of the windows that are not done.
    package var remaining: [Int] { windows.indices.filter { !done.contains($0) } }
}

/// Plans by their keys.
extension ExportPlan {
    /// Prefix of the keys of plans that read from Clover's Export API.
    package static let exportAPIMark = "export-api;"

    package var isOfExportAPI: Bool { request.hasPrefix(Self.exportAPIMark) }

    /// Whether it omits records that were created before its range and changed within it.
    private var omitsChanges: Bool { request.hasPrefix(Self.exportAPIMark + "since=") }

    /// Prefix of the keys of plans that export the window of a missing file again; a file's row follows after `@`.
    package static let missingMark = "missing="

    /// What was asked for, as the manifest has it; nil for a plan that exports a missing file again, which has the range
    /// of that file.
    package var range: ManifestLine.Range? {
        let key = isOfExportAPI ? request.dropFirst(Self.exportAPIMark.count) : request[...]
        if key.hasPrefix(Self.missingMark) { return nil }
        let ranges: [(prefix: String, range: ManifestLine.Range)] = [
            ("last", .changes), ("full", .full), ("parts=", .parts), ("since=", .since), ("day=", .day),
        ]
        return ranges.first { key.hasPrefix($0.prefix) }?.range ?? .other
    }

    /// Row id of the missing file that the plan exports again; nil for any other plan.
    package var missingFile: Int64? {
        guard request.hasPrefix(Self.missingMark) else { return nil }
        return request.split(separator: "@").last.flatMap { Int64($0) }
    }

    /// The option without which no run resumes the plan of a key, such as `--full`; nil for a plan of ordinary runs.
    static func option(of request: String) -> String? {
        let plan = ExportPlan(request: request, startedAt: 0, finish: 0, skipsKnownRecords: false)
        return switch plan.range {
        case .full: "--full"
        case .since: "--since"
        case .day: "--day"
        case .changes, .parts, .other: nil
        case nil: "--export-missing"
        }
    }

    private var isOfDay: Bool { request.hasPrefix("day=") || request.hasPrefix(Self.exportAPIMark + "day=") }

    /// What the finished plan leaves for the next run.
    ///
    /// - Parameters:
    ///   - stream: what was known before it.
    ///   - form: the form of its records.
    ///   - isFull: whether everything was requested.
    ///   - overlap: milliseconds before the end of a run that the next run reads again.
    ///   - isTracked: whether changes of the resource are found by a time.
    package func end(
        _ stream: ExportStream, form: ExportForm, isFull: Bool, overlap: Int64, isTracked: Bool
    ) -> ExportStore.PlanEnd {
        var end = ExportStore.PlanEnd()
        end.coveredTo = min(finish, startedAt)
        end.isRegular = skipsKnownRecords || isOfDay
        guard !isOfDay, isTracked, let start else { return end }
        let isOwnForm = stream.hasForm(form)
        guard isOwnForm || isFull else {
            // This run did not export the records in the form that is kept.
            end.coveredTo = nil
            return end
        }
        end.form = form
        end.changesForm = !isOwnForm
        if omitsChanges, stream.bookmark != nil {
            end.coveredTo = nil
            return end
        }
        // Not the end of the run when there were no records: a wrong clock must not hide later ones.
        guard let bookmark = stream.bookmark, isOwnForm else {
            end.bookmark = newest.map { min(finish, $0) - overlap } ?? start
            end.overlap = overlap
            return end
        }
        if start > bookmark {
            // There is a gap between the bookmark and this range.
            end.coveredTo = nil
            end.form = nil
            return end
        }
        // The range ends at or before the bookmark, so it does not move it.
        if finish <= bookmark { return end }
        // A longer overlap than before moves the bookmark back, at most to the start of this run's range.
        let least = max(stream.bookmark(overlap: overlap) ?? bookmark, start)
        let next = newest.map { min(finish, $0) - overlap } ?? least
        end.bookmark = max(next, least)
        end.overlap = next > least ? overlap : (stream.overlap ?? overlap) + bookmark - least
        return end
    }
}

/// What records look like in a run's output: two runs of one form write a record in the same way.
package struct ExportForm: Sendable, Equatable {
    /// Identifies the form.
    package var choice: String
    /// The options that make the form, for messages.
    package var words: String

    package init(choice: String, words: String) {
        self.choice = choice
        self.words = words
    }
}
