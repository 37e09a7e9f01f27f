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

/// Compares a text with a file in the folder `Snapshots` beside the test.
///
/// `RECORD_SNAPSHOTS=1` records the files; the difference is then reviewed like code.
package enum Snapshot {
    package enum Mismatch: Error, CustomStringConvertible {
        case missing(path: String)
        case different(path: String, expected: String, actual: String)

        package var description: String {
            switch self {
            case .missing(let path): "no snapshot at \(path): record it with RECORD_SNAPSHOTS=1"
            case .different(let path, let expected, let actual):
                """
                not as in \(path) (RECORD_SNAPSHOTS=1 records anew)
                \(Self.difference(expected, actual))
                """
            }
        }

        private static func difference(_ expected: String, _ actual: String) -> String {
            let before = expected.split(separator: "\n", omittingEmptySubsequences: false)
            let after = actual.split(separator: "\n", omittingEmptySubsequences: false)
            return after.difference(from: before).map { change in
                switch change {
                case .remove(let line, let text, _): "- \(line + 1): \(text)"
                case .insert(let line, let text, _): "+ \(line + 1): \(text)"
                }
            }.joined(separator: "\n")
        }
    }

    /// Throws ``Mismatch`` if `text` differs from the text recorded under `name`.
    package static func check(_ text: String, _ name: String, file: String = #filePath) throws {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("Snapshots")
        let path = folder.appendingPathComponent("\(name).txt")
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: path)
            return
        }
        guard let recorded = FileManager.default.contents(atPath: path.path) else {
            throw Mismatch.missing(path: path.path)
        }
        let expected = String(decoding: recorded, as: UTF8.self)
        if expected != text { throw Mismatch.different(path: path.path, expected: expected, actual: text) }
    }
}
