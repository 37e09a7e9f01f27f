import Glibc

/// Detects whether another program in the pipeline reads our output and writes to our terminal: `clover get ... | jq
/// .`.
enum TerminalReaders {
    /// The programs of a pipeline form one process group (credentials(7)). A program counts if its standard output is
    /// the terminal of our standard error, or if that cannot be determined. Returns false if standard output is not a
    /// pipe, because then no other program reads it.
    static func areThere() -> Bool {
        var output = stat()
        var terminal = stat()
        guard fstat(STDOUT_FILENO, &output) == 0, output.st_mode & S_IFMT == S_IFIFO,
            fstat(STDERR_FILENO, &terminal) == 0
        else { return false }
        guard let directory = opendir("/proc") else { return true }
        defer { closedir(directory) }
        let group = getpgrp()
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let process = pid_t(name), process != getpid(), getpgid(process) == group else { continue }
            var other = stat()
            // stat(2) follows the link to the open file (proc(5)).
            let isKnown = stat("/proc/\(process)/fd/\(STDOUT_FILENO)", &other) == 0
            if isKnown ? other.st_rdev == terminal.st_rdev && other.st_mode & S_IFMT == S_IFCHR : errno != ENOENT {
                return true
            }
        }
        return false
    }
}
