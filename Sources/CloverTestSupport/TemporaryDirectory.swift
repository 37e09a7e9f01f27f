import Foundation

/// A new folder readable only by this user, removed with its content on release.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        let base = FileManager.default.temporaryDirectory
        let folder = base.appendingPathComponent("clover-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        path = folder.path
    }

    deinit {
        // A folder that cannot be removed stays in the temporary directory.
        _ = try? FileManager.default.removeItem(atPath: path)
    }

    package subscript(_ name: String) -> String { "\(path)/\(name)" }

    /// Creates a folder inside, readable only by this user, and returns its path.
    @discardableResult
    package func makeFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: self[name], withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return self[name]
    }

    /// Writes a file inside, readable only by this user, and returns its path.
    @discardableResult
    package func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let created = FileManager.default.createFile(
            atPath: self[name], contents: Data(bytes), attributes: [.posixPermissions: 0o600])
        guard created else { throw CocoaError(.fileWriteUnknown) }
        return self[name]
    }

    package func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: self[name])))
    }

    /// All files below a folder, as sorted paths relative to this directory.
    package func files(below name: String) -> [String] {
        let found = FileManager.default.enumerator(atPath: self[name])?.compactMap { $0 as? String } ?? []
        return found.map { "\(name)/\($0)" }.filter { relative in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: self[relative], isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }
}
