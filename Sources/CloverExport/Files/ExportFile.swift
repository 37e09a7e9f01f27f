import CloverSystem
import Glibc

/// A file of an export that is being written. It is published under its name once it is complete and on disk, or discarded.
///
/// All methods block on disk access, so call them only on a thread that may block.
package final class ExportFile: Sendable {
    /// Temporary path relative to the destination.
    private let name: String
    private let file: Descriptor
    private let directory: ExportDirectory
    private let isPrivate: Bool

    /// Mode of a file that only its owner may read.
    static let privateMode: UInt32 = 0o600

    init(creating name: String, in directory: ExportDirectory, isPrivate: Bool) throws(ExportError) {
        self.name = name
        self.directory = directory
        self.isPrivate = isPrivate
        file = try directory.place.create(name, flags: O_TRUNC, mode: isPrivate ? Self.privateMode : 0o666)
    }

    /// Full temporary path, for messages.
    package var path: String { directory.place.shown(name) }

    /// Descriptor to write to; valid during the lifetime of this object.
    package var descriptor: Int32 { file.number }

    /// Writes bytes at an offset.
    package func write(_ bytes: [UInt8], at offset: Int) throws(ExportError) {
        try ExportError.attempt(.write, path) { () throws(ErrorNumber) in try file.write(bytes, at: offset) }
    }

    /// Up to `count` bytes at an offset.
    package func read(_ count: Int, at offset: Int64) throws(ExportError) -> [UInt8] {
        try ExportError.attempt(.read, path) { () throws(ErrorNumber) in try file.read(limit: count, at: Int(offset)) }
    }

    /// Size in bytes.
    package func size() throws(ExportError) -> Int64 {
        try ExportError.attempt(.read, path) { () throws(ErrorNumber) in Int64(try file.status().st_size) }
    }

    /// Replaces its bytes by a hole of this size: they are elsewhere.
    package func hollow(size: Int64) throws(ExportError) { try DestinationFiles.hollow(file, size: size, path: path) }

    /// Publishes it under a name, replacing an existing file. Contents and name are on disk when this returns.
    package func publish(as name: String) throws(ExportError) {
        try DestinationFiles.synchronize(file, path: directory.place.shown(name))
        try directory.place.rename(self.name, to: name)
    }

    /// Writes bytes and publishes them under a name.
    func publish(_ bytes: [UInt8], as name: String) throws(ExportError) {
        try write(bytes, at: 0)
        try publish(as: name)
    }

    /// Appends its bytes to the file of this name and removes it. A private file first makes that file private.
    ///
    /// - Parameters:
    ///   - size: current size of the other file, to which it is truncated after a failure.
    ///   - endingLine: whether to write a newline first.
    /// - Returns: offset where its bytes begin.
    package func append(to name: String, at size: Int64, endingLine: Bool = false) throws(ExportError) -> Int64 {
        let growing = try GrowingFile(name, in: directory.place)
        if isPrivate { try growing.makePrivate() }
        let start = endingLine ? size + 1 : size
        do {
            if endingLine { try growing.append([UInt8(ascii: "\n")], at: size) }
            try growing.append(file, at: start)
        } catch {
            try growing.truncate(to: size)
            throw error
        }
        try directory.place.synchronizeFolders(of: name)
        try discard()
        return start
    }

    /// Removes it. A published file is not affected.
    package func discard() throws(ExportError) {
        try directory.place.remove(name)
    }
}

/// A file that grows from run to run: the manifest, and the files of `--append`.
struct GrowingFile: ~Copyable {
    /// Full path, for messages.
    private let path: String
    private let file: Descriptor

    private static let pieceSize = 1 << 20

    /// Opens the file, creating it if needed.
    init(_ name: String, in place: borrowing DestinationFiles) throws(ExportError) {
        path = place.shown(name)
        file = try place.create(name)
    }

    /// Makes the file readable by its owner only.
    func makePrivate() throws(ExportError) {
        try ExportError.attempt(.write, path) { () throws(ErrorNumber) in try file.changeMode(ExportFile.privateMode) }
    }

    func truncate(to size: Int64) throws(ExportError) {
        while ftruncate(file.number, off_t(size)) != 0 {
            if errno != EINTR { throw .file(.write, path: path, errno: errno) }
        }
        try DestinationFiles.synchronize(file, path: path)
    }

    /// Writes another file's bytes at an offset. They are on disk when this returns.
    func append(_ source: borrowing Descriptor, at place: Int64) throws(ExportError) {
        var offset = 0
        while true {
            let piece = try ExportError.attempt(.read, path) { () throws(ErrorNumber) in
                try source.read(limit: Self.pieceSize, at: offset)
            }
            if piece.isEmpty { break }
            try write(piece, at: Int(place) + offset)
            offset += piece.count
        }
        try DestinationFiles.synchronize(file, path: path)
    }

    /// Reads up to `count` bytes at an offset.
    func bytes(at place: Int64, _ count: Int) throws(ExportError) -> [UInt8] {
        try ExportError.attempt(.read, path) { () throws(ErrorNumber) in try file.read(limit: count, at: Int(place)) }
    }

    /// Writes bytes at an offset. They are on disk when this returns.
    func append(_ bytes: [UInt8], at place: Int64) throws(ExportError) {
        try write(bytes, at: Int(place))
        try DestinationFiles.synchronize(file, path: path)
    }

    private func write(_ bytes: [UInt8], at place: Int) throws(ExportError) {
        try ExportError.attempt(.write, path) { () throws(ErrorNumber) in try file.write(bytes, at: place) }
    }
}
