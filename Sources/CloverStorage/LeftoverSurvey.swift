import CLinux
import Glibc

/// Files that nobody needs any more: what writers left beside a file when they were killed, and ledgers that were set
/// aside.
package struct LeftoverSurvey: Sendable {
    package enum Kind: Sendable, Equatable {
        /// `.NAME.new`, made by `AtomicFile`.
        case unfinished
        /// `NAME.ledger.REASON-MILLISECONDS`, and the reason.
        case setAside(String)
    }

    package struct Leftover: Sendable, Equatable {
        package let path: String
        package let kind: Kind
    }

    /// Those that were there for at least an hour: no writer takes so long.
    package private(set) var leftovers: [Leftover] = []

    private static let age = 3600

    /// Looks at the directory and the directories in it. Nobody needs to have made it.
    package init(of state: StateDirectory) throws(StorageError) {
        guard let top = try state.existing() else { return }
        try collect(from: top)
        for name in try top.names() where try top.kind(of: name) == S_IFDIR {
            guard let inner = try state.existingSubdirectory(name, rule: .own) else { continue }
            try collect(from: inner)
        }
    }

    /// Removes one of them.
    package static func remove(_ leftover: Leftover) throws(StorageError) {
        if unlink(leftover.path) != 0, errno != ENOENT {
            throw .system(.remove, path: leftover.path, errno: errno)
        }
    }

    private mutating func collect(from directory: borrowing OpenDirectory) throws(StorageError) {
        for name in try directory.names() {
            guard let kind = Self.kind(of: name) else { continue }
            let path = directory.path(of: name)
            var found = stat()
            guard lstat(path, &found) == 0, found.st_mode & S_IFMT == S_IFREG,
                time(nil) - found.st_mtim.tv_sec >= Self.age
            else { continue }
            leftovers.append(Leftover(path: path, kind: kind))
        }
    }

    private static func kind(of name: String) -> Kind? {
        if name.hasPrefix("."), name.hasSuffix(".new") { return .unfinished }
        guard let range = name.firstRange(of: ".ledger."), let dash = name.lastIndex(of: "-"),
            dash > range.upperBound, name[name.index(after: dash)...].allSatisfy(\.isNumber)
        else { return nil }
        return .setAside(String(name[range.upperBound..<dash]))
    }
}
