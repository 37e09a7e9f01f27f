import CLinux
import Glibc

/// What others may do with everything in the state directory.
package struct PermissionSurvey: Sendable {
    /// What is refused where it is used.
    package private(set) var faults: [PermissionFault] = []
    /// Files and directories that were looked at.
    package private(set) var count = 0

    /// Looks at what is in the directory, and changes nothing. Nobody needs to have made it.
    package init(of state: StateDirectory) throws(StorageError) {
        guard try state.existing() != nil else { return }
        for name in try Self.names(in: state.path) {
            let path = state.path + "/" + name
            let rule: AccessRule = name == "credentials" || name.contains(".sqlite") ? .secret : .own
            guard try judge(path, rule: rule) else { continue }
            for inner in try Self.names(in: path) { try judge(path + "/" + inner, rule: rule) }
        }
    }

    /// Whether it is a directory that can be looked into.
    @discardableResult
    private mutating func judge(_ path: String, rule: AccessRule) throws(StorageError) -> Bool {
        var found = stat()
        guard lstat(path, &found) == 0 else {
            // Another process may have removed it meanwhile.
            if errno == ENOENT { return false }
            throw .system(.status, path: path, errno: errno)
        }
        count += 1
        let kind = found.st_mode & S_IFMT
        guard kind == S_IFDIR || kind == S_IFREG else {
            // chmod(2) would follow a link; this fault is not mended.
            let refusal: FileRefusal = kind == S_IFLNK ? .symbolicLink : .notRegularFile
            faults.append(PermissionFault(path: path, refusal: refusal, mode: 0, rule: rule))
            return false
        }
        let mode = found.st_mode & 0o7777
        if let refusal = rule.refusal(owner: found.st_uid, mode: mode, user: geteuid()) {
            let isLoose = if case .looseMode = refusal { true } else { false }
            faults.append(PermissionFault(path: path, refusal: refusal, mode: mode, rule: rule))
            return isLoose && kind == S_IFDIR
        }
        return kind == S_IFDIR
    }

    private static func names(in path: String) throws(StorageError) -> [String] {
        guard let stream = opendir(path) else { throw .system(.list, path: path, errno: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
