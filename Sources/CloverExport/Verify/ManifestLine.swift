import CloverCalendar
import FoundationEssentials

/// A line of a manifest: what one file, or one addition to a growing file, contains.
package struct ManifestLine: Sendable, Equatable, Decodable {
    /// Path relative to the destination.
    package var file: String
    /// The resource, or `RESOURCE.PART`.
    package var resource: String
    package var merchant: String
    package var environment: String?
    /// The time field of the window; nil for a resource exported in full.
    package var field: String?
    /// Bounds of the window, as ISO 8601.
    var from: String?
    var to: String
    /// The business day of `--day`.
    package var day: String?
    /// Number of lines or rows.
    package var results: Int64
    /// Byte offset in a growing file.
    package var offset: Int64?
    package var bytes: Int64
    package var sha256: String
    /// What the run was asked for; nil in lines of older versions.
    package var range: Range?
    /// Windows without records that no earlier line of the resource has.
    var empty: [[String]]?
    /// Whether a result may have several lines.
    package var raw: Bool?

    /// What a run was asked for, as the manifest has it.
    package enum Range: String, Sendable, Codable {
        /// What changed since the last run.
        case changes
        case full
        /// The history of parts that earlier runs did not export.
        case parts
        case since
        case day
        /// A value of a later version.
        case other

        package init(from decoder: any Decoder) throws {
            self = Range(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .other
        }

        /// Whether such runs together leave no gap.
        package var isContinuous: Bool { [.changes, .full, .parts].contains(self) }
    }

    /// The line of this text; nil when it is not a line of a manifest. A path that leads out of the destination is not
    /// one either.
    package init?(parsing text: String) {
        guard let line = JSONDecoder.value(ManifestLine.self, from: text.utf8) else { return nil }
        self = line
        let names = file.split(separator: "/", omittingEmptySubsequences: false)
        guard sha256.count == 64, bytes >= 0, results >= 0, offset ?? 0 >= 0, bytes <= .max - (offset ?? 0),
            names.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }), names.first ?? "" != ExportDirectory.folder,
            Self.milliseconds(to) != nil, from.map({ Self.milliseconds($0) != nil }) ?? true
        else { return nil }
    }

    /// What identifies the contents, whatever name the file has.
    package var contents: [String] {
        [environment ?? "", merchant, resource, from ?? "", to, "\(offset ?? 0)", sha256]
    }

    /// Whether it is about the same window in the same file, which does not grow, with other contents or the same.
    package func isOfSameWindow(as other: Self) -> Bool {
        file == other.file && offset == nil && other.offset == nil && from != nil
            && contents.dropLast() == other.contents.dropLast()
    }

    /// Offset after its last byte.
    var end: Int64 { (offset ?? 0) + bytes }

    /// The window's bounds in milliseconds since 1970; nil for a resource exported in full.
    var span: Range64? { from.flatMap { Self.span($0, to) } }

    /// Windows without records that it names.
    var emptySpans: [Range64] { (empty ?? []).compactMap { $0.count == 2 ? Self.span($0[0], $0[1]) : nil } }

    typealias Range64 = Swift.Range<Int64>

    private static func span(_ from: String, _ to: String) -> Range64? {
        guard let from = milliseconds(from), let to = milliseconds(to), from <= to else { return nil }
        return from..<to
    }

    private static func milliseconds(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8 { InstantReader.milliseconds(UnsafeRawBufferPointer($0)) }
    }
}

/// What a line's window and its file belong to.
package struct ManifestOwner: Hashable, Comparable, Sendable {
    var environment: String
    package var merchant: String
    /// The resource, or `RESOURCE.PART`.
    package var resource: String

    init(environment: String?, merchant: String, resource: String) {
        self.environment = environment ?? ""
        self.merchant = merchant
        self.resource = resource
    }

    init(_ line: ManifestLine) {
        self.init(environment: line.environment, merchant: line.merchant, resource: line.resource)
    }

    package static func < (one: Self, other: Self) -> Bool {
        (one.environment, one.merchant, one.resource) < (other.environment, other.merchant, other.resource)
    }
}
