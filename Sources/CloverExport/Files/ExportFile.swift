import CloverStorage
import Glibc

/// A file of an export that is being written. It gets its name when it is whole and on the device; given up, it is
/// removed.
///
/// All methods block for the device: only for a thread that may.
package final class ExportFile: Sendable {
    /// Its path from the destination on, as long as it is not whole.
    private let name: String
    private let file: Descriptor
    private let directory: ExportDirectory
    private let isPrivate: Bool

    /// The access rights of a file that only its owner reads.
    static let privateMode: UInt32 = 0o600

    init(creating name: String, in directory: ExportDirectory, isPrivate: Bool) throws(ExportError) {
        self.name = name
        self.directory = directory
        self.isPrivate = isPrivate
        file = try directory.place.create(name, flags: O_TRUNC, mode: isPrivate ? Self.privateMode : 0o666)
    }

    /// Where it is as long as it is not whole, for messages.
    package var path: String { directory.place.shown(name) }

    /// Where its bytes are written; valid as long as this lives.
    package var descriptor: Int32 { file.number }

    /// Gives it its name, replacing what has it. What was written is on the device then, and so is the name.
    package func publish(as name: String) throws(ExportError) {
        try ExportPlace.synchronize(file, path: directory.place.shown(name))
        try directory.place.rename(self.name, to: name)
    }

    /// Writes bytes and gives them a name.
    func publish(_ bytes: [UInt8], as name: String) throws(ExportError) {
        do throws(ErrorNumber) {
            try file.writeFromStart(bytes)
        } catch {
            throw .file(.write, path: path, errno: error.code)
        }
        try publish(as: name)
    }

    /// Adds its bytes to the end of the file of this name, and removes it. A private one makes that file private first.
    ///
    /// - Parameters:
    ///   - size: what the other file has now; it has no more after a failure.
    ///   - endingLine: puts a line break in front.
    /// - Returns: where its bytes begin.
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

    /// Removes it. Nothing happens to a file that has its name.
    package func discard() throws(ExportError) {
        try directory.place.remove(name)
    }
}
