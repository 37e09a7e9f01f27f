import CloverOutput
import CloverSystem

/// Counts the rows of a file piece by piece, by the format that its name says.
struct RowCounter {
    private enum Form {
        case lines
        /// A line break inside quotes does not end a row (RFC 4180, section 2).
        case quoted
    }

    private let form: Form
    private let decoder: GzipDecoder?
    private var rows: Int64 = 0
    private var isQuoted = false
    /// Whether the compressed bytes could not be read.
    private var isBroken = false

    /// Nil when the rows of such a file cannot be counted: its name says no format, or it is compressed with Zstandard.
    init?(_ path: String) {
        var parts = path.split(separator: ".")
        if parts.last == "gz" {
            parts.removeLast()
            do {
                decoder = try GzipDecoder()
            } catch {
                return nil
            }
        } else {
            decoder = nil
        }
        switch parts.last.flatMap({ RecordFormat(rawValue: String($0)) }) {
        case .ndjson, .tsv: form = .lines
        case .csv: form = .quoted
        default: return nil
        }
    }

    mutating func add(_ bytes: [UInt8]) {
        guard let decoder else { return count(bytes) }
        guard !isBroken else { return }
        decoder.feed(bytes)
        do throws(GzipDecoder.Failure) {
            while let piece = try decoder.next() { count(piece) }
        } catch {
            isBroken = true
        }
    }

    /// Whether a line's number of results agrees with the rows.
    func agrees(with line: ManifestLine) -> Bool {
        guard !isBroken else { return false }
        // The first addition has a header, unless the export was asked for none.
        if line.file.contains(".csv") || line.file.contains(".tsv") {
            return rows == line.results || rows == line.results + 1
        }
        // Strings that were printed without quotes may have several lines; older versions do not say so.
        return line.raw ?? (line.range == nil) ? rows >= line.results : rows == line.results
    }

    /// For messages.
    var text: String { isBroken ? "unreadable compressed data" : rows == 1 ? "1 row" : "\(rows) rows" }

    private mutating func count(_ bytes: [UInt8]) {
        switch form {
        case .lines:
            for byte in bytes where byte == UInt8(ascii: "\n") { rows += 1 }
        case .quoted:
            for byte in bytes {
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                if byte == UInt8(ascii: "\n"), !isQuoted { rows += 1 }
            }
        }
    }
}
