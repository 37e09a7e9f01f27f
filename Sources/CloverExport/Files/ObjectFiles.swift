import CloverSystem
import Glibc

/// A directory that shows objects of an object store: a file for each, of the same size and without its bytes, so that what
/// holds for the files of a destination holds for its objects. Only the manifest has its bytes here.
extension ExportDirectory {
    /// Makes the files agree with these objects. Objects whose names cannot be files are not shown; no export has such names.
    ///
    /// - Parameter sizes: size by name.
    package func show(_ sizes: [String: Int64]) throws(ExportError) {
        try hide(in: "", but: sizes)
        for (name, size) in sizes where name != NameTemplate.manifest && Self.isShown(name) {
            do throws(ExportError) {
                guard try place.size(of: name) != size else { continue }
                try DestinationFiles.hollow(try place.create(name), size: size, path: place.shown(name))
            } catch {
                switch error {
                // An object may have the name of a folder.
                case .notFile, .file(_, _, EEXIST), .file(_, _, ENOTDIR), .file(_, _, ENAMETOOLONG): continue
                default: throw error
                }
            }
        }
    }

    private static func isShown(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.first.map(String.init) != folder && !name.contains("\0")
            && parts.allSatisfy { !["", ".", ".."].contains($0) }
    }

    /// Removes files that are no objects, and empty folders.
    private func hide(in folder: String, but sizes: [String: Int64]) throws(ExportError) {
        for entry in try place.entries(of: folder) {
            let name = folder + entry.name
            if folder.isEmpty, [Self.folder, NameTemplate.manifest].contains(entry.name) { continue }
            if entry.isDirectory {
                try hide(in: name + "/", but: sizes)
                try place.removeFolder(name)
            } else if sizes[name] == nil {
                try place.remove(name)
            }
        }
    }

    /// Replaces the manifest by that of the object store; nil when that has none.
    package func replaceManifest(by file: ExportFile?) throws(ExportError) {
        if let file { return try file.publish(as: NameTemplate.manifest) }
        try place.remove(NameTemplate.manifest)
    }
}

extension DestinationFiles {
    /// Replaces the bytes of a file by a hole (truncate(2)).
    static func hollow(_ file: borrowing Descriptor, size: Int64, path: String) throws(ExportError) {
        for length in [0, size] {
            while ftruncate(file.number, off_t(length)) != 0 {
                if errno != EINTR { throw .file(.write, path: path, errno: errno) }
            }
        }
    }
}
