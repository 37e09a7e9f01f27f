import CloverSystem
import FoundationEssentials
import Glibc

/// A file of failed records that the state does not know: versions that did not list these files left it.
package struct UnlistedFailures: Sendable {
    /// Path relative to the destination.
    package var path: String
    package var resource: String
    package var merchant: String
    package var contents: CurrentMerge.Result
}

extension ExportDirectory {
    /// The files of failed records besides those with these paths, in the order of their paths. What cannot be read is not
    /// among them.
    package func unlistedFailures(besides known: Set<String>) -> [UnlistedFailures] {
        unlistedFailures(in: NameTemplate.failed + "/", besides: known)
    }

    private func unlistedFailures(in folder: String, besides known: Set<String>) -> [UnlistedFailures] {
        let entries: [DestinationFiles.Entry]
        do throws(ExportError) {
            entries = try place.entries(of: folder)
        } catch {
            return []
        }
        var found: [UnlistedFailures] = []
        for entry in entries {
            let path = folder + entry.name
            if entry.isDirectory {
                found += unlistedFailures(in: path + "/", besides: known)
            } else if !known.contains(path), let file = place.failures(in: path) {
                found.append(file)
            }
        }
        return found
    }
}

extension DestinationFiles {
    private static let pieceSize = 1 << 20
    /// Longest line that is read, in bytes.
    private static let lineLimit = 1 << 26

    /// The failed records in a file; nil unless each of its lines is one, and all are of one resource and one merchant.
    func failures(in path: String) -> UnlistedFailures? {
        guard path.hasPrefix(NameTemplate.failed + "/"), path.hasSuffix(".ndjson") else { return nil }
        do throws(ExportError) {
            return try readFailures(in: path)
        } catch {
            return nil
        }
    }

    private func readFailures(in path: String) throws(ExportError) -> UnlistedFailures? {
        guard let file = try open(path, flags: O_RDONLY) else { return nil }
        var digest = SHA256()
        var rest: [UInt8] = []
        var (size, count) = (0, 0)
        var first: FailureLine?
        while true {
            let offset = size
            let piece = try ExportError.attempt(.read, shown(path)) { () throws(ErrorNumber) in
                try file.read(limit: Self.pieceSize, at: offset)
            }
            if piece.isEmpty { break }
            digest.update(piece)
            size += piece.count
            rest += piece
            var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let tail = lines.popLast().map { Array($0) } ?? []
            for text in lines {
                guard let line = JSONDecoder.value(FailureLine.self, from: text),
                    first.map({ $0.resource == line.resource && $0.merchant == line.merchant }) ?? true
                else { return nil }
                first = line
                count += 1
            }
            rest = tail
            guard rest.count <= Self.lineLimit else { return nil }
        }
        guard rest.isEmpty, let first else { return nil }
        return UnlistedFailures(
            path: path, resource: first.resource, merchant: first.merchant,
            contents: CurrentMerge.Result(
                records: Int64(count), bytes: Int64(size), sha256: digest.finalize().hexadecimalDigits))
    }

    /// Members that every line has.
    private struct FailureLine: Decodable {
        var resource: String
        var merchant: String
        var error: String
        var record: AnyValue

        /// Any JSON value.
        struct AnyValue: Decodable {
            init(from decoder: any Decoder) {}
        }
    }
}
