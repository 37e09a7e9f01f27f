extension ExportDirectory {
    /// The size of a file of this name; nil when there is none.
    package func size(of name: String) throws(ExportError) -> Int64? {
        try GrowingFile.size(of: path + "/" + name)
    }

    /// Whether the last line of a file has no line break. An empty file, and none, have no line.
    package func endsInLine(_ name: String) throws(ExportError) -> Bool {
        guard let size = try self.size(of: name), size > 0 else { return false }
        return try GrowingFile(path + "/" + name).bytes(at: size - 1, 1) != [UInt8(ascii: "\n")]
    }

    /// Cuts a file back to what it had before somebody was killed while adding to it. One that is no longer than that, or
    /// gone, stays as it is: the user has moved it away.
    package func cutBack(_ name: String, to size: Int64) throws(ExportError) {
        guard let found = try self.size(of: name), found > size else { return }
        try GrowingFile(path + "/" + name).truncate(to: size)
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
        let name = NameTemplate.manifest
        let found = try self.size(of: name) ?? 0
        guard found >= size else {
            let bytes = Self.bytes(try all())
            let file = try makeFile(Self.manifestNumber)
            try GrowingFile(file.path).append(bytes, at: 0)
            try file.publish(as: name, in: self)
            return Int64(bytes.count)
        }
        let manifest = try GrowingFile(path + "/" + name)
        if found > size { try manifest.truncate(to: size) }
        let bytes = Self.bytes(lines)
        try manifest.append(bytes, at: size)
        return size + Int64(bytes.count)
    }

    /// Whether the manifest has this line, with its line break, just before a place.
    package func manifestHas(_ line: String, before end: Int64) throws(ExportError) -> Bool {
        let bytes = Array((line + "\n").utf8)
        guard end >= bytes.count, let found = try size(of: NameTemplate.manifest), found >= end else { return false }
        return try GrowingFile(path + "/" + NameTemplate.manifest).bytes(at: end - Int64(bytes.count), bytes.count)
            == bytes
    }

    /// The bytes of the manifest up to its last line break; 0 when there is none. In a copy that was
    /// made while a run was under way, the beginning of a line is behind that.
    package func sizeOfWholeManifest() throws(ExportError) -> Int64 {
        guard let size = try size(of: NameTemplate.manifest), size > 0 else { return 0 }
        let bytes = try GrowingFile(path + "/" + NameTemplate.manifest).bytes(at: 0, Int(size))
        return Int64(bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
    }

    /// All that the manifest has; empty when there is none.
    package func manifestLines() throws(ExportError) -> Set<String> {
        guard let size = try size(of: NameTemplate.manifest), size > 0 else { return [] }
        let bytes = try GrowingFile(path + "/" + NameTemplate.manifest).bytes(at: 0, Int(size))
        return Set(bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) })
    }

    /// Tells a new manifest from the files that are under way.
    private static let manifestNumber = -1

    private static func bytes(_ lines: [String]) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }
}
