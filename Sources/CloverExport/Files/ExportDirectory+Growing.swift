import CloverStorage
import FoundationEssentials
import Glibc

extension ExportDirectory {
    /// The size of a file of this name; nil when there is none.
    package func size(of name: String) throws(ExportError) -> Int64? { try place.size(of: name) }

    /// Whether the last line of a file has no line break. An empty file, and none, have no line.
    package func endsInLine(_ name: String) throws(ExportError) -> Bool {
        guard let size = try self.size(of: name), size > 0 else { return false }
        return try GrowingFile(name, in: place).bytes(at: size - 1, 1) != [UInt8(ascii: "\n")]
    }

    /// Cuts a file back to the size that it had before a run was killed while adding to it. A file that is no longer than that, or
    /// gone, stays as it is: the user has moved it away.
    package func cutBack(_ name: String, to size: Int64) throws(ExportError) {
        guard let found = try self.size(of: name), found > size else { return }
        try GrowingFile(name, in: place).truncate(to: size)
    }

    // MARK: Manifest

    /// Refuses a manifest that no export has written: its first line is not one of ours. An empty one has no line.
    ///
    /// - Parameter mayBeCut: whether a run that was killed may have left the beginning of the first line and nothing else.
    /// - Throws: `.foreignManifest`.
    package func checkManifest(mayBeCut: Bool) throws(ExportError) {
        guard let size = try size(of: NameTemplate.manifest), size > 0 else { return }
        let bytes = try manifestBytes(Int(min(size, Int64(Self.lineLimit))))
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        if Self.isOwn(line) { return }
        let isCut = line.count == bytes.count && !Self.isJSON(line)
        let beginning = Array(#"{"file":""#.utf8)
        let isBeginning = line.starts(with: beginning) || beginning.starts(with: line)
        guard mayBeCut, isCut, isBeginning else {
            throw .foreignManifest(path: place.shown(NameTemplate.manifest))
        }
    }

    /// Adds lines to the manifest.
    ///
    /// - Parameters:
    ///   - size: what it is known to have; what is behind that is the beginning of a line of a killed run, and goes.
    ///   - all: every line, for a manifest that is gone or shorter: it is made anew, and takes the place of the other whole.
    /// - Returns: its size afterwards.
    package func addToManifest(
        _ lines: [String], at size: Int64, all: () throws -> [String]
    ) throws -> Int64 {
        try checkManifest(mayBeCut: true)
        let name = NameTemplate.manifest
        let found = try self.size(of: name) ?? 0
        guard found >= size else {
            let bytes = Self.bytes(try all())
            try makeFile(Self.manifestNumber).publish(bytes, as: name)
            return Int64(bytes.count)
        }
        let manifest = try GrowingFile(name, in: place)
        if found > size { try manifest.truncate(to: size) }
        let bytes = Self.bytes(lines)
        try manifest.append(bytes, at: size)
        return size + Int64(bytes.count)
    }

    /// Whether the manifest has this line, with its line break, just before a place.
    package func manifestHas(_ line: String, before end: Int64) throws(ExportError) -> Bool {
        let bytes = Array((line + "\n").utf8)
        guard end >= bytes.count, let found = try size(of: NameTemplate.manifest), found >= end else { return false }
        return try manifestBytes(bytes.count, at: end - Int64(bytes.count)) == bytes
    }

    /// The bytes of the manifest up to its last line break; 0 when there is none. In a copy that was
    /// made while a run was under way, the beginning of a line is behind that.
    package func sizeOfWholeManifest() throws(ExportError) -> Int64 {
        guard let size = try size(of: NameTemplate.manifest), size > 0 else { return 0 }
        return Int64(try manifestBytes(Int(size)).lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
    }

    /// All that the manifest has; empty when there is none.
    package func manifestLines() throws(ExportError) -> Set<String> {
        guard let size = try size(of: NameTemplate.manifest), size > 0 else { return [] }
        let lines = try manifestBytes(Int(size)).split(separator: UInt8(ascii: "\n"))
        return Set(lines.map { String(decoding: $0, as: UTF8.self) })
    }

    private func manifestBytes(_ count: Int, at offset: Int64 = 0) throws(ExportError) -> [UInt8] {
        guard let file = try place.open(NameTemplate.manifest, flags: O_RDONLY) else { return [] }
        do throws(ErrorNumber) {
            return try file.read(limit: count, at: Int(offset))
        } catch {
            throw .file(.read, path: place.shown(NameTemplate.manifest), errno: error.code)
        }
    }

    /// The longest line that is looked at, in bytes.
    private static let lineLimit = 1 << 20
    /// Tells a new manifest from the files that are under way.
    private static let manifestNumber = -1

    private static func bytes(_ lines: [String]) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

    private static func isOwn(_ line: ArraySlice<UInt8>) -> Bool {
        do {
            return try JSONDecoder().decode(OwnLine.self, from: Data(line)).sha256.count == 64
        } catch {
            return false
        }
    }

    private static func isJSON(_ line: ArraySlice<UInt8>) -> Bool {
        do {
            _ = try JSONDecoder().decode(AnyValue.self, from: Data(line))
            return true
        } catch {
            return false
        }
    }

    /// What every line of a manifest has.
    private struct OwnLine: Decodable {
        var file: String
        var resource: String
        var merchant: String
        var sha256: String
    }

    /// Any JSON value.
    private struct AnyValue: Decodable {}
}
