import CloverSystem
import Glibc

/// The kind of a destination, by its address after `--to` or its name in the state.
package enum DestinationAddress: Sendable, Equatable {
    /// Its path.
    case directory(String)
    /// The text as it is, which may be wrong.
    case objects(String)
    case database(DatabaseAddress)

    package init(_ text: String) {
        if ObjectAddress.isMeant(by: text) {
            self = .objects(text)
        } else if let file = DatabaseAddress.file(of: text) {
            self = .database(.sqlite(path: file))
        } else if DatabaseAddress.isMeant(by: text) {
            self = .database((try? DatabaseAddress(parsing: text)) ?? .postgreSQL(url: text))
        } else {
            self = .directory(text)
        }
    }

    /// The path of a directory, or of a database's file; nil for what other machines have.
    package var path: String? {
        switch self {
        case .directory(let path), .database(.sqlite(let path)): path
        case .objects, .database(.postgreSQL): nil
        }
    }

    /// The address with another path, where it has one.
    package func with(path: String) -> Self {
        switch self {
        case .directory: .directory(path)
        case .database(.sqlite): .database(.sqlite(path: path))
        case .objects, .database(.postgreSQL): self
        }
    }

    /// The address as text.
    package var name: String {
        switch self {
        case .directory(let path): path
        case .objects(let text): (try? ObjectAddress(parsing: text))?.name ?? text
        case .database(let address): address.name
        }
    }

    /// The address that the state has: with links resolved, also where the file or the directory is gone.
    package var resolved: Self { path.map { with(path: Self.resolved($0)) } ?? self }

    /// Follows the links in what is left of a path.
    fileprivate static func resolved(_ path: String) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        let parts = path.split(separator: "/")
        let folder = (path.hasPrefix("/") ? "/" : "") + parts.dropLast().joined(separator: "/")
        // The current directory may be gone.
        guard let name = parts.last, path != "." else { return path }
        let parent = resolved(folder.isEmpty ? "." : folder)
        switch name {
        case ".": return parent
        case "..": return parent.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
        default: return (parent == "/" ? "" : parent) + "/" + name
        }
    }

    /// The directory of this machine that an export to it writes in; nil for none.
    package var folder: String? {
        switch self {
        case .directory(let path): path
        // A database's journal is beside it.
        case .database(.sqlite(let path)): path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
        case .objects, .database(.postgreSQL): nil
        }
    }

    /// The directory with its files, or with what stands for its objects as the last run found them.
    func files(in state: StateDirectory) -> String {
        if case .objects(let name) = self { return "\(state.path)/\(ObjectAddress.folder(of: name))" }
        return name
    }

    /// Whether it no longer exists. A database on a server is never known to be missing, because it is not asked.
    var isMissing: Bool {
        switch self {
        case .directory(let path): return ExportDirectory.isMissing(path)
        case .objects(let name): return ExportDirectory.isMissing(name)
        case .database(.postgreSQL): return false
        case .database(.sqlite(let path)):
            var facts = stat()
            return stat(path, &facts) != 0 && (errno == ENOENT || errno == ENOTDIR)
        }
    }

    /// Whether an export to it is running.
    func isLocked(in state: StateDirectory) -> Bool {
        guard case .database(let address) = self else { return ExportDirectory.isLocked(files(in: state)) }
        return ExportDirectory.isLocked(file: "\(state.path)/\(ExportStatus.lockFolder)/\(address.lockName)")
    }
}

extension DatabaseAddress {
    /// The address that the state has: with links resolved, also where the file is gone.
    package var resolved: Self {
        guard case .sqlite(let path) = self else { return self }
        return .sqlite(path: DestinationAddress.resolved(path))
    }
}
