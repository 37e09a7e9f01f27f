import CloverStorage
import Glibc

/// A file that gets longer from run to run: the manifest, and what `--append` writes to.
struct GrowingFile: ~Copyable {
    /// For messages.
    private let path: String
    private let file: Descriptor

    private static let pieceSize = 1 << 20

    /// Opens it, and makes it where it is missing.
    init(_ name: String, in place: borrowing ExportPlace) throws(ExportError) {
        path = place.shown(name)
        file = try place.create(name)
    }

    /// Takes the access rights of everybody but the owner away.
    func makePrivate() throws(ExportError) {
        do throws(ErrorNumber) {
            try file.changeMode(ExportFile.privateMode)
        } catch {
            throw .file(.write, path: path, errno: error.code)
        }
    }

    /// Cuts off what is behind a place.
    func truncate(to size: Int64) throws(ExportError) {
        while ftruncate(file.number, off_t(size)) != 0 {
            if errno != EINTR { throw .file(.write, path: path, errno: errno) }
        }
        try ExportPlace.synchronize(file, path: path)
    }

    /// Writes the other file's bytes from a place on; they are on the device when it returns.
    func append(_ source: borrowing Descriptor, at place: Int64) throws(ExportError) {
        var offset = 0
        while true {
            let piece: [UInt8]
            do throws(ErrorNumber) {
                piece = try source.read(limit: Self.pieceSize, at: offset)
            } catch {
                throw .file(.read, path: path, errno: error.code)
            }
            if piece.isEmpty { break }
            try write(piece, at: Int(place) + offset)
            offset += piece.count
        }
        try ExportPlace.synchronize(file, path: path)
    }

    /// The bytes from a place on, as far as there are so many.
    func bytes(at place: Int64, _ count: Int) throws(ExportError) -> [UInt8] {
        do throws(ErrorNumber) {
            return try file.read(limit: count, at: Int(place))
        } catch {
            throw .file(.read, path: path, errno: error.code)
        }
    }

    /// The same for bytes.
    func append(_ bytes: [UInt8], at place: Int64) throws(ExportError) {
        try write(bytes, at: Int(place))
        try ExportPlace.synchronize(file, path: path)
    }

    private func write(_ bytes: [UInt8], at place: Int) throws(ExportError) {
        do throws(ErrorNumber) {
            try file.write(bytes, at: place)
        } catch {
            throw .file(.write, path: path, errno: error.code)
        }
    }
}
