import FoundationEssentials
import GRDB

/// A window's contents in a published file, as the state has them.
package struct StoredFile: Sendable {
    /// Row id.
    package var place: Int64
    /// Row id of its stream.
    package var stream: Int64
    package var path: String
    /// The resource, or `RESOURCE.PART`.
    package var resource: String
    package var window: PlannedWindow
    /// SHA-256 of the file, or of this addition to a growing file.
    package var sha256: String
    /// Line in the manifest.
    package var line: String
    /// Form of a growing file; nil when unknown.
    package var form: String?
    /// Hash of the options that decide its bytes; nil when unknown.
    package var choice: String?
    /// Whether a successful incremental run made it, and not one with an explicit range.
    package var isRegular: Bool
    /// Whether its line is in the manifest. A run that was killed before that is resumed.
    package var isListed: Bool
    /// Whether its run was interrupted before its window was recorded, so that the window is exported again.
    package var isInterrupted: Bool
    /// Whether the user accepted that the file is missing.
    package var isForgotten: Bool
    /// Whether each record names its merchant; nil when unknown.
    package var isTagged: Bool?
    /// The words of the command line of the run that made it; nil when unknown.
    package var words: [String]?
    /// What it is for, if it does not have the records of a window.
    package var role: PublishedFile.Role?
    /// Row id of the current file that has its records; nil for none.
    package var mergedInto: Int64?
    private var facts: Facts

    /// Facts from its line.
    private struct Facts: Sendable, Decodable {
        var offset: Int64?
        var bytes: Int64
        var day: String?
        var partial: Bool?
        var range: ManifestLine.Range?
        var empty: [[String]]?
        var records: Int64?
        var raw: Bool?
        var results: Int64?
    }

    /// Where its contents begin in a growing file, and their length, in bytes.
    package var bounds: Range<Int64> { (facts.offset ?? 0)..<end }
    /// Number of its records; nil when unknown.
    package var records: Int64? { facts.records }
    /// Whether it has one row for each record.
    package var hasRecords: Bool { facts.raw != true && facts.records == facts.results }
    /// Whether exports append to the file.
    package var grows: Bool { facts.offset != nil }
    /// Size of the file in bytes with these contents, and with those before them in a growing file.
    package var end: Int64 { (facts.offset ?? 0) + facts.bytes }
    /// The file's business day, and whether that was not over.
    package var day: String? { facts.day }
    package var isPartial: Bool { facts.partial ?? false }
    /// What its run was asked for; nil when unknown.
    package var range: ManifestLine.Range? { facts.range }
    /// The windows without records that its line names, as bounds in ISO 8601.
    package var empty: [[String]] { facts.empty ?? [] }
    /// Whether it is a resource exported in full, whose file is replaced when the resource changes.
    package var isWhole: Bool { window.field == nil }

    /// - Parameter row: a row of `files`.
    init(_ row: Row) throws {
        place = row["place"]
        stream = row["stream"]
        path = row["path"]
        resource = row["resource"]
        window = PlannedWindow(field: row["field"], from: row["start"], to: row["finish"])
        sha256 = row["sha256"]
        line = row["line"]
        form = row["form"]
        choice = row["choice"]
        isRegular = row["is_regular"]
        isListed = row["is_listed"]
        isInterrupted = row["broken_plan"] as Int64? != nil
        isForgotten = row["is_forgotten"]
        isTagged = row["is_tagged"]
        words = try (row["words"] as String?).map { try JSONDecoder().decode([String].self, from: Data($0.utf8)) }
        role = (row["role"] as String?).flatMap(PublishedFile.Role.init)
        mergedInto = row["merged_into"]
        facts = try JSONDecoder().decode(Facts.self, from: Data(line.utf8))
    }
}
