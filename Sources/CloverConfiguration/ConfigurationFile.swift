package import CloverSystem
import Glibc

/// `config.yml`: the user's settings for every run. Creating the value reads nothing; the methods do.
///
/// The file may be a symbolic link, and may belong to root, as on systems that create homes. No other user may be able
/// to change or replace it, because it determines where tokens are sent.
package struct ConfigurationFile: Sendable, Equatable {
    /// The directory's absolute path, without a trailing slash.
    package let directory: String

    package static let name = "config.yml"
    private static let sizeLimit = 1 << 18

    /// A file in a known directory.
    package init(directory: String) {
        self.directory = directory
    }

    /// Finds the directory: `CLOVER_CONFIG_DIR`, or else `$XDG_CONFIG_HOME/clover`, or else `~/.config/clover`; see
    /// `UserDirectory.path`.
    package init(environment: [String: String]) throws(StorageError) {
        directory = try UserDirectory.path(
            variable: "CLOVER_CONFIG_DIR", base: "XDG_CONFIG_HOME", fallback: ".config", in: environment)
    }

    package var path: String { directory + "/" + Self.name }

    /// The content of the file; nil if there is none.
    ///
    /// A dangling link is `.unreadable`: the settings behind it must not be ignored silently.
    ///
    /// - Throws: `.unreadable`, `.notText`, `.forbiddenCharacter`, `.notYAML`. Invalid keys and values are among the
    ///   document's problems.
    package func read() throws(ConfigurationError) -> ConfigurationDocument? {
        guard let text = try text() else {
            do throws(StorageError) {
                try checkAbsence()
            } catch {
                throw .unreadable(error)
            }
            return nil
        }
        return try ConfigurationDocument(parsing: text, path: path)
    }

    /// Sets a value, in a profile's section or at the top level. Everything else in the file is unchanged. Blocks while
    /// another process changes the file.
    ///
    /// - Throws: `.wrongValue`, `.onlyAtTopLevel`, `.notEditable`, and the errors of `read`.
    package func set(_ key: ConfigurationKey, to value: String, profile: String?) throws(ConfigurationError) {
        if profile != nil, !key.isPerProfile { throw .onlyAtTopLevel(key) }
        try key.check(value)
        try change { text, path throws(ConfigurationError) in
            let edit = try ConfigurationEdit(text ?? Self.head, path: path)
            return try edit.setting(key.name, to: value, profile: profile)
        }
    }

    /// Removes a key, even an unknown one.
    ///
    /// - Throws: `.notSet`, `.notEditable`, and the errors of `read`.
    package func unset(_ name: String, profile: String?) throws(ConfigurationError) {
        try change { text, path throws(ConfigurationError) in
            guard let text else { throw .notSet(name, profile: profile, path: path) }
            return try ConfigurationEdit(text, path: path).removing(name, profile: profile)
        }
    }

    /// The first line of a new file.
    private static let head = "# Settings of clover: 'clover config list --explain' shows them all.\n"

    /// Why the directory is not trusted: a user who may write in it can replace the file, even with a link to one of
    /// the owner's own files. The same applies to the directory of the file that a link refers to. Nil if there is no
    /// fault, or no such directory.
    package func directoryFault() throws(StorageError) -> PermissionFault? {
        if let fault = try PermissionFault.find(directory, rule: .ownOrSystem) { return fault }
        let (home, _) = Self.split(Self.resolved(path))
        return try PermissionFault.find(home, rule: .ownOrSystem, allowsSticky: true)
    }

    private func text() throws(ConfigurationError) -> String? {
        let bytes: [UInt8]?
        do throws(StorageError) {
            bytes = try PrivateFile.read(following: path, rule: .ownOrSystem, limit: Self.sizeLimit)
            if bytes != nil, let fault = try directoryFault() { throw fault.error }
        } catch {
            throw .unreadable(error)
        }
        guard let bytes else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .notText(path: path, TextPosition.ofInvalidUTF8(in: bytes) ?? TextPosition(line: 1, column: 1))
        }
        return text
    }

    /// Distinguishes an unreachable file from one that never existed: a dangling link held settings once, and a file in
    /// the directory's place leaves no room for any.
    private func checkAbsence() throws(StorageError) {
        if let (link, _) = DirectoryFacts.deadLink(on: path) { throw .system(.open, path: link, errno: ENOENT) }
        if DirectoryFacts.isNoDirectory(directory) { throw .refused(path: directory, .notDirectory) }
    }

    private func change(
        _ body: (_ text: String?, _ path: String) throws(ConfigurationError) -> String
    ) throws(ConfigurationError) {
        // Before creating the directory: a refused change leaves nothing behind.
        if try text() == nil { _ = try body(nil, path) }
        try ConfigurationError.storing(try UserDirectory.make(directory))
        let place = try ConfigurationError.storing(try Self.open(directory))
        let lock = try ConfigurationError.storing(try FileLock.acquire("." + Self.name + ".lock", in: place))
        let new = try body(try text(), path)
        // Replaces or creates the file that a link refers to, in its own directory; the link stays.
        let (folder, name) = Self.split(Self.resolved(path))
        do throws(StorageError) {
            let home = try Self.open(folder, for: path)
            try AtomicFile.replace(name, in: home, with: Array(new.utf8), keepsMode: true, holding: lock)
        } catch {
            throw .storage(error)
        }
    }

    /// - Parameter link: the path to report if the directory is missing; nil for its own.
    private static func open(_ path: String, for link: String? = nil) throws(StorageError) -> OpenDirectory {
        do throws(StorageError) {
            return try OpenDirectory(path: path, rule: .own, followingLinks: true)
        } catch .system(.open, let missing, ENOENT) {
            throw .system(.open, path: link ?? missing, errno: ENOENT)
        }
    }

    /// Directory and name of an absolute path.
    private static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    /// The target of the path: without links (realpath(3)) if it exists, otherwise the target of the last link.
    private static func resolved(_ path: String) -> String {
        if let found = realpath(path, nil) {
            defer { free(found) }
            return String(cString: found)
        }
        var place = path
        // The kernel follows the same number of links (path_resolution(7)).
        for _ in 0..<40 {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(place, &buffer, buffer.count)
            guard count > 0 else { break }
            let target = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let slash = place.lastIndex(of: "/") ?? place.startIndex
            place = target.hasPrefix("/") ? target : place[..<slash] + "/" + target
        }
        return place
    }
}
