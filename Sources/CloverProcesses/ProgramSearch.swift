internal import CLinux
internal import Glibc

/// Where a program's file is.
package enum ProgramSearch {
    /// Where execvp(3) looks when there is no `PATH`.
    private static let defaultPath = "/usr/local/bin:/usr/bin:/bin"

    /// The program's file: the name itself when it holds a slash, else from `path`, the variable `PATH`, in which empty
    /// folders, which would mean the current one, are left out.
    ///
    /// - Returns: nil when no file of the name may be run.
    package static func find(_ name: String, path: String?) -> String? {
        if name.contains("/") { return isProgram(name) ? name : nil }
        return (path ?? defaultPath).split(separator: ":").map { "\($0)/\(name)" }.first { isProgram($0) }
    }

    private static func isProgram(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
