import FoundationEssentials
import Glibc

/// Everything that the tour keeps, in one place that nobody else can read.
struct DemoFolder: Sendable {
    let path: String

    /// - Throws: `CoreError.unwritableFile`.
    init(variables: [String: String]) throws(CoreError) {
        let base = variables.nonEmpty("TMPDIR") ?? "/tmp"
        var template = Array("\(base)/clover-demo-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .unwritableFile(path: base, errno: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
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
        try FileManager.default.removeItem(atPath: path)
    }
}
