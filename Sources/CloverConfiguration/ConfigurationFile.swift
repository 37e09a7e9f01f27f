package import CloverStorage
import Glibc

/// `config.yml`: what the user wants to hold for every run. Creating the value reads nothing; the methods do.
///
/// It may be a symbolic link, and belong to root, as systems that build homes leave it; nobody else may be able to change
/// it, or to put another one in its place, because it says where tokens are sent.
package struct ConfigurationFile: Sendable, Equatable {
    /// The directory's absolute path, without a trailing slash.
    package let directory: String

    package static let name = "config.yml"
    private static let sizeLimit = 1 << 18

    /// A file at a known place.
    package init(directory: String) {
        self.directory = directory
    }

    /// Finds the place: `CLOVER_CONFIG_DIR`, else `$XDG_CONFIG_HOME/clover`, else `~/.config/clover`; see
    /// `UserDirectory.path`.
    package init(environment: [String: String]) throws(StorageError) {
        directory = try UserDirectory.path(
            variable: "CLOVER_CONFIG_DIR", base: "XDG_CONFIG_HOME", fallback: ".config", in: environment)
    }

    package var path: String { directory + "/" + Self.name }

    /// What the file says; nil when there is none.
    ///
    /// A link that leads nowhere is `.unreadable`: the settings that were behind it are not to be forgotten in silence.
    ///
    /// - Throws: `.unreadable`, `.notText`, `.forbiddenCharacter`, `.notYAML`. What is wrong with keys and values is among the document's problems.
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

    /// Sets a value, in a profile's section or at the top. What else the file holds stays as it is. Blocks while another
    /// process changes the file.
    ///
    /// - Throws: `.wrongValue`, `.onlyAtTop`, `.notEditable`, and what `read` throws.
    package func set(_ key: ConfigurationKey, to value: String, profile: String?) throws(ConfigurationError) {
        if profile != nil, !key.isPerProfile { throw .onlyAtTop(key) }
        try key.check(value)
        try change { text, path throws(ConfigurationError) in
            let edit = try ConfigurationEdit(text ?? Self.head, path: path)
            return try edit.setting(key.name, to: value, profile: profile)
        }
    }

    /// Removes a key, also one that no key has the name of.
    ///
    /// - Throws: `.notSet`, `.notEditable`, and what `read` throws.
    package func unset(_ name: String, profile: String?) throws(ConfigurationError) {
        try change { text, path throws(ConfigurationError) in
            guard let text else { throw .notSet(name, profile: profile, path: path) }
            return try ConfigurationEdit(text, path: path).removing(name, profile: profile)
        }
    }

    /// What a new file begins with.
    private static let head = "# Settings of clover: 'clover config list --explain' shows them all.\n"

    /// What keeps the directory from being trusted: whoever may write in it can put any file in this one's place, by a link
    /// also one that is the user's own. The same holds for the directory of the file that a link leads to. Nil when nothing
    /// does, and where there is no such directory.
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
            throw .notText(path: path, TextPlace.ofBrokenUTF8(in: bytes) ?? TextPlace(line: 1, column: 1))
        }
        return text
    }

    /// What cannot be reached is not what was never made: a link that leads nowhere held settings once, and below a file there is
    /// no place for any.
    private func checkAbsence() throws(StorageError) {
        if let (link, _) = DirectoryFacts.deadLink(on: path) { throw .system(.open, path: link, errno: ENOENT) }
        if DirectoryFacts.isNoDirectory(directory) { throw .refused(path: directory, .notDirectory) }
    }

    private func change(
        _ body: (_ text: String?, _ path: String) throws(ConfigurationError) -> String
    ) throws(ConfigurationError) {
        // Before the directory is made: what is refused leaves nothing.
        if try text() == nil { _ = try body(nil, path) }
        do throws(StorageError) {
            try UserDirectory.make(directory)
        } catch {
            throw .storage(error)
        }
        let place = try open(directory)
        let lock: FileLock
        do throws(StorageError) {
            lock = try FileLock.acquire("." + Self.name + ".lock", in: place)
        } catch {
            throw .storage(error)
        }
        let new = try body(try text(), path)
        // The file that a link leads to is what is replaced, beside itself, or made there; the link stays.
        let (folder, name) = Self.split(Self.resolved(path))
        let home: OpenDirectory
        do throws(ConfigurationError) {
            home = try open(folder)
        } catch .storage(.system(.open, _, ENOENT)) {
            throw .storage(.system(.open, path: path, errno: ENOENT))
        }
        do throws(StorageError) {
            try AtomicFile.replace(
                name, in: home, with: Array(new.utf8),
                keepsMode: true, holding: lock)
        } catch {
            throw .storage(error)
        }
    }

    private func open(_ path: String) throws(ConfigurationError) -> OpenDirectory {
        do throws(StorageError) {
            return try OpenDirectory(path: path, rule: .own, followingLinks: true)
        } catch {
            throw .storage(error)
        }
    }

    /// Directory and name of an absolute path.
    private static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    /// The place that the path leads to: without links (realpath(3)) where something is there, else where the last link
    /// points.
    private static func resolved(_ path: String) -> String {
        if let found = realpath(path, nil) {
            defer { free(found) }
            return String(cString: found)
        }
        var place = path
        // The kernel follows as many (path_resolution(7)).
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
