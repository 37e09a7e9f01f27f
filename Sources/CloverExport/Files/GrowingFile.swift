import CloverStorage
import Glibc

/// A file that gets longer from run to run: the manifest, and what `--append` writes to.
struct GrowingFile: ~Copyable {
    private let path: String
    private let file: Descriptor

    private static let pieceSize = 1 << 20

    /// Opens it, and makes it where it is missing.
    init(_ path: String) throws(ExportError) {
        self.path = path
        do throws(ErrorNumber) {
            file = try Descriptor(opening: path, in: AT_FDCWD, flags: O_RDWR | O_CREAT, mode: 0o666)
        } catch {
            throw .file(.create, path: path, errno: error.code)
        }
    }

    /// The size of a file; nil when there is none.
    static func size(of path: String) throws(ExportError) -> Int64? {
        var facts = stat()
        if stat(path, &facts) == 0 { return Int64(facts.st_size) }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw .file(.read, path: path, errno: errno)
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
        try ExportFile.synchronize(file, path: path)
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
        try ExportFile.synchronize(file, path: path)
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
        try ExportFile.synchronize(file, path: path)
    }

    private func write(_ bytes: [UInt8], at place: Int) throws(ExportError) {
        do throws(ErrorNumber) {
            try file.write(bytes, at: place)
        } catch {
            throw .file(.write, path: path, errno: error.code)
        }
    }
}
