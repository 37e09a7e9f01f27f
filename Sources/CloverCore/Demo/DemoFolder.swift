import FoundationEssentials
import Glibc

/// Everything that the tour keeps, in one place that nobody else can read.
struct DemoFolder: Sendable {
    let path: String
    /// The folder itself, open and locked (flock(2)) as long as the tour lives, however it ends.
    private let lock: Int32

    /// What is as young, in seconds, may not be locked yet, or be written to by a command whose tour was killed.
    private static let leastAge = 60

    /// Removes what tours left that were killed.
    ///
    /// - Throws: `CoreError.unwritableFile`.
    init(variables: [String: String]) throws(CoreError) {
        let base = variables.nonEmpty("TMPDIR") ?? "/tmp"
        Self.sweep(base)
        var template = Array("\(base)/clover-demo-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .unwritableFile(path: base, errno: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Where there are no locks, the next tour takes it for one that is in use, or for a left one after a minute.
        if lock >= 0 { _ = flock(lock, LOCK_EX | LOCK_NB) }
    }

    /// Only folders of the user's own that no tour holds.
    private static func sweep(_ base: String) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: base)
        } catch {
            // What is wrong with it is told when the folder is made.
            return
        }
        for name in names where name.hasPrefix("clover-demo-") && name.utf8.count == "clover-demo-XXXXXX".utf8.count {
            let path = "\(base)/\(name)"
            let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard folder >= 0 else { continue }
            defer { close(folder) }
            var found = stat()
            guard fstat(folder, &found) == 0, found.st_uid == geteuid(), found.st_mode & 0o777 == 0o700,
                found.st_mtim.tv_sec < time(nil) - leastAge, flock(folder, LOCK_EX | LOCK_NB) == 0
            else { continue }
            do {
                try FileManager.default.removeItem(atPath: path)
            } catch {
                // It is no part of this tour; the next one tries again.
            }
        }
    }

    subscript(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file that nobody else can read.
    func write(_ name: String, _ text: String) throws(CoreError) {
        let descriptor = open(self[name], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritableFile(path: self[name], errno: errno) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw .unwritableFile(path: self[name], errno: errno)
        }
    }

    /// The first line of a file when it is whole; nil before.
    func firstLine(of name: String) -> String? {
        guard let bytes = FileManager.default.contents(atPath: self[name]),
            let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    func remove() throws {
        defer { if lock >= 0 { close(lock) } }
        try FileManager.default.removeItem(atPath: path)
    }
}
