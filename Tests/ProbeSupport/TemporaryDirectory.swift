import FoundationEssentials
import Glibc

/// A fresh directory with mode 0700 that is removed, with all that is in it, when this value goes.
package final class TemporaryDirectory: Sendable {
    /// Its absolute path.
    package let path: String

    package init() throws {
        let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array((base + "/clover-test-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            // A test that fails for its own reason should not be drowned by this one.
        }
    }

    /// The path of an entry.
    package func path(_ name: String) -> String {
        path + "/" + name
    }

    /// Writes a file and gives it exactly this mode, whatever the process's file mode mask.
    package func write(_ name: String, _ text: String, mode: UInt32 = 0o600) throws {
        try write(name, bytes: Array(text.utf8), mode: mode)
    }

    /// Writes a file and gives it exactly this mode, whatever the process's file mode mask.
    package func write(_ name: String, bytes: [UInt8], mode: UInt32 = 0o600) throws {
        try Data(bytes).write(to: URL(filePath: path(name)))
        guard chmod(path(name), mode) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Makes a directory and gives it exactly this mode.
    package func makeDirectory(_ name: String, mode: UInt32 = 0o700) throws {
        guard mkdir(path(name), mode) == 0, chmod(path(name), mode) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Reads a whole file.
    package func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path(name))))
    }

    /// The permission bits of an entry; links are not followed.
    package func mode(_ name: String) throws -> UInt32 {
        var found = stat()
        guard lstat(path(name), &found) == 0 else { throw CocoaError(.fileReadUnknown) }
        return found.st_mode & 0o7777
    }

    /// The names in a directory below, sorted.
    package func names(_ name: String = ".") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
    }
}
